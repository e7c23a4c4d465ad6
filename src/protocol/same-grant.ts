/** Whether two grants cover the same, in whatever order their fields were written. */

import { jsonInOrder } from "../base/json.ts";
import type { Grant } from "./facts.ts";

export const isSameGrant = (one: Grant, other: Grant): boolean => jsonInOrder(one) === jsonInOrder(other);
