/** Makes the command run on other machines: one that forbids user namespaces, one that is a container, and one that is none. */

import { execFile } from "node:child_process";
import { lstatSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

/** Runs a program that cannot make user namespaces, so that bubblewrap really fails. */
export const forbidding = [
  "unshare",
  "-Ur",
  "sh",
  "-c",
  'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"',
  "sh",
];

/** Whether this machine lets us do that. */
export const works = ([program = "", ...words]: readonly string[]): Promise<boolean> =>
  promisify(execFile)(program, [...words, "true"]).then(
    () => true,
    () => false,
  );

/** Of these, a machine shows what it is. */
const telling = new Set(["proc", "dev", "run", "sys"]);

/** Runs a program on a machine that shows no sign of being a container or virtual. `marks`: files that are there too. */
export function ordinaryMachine(...marks: readonly string[]): string[] {
  const places = readdirSync("/").flatMap((name) => {
    const path = join("/", name);
    const stats = lstatSync(path);
    if (telling.has(name)) return [];
    if (stats.isSymbolicLink()) return ["--symlink", readlinkSync(path), path];
    return stats.isDirectory() ? ["--bind", path, path] : [];
  });
  const own = [
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    "--tmpfs",
    "/run",
    "--unshare-pid",
    "--unshare-cgroup-try",
  ];
  const marked = marks.flatMap((path) => ["--ro-bind", "/dev/null", path]);
  return ["bwrap", "--die-with-parent", ...places, ...own, ...marked, "--"];
}

/** A project whose test fails until `total` is mended. */
export const shop = {
  "package.json": '{ "name": "shop", "scripts": { "test": "node --test" } }\n',
  "total.js": "exports.total = (sum) => (sum > 100 ? sum * 0.9 : sum);\n",
  "total.test.js":
    'const { test } = require("node:test");\nconst { total } = require("./total.js");\ntest("a discount", () => require("node:assert").equal(total(100), 90));\n',
};
