/** The providers' keys that `toolwright login` keeps, in a file of the state directory that only its owner can read. */

import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { kib } from "../base/bound.ts";
import { type Expected, refuse } from "../base/expected.ts";
import { isObject, parseJson } from "../base/json.ts";
import { makeDirectory } from "../base/safe-fs/own-files.ts";
import { codeOf } from "../base/safe-fs/problems.ts";
import { alone, removeKept, saveJson } from "../base/safe-fs/state-files.ts";
import { shellQuoted } from "../base/shell-word.ts";

/** The file of the keys that `toolwright login` keeps, in bytes. */
const mostKeptKeys = 64 * kib;

/** By the provider's name, in lower case. */
type ProviderKeys = Readonly<Record<string, string>>;

/** A name that counts as a secret wherever the state directory is. */
export const keptKeysFile = (stateDir: string): string => join(stateDir, "credentials.json");

/** None of a file that others can read, that is a link, or that is broken: the problem says what to do. */
export function readKeptKeys(stateDir: string): Expected<ProviderKeys> {
  const path = keptKeysFile(stateDir);
  const refused = (why: string, cure: string): Expected<never> =>
    refuse(`The keys of \`toolwright login\` in ${path} are not used, because ${why}: ${cure}.`);
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const stats = fstatSync(file);
    if (!stats.isFile()) return refused("that is no file", "remove it");
    if (!isOurs(stats.uid)) return refused("it belongs to another user", "remove it");
    if (process.platform !== "win32" && (stats.mode & 0o077) !== 0)
      return refused(
        "others can read or change it",
        `chmod 600 ${shellQuoted(path)}, or remove it and log in again`,
      );
    if (stats.size > mostKeptKeys) return refused("it is too large", "remove it and log in again");
    const keys = keysIn(readFileSync(file, "utf8"));
    return keys ? { ok: true, value: keys } : refused("it is damaged", "remove it and log in again");
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { ok: true, value: {} };
    return code === "ELOOP"
      ? refused("it is a link", "remove it")
      : refused(`the system refuses it (${code})`, "make it readable for you, or remove it");
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/**
 * Replaces the file as a whole by what `change` makes of its keys, while no other program changes it; without keys there
 * is none. The keys that were there before.
 */
export async function changeKeptKeys(
  stateDir: string,
  change: (keys: ProviderKeys) => ProviderKeys,
): Promise<Expected<ProviderKeys>> {
  try {
    await makeDirectory(stateDir, 0o700);
  } catch (error) {
    return refuse(`${stateDir} cannot be made (${codeOf(error)}): choose another --state-dir.`);
  }
  const path = keptKeysFile(stateDir);
  return alone(path, async (): Promise<Expected<ProviderKeys>> => {
    const before = readKeptKeys(stateDir);
    if (!before.ok) return before;
    const keys = change(before.value);
    const isEmpty = Object.keys(keys).length === 0;
    const written = await (isEmpty ? removeKept(path) : saveJson(path, { keys }));
    return written.ok ? before : written;
  });
}

const isOurs = (uid: number): boolean => process.getuid === undefined || uid === process.getuid();

/** Only we write this file; still, every field is validated. */
function keysIn(text: string): ProviderKeys | undefined {
  const read = parseJson(text);
  const keys = read.ok && isObject(read.value) ? read.value["keys"] : undefined;
  if (!isObject(keys)) return undefined;
  const entries = Object.entries(keys).flatMap(([name, key]) =>
    typeof key === "string" ? [[name, key] as const] : [],
  );
  return entries.length === Object.keys(keys).length ? Object.fromEntries(entries) : undefined;
}
