/** Which remotes of its repository a git command fetches from, if it reaches nothing else. */

import { isLiteral } from "../../command-line/word.ts";
import { anyRemote, remoteName } from "../../remote-names.ts";
import type { Use } from "../program.ts";
import { gitEffects, subjectOf } from "./git.ts";
import { subcommands } from "./subcommands.ts";

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
export function remotesFetched(use: Use): string[] | undefined {
  if (use.name !== "git" || !use.options.every(leadsNowhere) || use.variables.length > 0) return undefined;
  const [verb] = use.operands;
  const known = asking.has(verb?.text ?? "") ? subcommands().get(verb?.text ?? "") : undefined;
  if (!known || !use.words.every(isLiteral)) return undefined;
  const its = subjectOf(use, known.row);
  const [remote, ...references] = its.operands.map(({ text }) => text);
  const isPlain =
    known.isFetching(its) &&
    its.options.every(({ name, value }) => name !== "rebase" || value === undefined) &&
    (remote === undefined || (remoteName.test(remote) && !its.has("all"))) &&
    references.every((name) => reference.test(name)) &&
    // Of several branches at once a merge is a shell script.
    (verb?.text !== "pull" || references.length <= 1) &&
    [...gitEffects(use)].every((effect) => effect.type === "fetches" && effect.from === undefined);
  return isPlain ? [remote ?? anyRemote] : undefined;
}
