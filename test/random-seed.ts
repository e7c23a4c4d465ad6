/** Gives the property tests of each file the seed of this run. */

import fc from "fast-check";
import { seed } from "../src/testing/scale.ts";

fc.configureGlobal({ seed });
