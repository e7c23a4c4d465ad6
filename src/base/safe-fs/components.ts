/** Splits a path within a tree into names from the root down; refuses everything that could mean another place. */

import { isAbsolute } from "node:path";
import { fileBounds } from "../bounds.ts";
import { FileError } from "./problems.ts";

/** The names on the way to `path`; empty for the root ("."). Throws FileError. */
export function componentsOf(path: string, platform: NodeJS.Platform = process.platform): string[] {
  if (path === ".") return [];
  const oddity = oddityOf(path) ?? (platform === "win32" ? oddityOnWindows(path) : undefined);
  if (oddity !== undefined)
    throw new FileError("EINVAL", `The path ${quotedPath(path)} was refused: ${oddity}`);
  return path.split("/");
}

/** The path for messages, quoted and shortened, as it may be long or hold anything. */
const quotedPath = (path: string): string =>
  JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);

/** Every level of a path costs a system call in every step of a change. */
const deepest = fileBounds.pathLevels.most;

function oddityOf(path: string): string | undefined {
  if (path === "") return "it is empty";
  if (path.includes("\0")) return "it holds a NUL character";
  if (!path.isWellFormed()) return "it holds half of a character";
  if (path.startsWith("/") || isAbsolute(path)) return "it is not relative to the workspace";
  const names = path.split("/");
  if (names.length > deepest) return `it has ${names.length} levels, more than ${deepest}`;
  if (names.includes("..")) return 'it holds ".."';
  if (names.includes("") || names.includes(".")) return "a part of it is empty";
  return undefined;
}

const devices = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?$/i;

/** On Windows some names are devices or streams, and some endings are dropped. */
function oddityOnWindows(path: string): string | undefined {
  for (const name of path.split("/")) {
    if (name.includes(":")) return 'it names a drive or a stream (":")';
    if (name.includes("\\")) return "it holds a backslash";
    if (/[. ]$/.test(name)) return "a part of it ends in a dot or a space";
    if (devices.test(name.replace(/ +(?=\.|$)/, ""))) return `${name} is the name of a device`;
  }
  return undefined;
}
