/** Places in a workspace that no tool may change, whatever the mode or rule says. */
import { posix } from "node:path";

/** Directories whose contents decide what runs later (C2). Reading them is allowed. */
const protectedDirectories = new Set([".git", ".husky", "node_modules"]);

/** The protected directory that a path lies in, or undefined. `path` is workspace-relative. */
export function protectedPlace(path: string): string | undefined {
  const parts = posix.normalize(path.replaceAll("\\", "/")).split("/").map(canonicalName);
  return parts.find((part) => protectedDirectories.has(part));
}

/**
 * One spelling for every name that some file system takes for the same file: `.GIT`, `.git.`, `.git `,
 * `.git::$INDEX_ALLOCATION`, `GIT~1` and names with ignorable characters are all `.git`.
 */
function canonicalName(name: string): string {
  const plain = name
    .normalize("NFC")
    .replace(/[\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/gu, "")
    .replace(/:.*$/u, "")
    .replace(/[. ]+$/u, "")
    .toUpperCase() // also what has no lower case of its own: "ſ" is "S"
    .toLowerCase();
  return shortNames[plain] ?? plain;
}

/** As Windows shortens them. */
const shortNames: Readonly<Record<string, string>> = {
  "git~1": ".git",
  "husky~1": ".husky",
  "node_m~1": "node_modules",
};
