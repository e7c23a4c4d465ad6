/** What `src/safety/commands/code/calls.yaml` says of a language: lists of names, with blanks between them. */

import * as z from "zod/mini";

const names = z.optional(z.string());

const languageRow = z.strictObject({
  /** Names for the entire environment. */
  environment: names,
  /** Objects through which code can call a function by its name as text: `globals()`, `process`. */
  namespaces: names,
  /** Modules whose purpose is to start programs or to call native code. */
  starting: names,
  /** Prefixes that do not change a name's meaning: `globalThis.`. */
  transparent: names,
  /**
   * Modules whose calls are told here. Any other may write files by itself, as every library of databases does, or
   * belong to the workspace: code that loads it does not only read, whatever else it says.
   */
  modules: z.string(),
  /** For each thing that is done, the names of the calls that do it, in a language whose calls are read. */
  calls: z.optional(z.record(z.string(), z.string())),
});

export const languageRows = z.record(z.enum(["python", "javascript", "perl", "ruby", "php"]), languageRow);

export type LanguageRows = z.infer<typeof languageRows>;
