/** Whether two grants cover the same, in whatever order their fields were written. */

import { isObject } from "../base/json.ts";
import type { Grant } from "./facts.ts";

export const isSameGrant = (one: Grant, other: Grant): boolean => inOrder(one) === inOrder(other);

const inOrder = (grant: Grant): string =>
  JSON.stringify(grant, (_, value: unknown) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
