/** Which git commands the sandbox's git profile can serve: literal words, this repository, nothing that runs code. */

import { isLiteral, unknown } from "../../command-line/word.ts";
import type { Variable } from "../effect.ts";
import { namesIn } from "../parts.ts";
import type { Use } from "../program.ts";
import { directoryOf, gitEffects, optionEffects, subjectOf } from "./git.ts";
import { isServed, subcommand } from "./subcommands.ts";

/** Options before the subcommand that affect only name matching or output. */
const plainOptions = new Set(
  namesIn(`C c p paginate P no-pager no-optional-locks no-replace-objects no-lazy-fetch literal-pathspecs
      glob-pathspecs noglob-pathspecs icase-pathspecs no-advice version v html-path man-path info-path
      exec-path`),
);

/** Effects that the profile cannot contain or serve. */
const executing: ReadonlySet<string> = new Set(
  namesIn("runs interprets interprets-input loads sends fetches"),
);

export const isPlainGit = (use: Use): boolean => use.words.every(isLiteral) && isLocal(use);

/** Judges the known words; an unknown word cannot be a subcommand. */
function isLocal(use: Use): boolean {
  if (use.name !== "git" || !use.variables.every(isPlainVariable)) return false;
  if (!use.options.every(({ name }) => plainOptions.has(name)) || [...optionEffects(use)].length > 0)
    return false;
  const [verb] = use.operands;
  if (!isInside(use)) return false;
  if (!verb) return true;
  const row = subcommand(verb.text);
  if (!row || !isServed(row, "local", subjectOf(use, row))) return false;
  return [...gitEffects(use)].every(({ type }) => !executing.has(type));
}

/** Whether `-C` stays inside the workspace. */
function isInside(use: Use): boolean {
  const directory = directoryOf(use)?.text;
  if (directory === undefined) return true;
  if (directory.includes(unknown)) return false;
  const { workspace } = use.around;
  const path = directory.startsWith(`${workspace}/`) ? directory.slice(workspace.length + 1) : directory;
  if (directory === workspace) return true;
  return !/^[/~]/u.test(path) && !path.split("/").some((name) => name === ".." || /^\.git\b/iu.test(name));
}

const plainNames =
  /^(?:LC_[A-Z]+|LANG|TZ|NO_COLOR|TERM|GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)|GIT_TERMINAL_PROMPT|GIT_MERGE_AUTOEDIT|GIT_OPTIONAL_LOCKS)$/u;
const programNames = /^(?:GIT_PAGER|PAGER|GIT_EDITOR|GIT_SEQUENCE_EDITOR|EDITOR|VISUAL)$/u;

/** What takes no commands from its input, as every editor does. */
const silent = /^(?:|:|true|false|cat)$/u;

const isPlainVariable = ({ name, value }: Variable): boolean =>
  isLiteral(value) && (plainNames.test(name) || (programNames.test(name) && silent.test(value.text)));

/** Whether it only reads: commits, files, the repository's state. */
export const isReadingGit = (use: Use): boolean => use.words.every(isLiteral) && looksOnly(use);

/**
 * Whether it needs the open profile. A command that only reads does not, even if some words are known only at run time:
 * it never writes to `.git`.
 */
export const needsOpenGit = (use: Use): boolean => !isPlainGit(use) && !looksOnly(use);

function looksOnly(use: Use): boolean {
  if (!isLocal(use)) return false;
  const row = subcommand(use.operands[0]?.text ?? "");
  return use.operands.length === 0 || (row !== undefined && isServed(row, "reads", subjectOf(use, row)));
}
