/** What a program asks of other machines, where that is all that its words let out: a remote's name, or an address. */

import { isLiteral } from "../command-line/word.ts";
import { anyRemote, remoteName } from "../remote-names.ts";
import { gitEffects, subjectOf } from "./git/git.ts";
import { isServed, subcommand } from "./git/subcommands.ts";
import type { Use } from "./program.ts";

/** Names of git's remotes, addresses of the web. Undefined if more may reach other machines. */
export function requestsOf(use: Use): readonly string[] | undefined {
  if (use.name === "git") return remotesFetched(use);
  const silent = silentOptions.get(use.name);
  return silent && addressesRead(use, silent);
}

/**
 * They say how the answer is shown or kept, and how long is waited; all others may add something to the request, or take
 * a file's name from the answer.
 */
const silentOptions: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    "curl",
    new Set(
      ["s", "silent", "S", "show-error", "f", "fail", "i", "include", "I", "head", "L", "location"].concat(
        ["o", "output", "O", "remote-name", "compressed", "m", "max-time", "connect-timeout", "retry"],
        ["no-progress-meter"],
      ),
    ),
  ],
  // `-nv` is read as two letters.
  [
    "wget",
    new Set(
      ["q", "quiet", "n", "v", "no-verbose", "O", "output-document", "spider", "S", "server-response"].concat(
        ["t", "tries", "T", "timeout", "P", "directory-prefix"],
      ),
    ),
  ],
]);

/** What stands for several addresses, or hides the name under which the answer may be kept. */
const manyOrHidden = /[[\]{}]|%[^/?]*(?:\?|$)/u;

function addressesRead(
  { words, options, operands, variables }: Use,
  silent: ReadonlySet<string>,
): readonly string[] | undefined {
  const isPlain =
    variables.length === 0 &&
    operands.length > 0 &&
    words.every(isLiteral) &&
    options.every(({ name, value }) => silent.has(name) && value?.text.includes("#") !== true) &&
    operands.every(({ text }) => text.startsWith("https://") && !manyOrHidden.test(text));
  return isPlain ? operands.map(({ text }) => text) : undefined;
}

const reference = /^[A-Za-z\d][\w./-]*$/u;

/**
 * `ls-remote` only prints what a fetch would be told. What a pull does behind its fetch changes files, branches and
 * references here, which undo brings back, and runs no program that the repository's settings could name.
 */
const asking = new Set(["fetch", "ls-remote", "pull"]);

/** `-C .`: the directory in which the command runs. */
const leadsNowhere = ({ name, value }: Use["options"][number]): boolean =>
  name === "C" && value?.text === ".";

/**
 * Undefined for everything else that git may do. Options before the subcommand and variables say where git finds
 * settings.
 */
function remotesFetched(use: Use): string[] | undefined {
  if (use.name !== "git" || !use.options.every(leadsNowhere) || use.variables.length > 0) return undefined;
  const [verb] = use.operands;
  const row = verb && asking.has(verb.text) ? subcommand(verb.text) : undefined;
  if (!row || !use.words.every(isLiteral)) return undefined;
  const its = subjectOf(use, row);
  const [remote, ...references] = its.operands.map(({ text }) => text);
  const isPlain =
    isServed(row, "fetches", its) &&
    its.options.every(({ name, value }) => name !== "rebase" || value === undefined) &&
    (remote === undefined || (remoteName.test(remote) && !its.has("all"))) &&
    references.every((name) => reference.test(name)) &&
    // Of several branches at once a merge is a shell script.
    (verb?.text !== "pull" || references.length <= 1) &&
    [...gitEffects(use)].every((effect) => effect.type === "fetches" && effect.from === undefined);
  return isPlain ? [remote ?? anyRemote] : undefined;
}
