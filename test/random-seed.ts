/** Sets this run's seed for the property tests of each file. */

import fc from "fast-check";
import { seed } from "../src/testing/scale.ts";

fc.configureGlobal({ seed });
