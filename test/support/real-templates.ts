/**
 * Chat templates of real models: those that llama.cpp tests itself with, out of the git bundle of llama.cpp that the npm
 * package `node-llama-cpp` carries. They are other people's texts, so they are fetched and kept in a cache, not
 * committed; nothing of the package is run or installed.
 */

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const pinned = {
  package: "node-llama-cpp@3.22.1",
  integrity: "bltIipuWmc123H7tMIgDGKSsSrhmhlQYeVUC48XTjVW7XGJJiJJyCdlTMzQ/LiWoPkGDpcL4FviDpgw7qfTiDw==",
};
const cache = join(import.meta.dirname, "..", "..", "node_modules", ".cache", "templates");
const place = join(cache, pinned.package);

/** The templates by their file names without ending. Fetched when they are first wanted (36 MB). */
export async function realTemplates(): Promise<ReadonlyMap<string, string>> {
  const files = await readdir(place).catch(fetchAll);
  const texts = files.map(async (file): Promise<[string, string]> => [
    file.replace(/\.jinja$/, ""),
    await readFile(join(place, file), "utf8"),
  ]);
  return new Map(await Promise.all(texts));
}

/** Into its place at once, so that a run that was interrupted leaves nothing half. */
async function fetchAll(): Promise<string[]> {
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, "work-"));
  try {
    process.stderr.write(`Fetching ${pinned.package} for its chat templates (36 MB).\n`);
    await run("npm", ["pack", pinned.package, "--pack-destination", work, "--silent"], { cwd: work });
    const archive = join(work, (await readdir(work)).find((name) => name.endsWith(".tgz")) ?? "");
    const digest = createHash("sha512")
      .update(await readFile(archive))
      .digest("base64");
    if (digest !== pinned.integrity) throw new Error(`${pinned.package} is not what was pinned.`);
    await run("tar", ["xzf", archive, "-C", work, "package/llama/gitRelease.bundle"]);
    const repository = join(work, "repository");
    await run("git", [
      "clone",
      "--quiet",
      "--no-checkout",
      join(work, "package/llama/gitRelease.bundle"),
      repository,
    ]);
    const folder = "models/templates";
    await run("git", ["-C", repository, "checkout", "--quiet", "HEAD", "--", folder]);
    const found = join(repository, folder);
    const names = await readdir(found);
    await Promise.all(names.filter((name) => !name.endsWith(".jinja")).map((name) => rm(join(found, name))));
    await rename(found, place);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return readdir(place);
}
