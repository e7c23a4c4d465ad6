/** Detects a request for help, and which command it is about. */

import { type Expected, refuse } from "../../base/expected.ts";
import { type CommandName, commands } from "./commands.ts";
import { didYouMean } from "./nearest.ts";

/** The subject of the help: a command, what is used most, or everything. */
export type HelpSubject = CommandName | "overview" | "everything";

/** What people write for everything. */
const allWords: readonly (string | undefined)[] = ["all", "options"];

/**
 * `undefined` if no help is requested. `isFlag`: by --help; otherwise by `help COMMAND`, which takes no further words,
 * because "help me with this" is for the model.
 */
export function helpAsked(words: readonly string[], isFlag: boolean): Expected<HelpSubject> | undefined {
  const isWord = words[0] === "help";
  if (!isFlag && !(isWord && words.length <= 2)) return undefined;
  const [name, ...more] = isWord ? words.slice(1) : words;
  const known = commands.find((command) => command.name === name);
  if (known) return { ok: true, value: known.name };
  if (name === undefined) return { ok: true, value: "overview" };
  if (allWords.includes(name) && more.length === 0) return { ok: true, value: "everything" };
  const hint = didYouMean(
    name,
    commands.map((command) => command.name),
  );
  const isRequest = isFlag && !isWord && hint === "" && (more.length > 0 || /\s/u.test(name));
  if (isRequest) return { ok: true, value: "overview" };
  const otherwise = isFlag ? "" : `; to say it to the model: toolwright -- ${words.join(" ")}`;
  return refuse(
    `There is no command ${JSON.stringify(name)}${hint}: toolwright --help lists them${otherwise}`,
  );
}
