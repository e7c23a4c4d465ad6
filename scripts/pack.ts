/**
 * `npm run pack`: assembles the published package in `dist/package` (or the given folder), with its tarball beside it.
 */

import { execFile } from "node:child_process";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { packTypes } from "./pack-types.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..");
const target = resolve(process.argv[2] ?? join(root, "dist", "package"));
/** The optional packages meant for users: pseudo terminals, a team's database, and its workers. */
const forUsers: readonly string[] = ["@lydell/node-pty", "pg", "@dbos-inc/dbos-sdk"];

await pack();

async function pack(): Promise<void> {
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  await run(process.execPath, [join(import.meta.dirname, "build.ts"), target]);
  await packTypes(join(target, "types"));
  await writeFile(join(target, "package.json"), `${JSON.stringify(await manifest(), undefined, 2)}\n`);
  await cp(join(import.meta.dirname, "package", "README.md"), join(target, "README.md"));
  for (const name of ["LICENSE", "CHANGELOG.md", "docs", "deploy", "examples"])
    await cp(join(root, name), join(target, name), { recursive: true });
  const packed = await run("npm", ["pack", target, "--json", "--pack-destination", dirname(target)]);
  const [{ filename }]: [{ filename: string }] = JSON.parse(packed.stdout);
  process.stdout.write(`${join(dirname(target), filename)}\n`);
}

type RootManifest = Record<"name" | "version" | "description" | "license" | "man" | "engines", unknown> &
  Record<"dependencies" | "devDependencies" | "optionalDependencies", Record<string, string>>;

/** The root's package.json is private: its scripts, dev dependencies and bundled Node are not published. */
async function manifest(): Promise<Record<string, unknown>> {
  const own: RootManifest = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const { name, version, description, license, man, engines } = own;
  const { dependencies, devDependencies, optionalDependencies } = own;
  const optional = Object.entries(optionalDependencies).filter(([one]) => forUsers.includes(one));
  return {
    name,
    version,
    description,
    license,
    type: "module",
    bin: { toolwright: "bin.cjs", tw: "bin.cjs" },
    man,
    exports: {
      ".": { types: "./types/src/index.d.ts", default: "./index.js" },
      "./client": { types: "./types/src/client.d.ts", default: "./client.js" },
      "./testing": { types: "./types/src/testing.d.ts", default: "./testing.js" },
      "./package.json": "./package.json",
    },
    engines,
    // zod's code is in the bundle, but our types refer to its types, as they are from this version on.
    dependencies: { ...dependencies, zod: `^${devDependencies["zod"]}` },
    optionalDependencies: Object.fromEntries(optional),
    // Needed for telemetry and for compiling against the library; the command works without them.
    peerDependencies: { "@opentelemetry/api": "^1.9.0", "@types/node": ">=24" },
    peerDependenciesMeta: { "@opentelemetry/api": { optional: true }, "@types/node": { optional: true } },
  };
}
