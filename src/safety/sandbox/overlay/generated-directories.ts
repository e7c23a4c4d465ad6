/** Recognises directories whose contents come from installing or building and can be regenerated. */

import { skippedDirectories } from "../protected-places.ts";
import { asText, type BytePath } from "./byte-path.ts";

const names: ReadonlySet<string> = new Set([
  ...skippedDirectories,
  "bower_components",
  "venv",
  "target",
  ".cache",
  ".parcel-cache",
  ".svelte-kit",
  ".nuxt",
  ".angular",
  ".eggs",
  ".dart_tool",
  "__pypackages__",
]);

/** Marker files by which tools identify such directories: bford.info/cachedir, and Python's virtual environments. */
const marks: readonly string[] = ["CACHEDIR.TAG", "pyvenv.cfg"];

export const isGeneratedName = (name: BytePath): boolean => names.has(asText(name) ?? "");

export const isMark = (name: BytePath): boolean => marks.includes(name);
