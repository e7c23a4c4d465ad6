/** Many files that get one content or one name: what each of them held is lost. */

import type { Effect } from "../dangers/effect.ts";
import { anyName } from "../dangers/file-effect-makers.ts";
import type { Finding } from "../judgement.ts";
import type { Draft } from "./draft.ts";
import { absolutePath } from "./shell.ts";
import { isLiteral, isUnknown, type Word } from "./word.ts";

export const emptiesMany = {
  severity: "high",
  because: "it overwrites many files with the same text",
} as const;
const namesAlike: Finding = { severity: "high", because: "it gives many files the same name" };

type FileMade = { path: string; how: Extract<Effect, { type: "writes" }>["how"]; content?: Word | undefined };

/** What is lost by files that a program makes, or that its output is redirected to. */
export function overwritingFinding(made: readonly FileMade[], draft: Draft): Finding | undefined {
  const { listed } = draft.walk.shell;
  // What is also written below it may be a directory.
  const files = made.filter(({ path }) => !made.some((other) => other.path.startsWith(`${path}/`)));
  if (made.some((one) => listed.has(one.path) && isEmptied(one, draft))) return emptiesMany;
  if (files.some((one) => listed.has(one.path) && isAlike(one, draft))) return emptiesMany;
  const isOneName = ({ path, how }: FileMade): boolean => how === "replaces" && !/[*?[\0]/u.test(path);
  return draft.movesMany && files.some(isOneName) ? namesAlike : undefined;
}

const isEmptied = ({ content }: FileMade, { flows, sources }: Draft): boolean =>
  flows.has("endless") || content?.text === "" || sources.some((source) => source?.text?.text === "");

function isAlike({ path, how }: FileMade, draft: Draft): boolean {
  // Files of one known name are meant to be alike.
  const isNamed = !/[*?[][^/]*$/u.test(path) && !path.endsWith(`/**/${anyName}`);
  return how === "replaces" && !isNamed && !draft.opened.has(path) && !isOfEach(path, draft);
}

/** Whether something of what it writes there may be different for each file. */
function isOfEach(path: string, { words, walk, sources }: Draft): boolean {
  const { input, shell } = walk;
  const isOther = (word: Word): boolean =>
    !isLiteral(word) && absolutePath(word.text.replace(/^[\w-]*=/u, ""), shell.directory) !== path;
  return (
    words.some(isOther) ||
    sources.some((source) => source !== undefined && source.text === undefined) ||
    (input.isGiven && (input.text === undefined || isUnknown(input.text)))
  );
}
