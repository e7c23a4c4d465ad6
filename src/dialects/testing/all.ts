/** Test helper: every dialect with its name, as a table. */

import type { Dialect } from "../dialect.ts";
import { allDialects } from "../index.ts";

export const dialectsUnderTest: { name: string; dialect: Dialect }[] = allDialects.map((dialect) => ({
  name: dialect.name,
  dialect,
}));
