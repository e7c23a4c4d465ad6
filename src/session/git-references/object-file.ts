/** Where git keeps an object before it packs it. */

import { join } from "node:path";

export const objectFile = (common: string, hash: string): string =>
  join(common, "objects", hash.slice(0, 2), hash.slice(2));
