/** Calls in Lisp dialects, whose names may contain characters that end a name in other languages. */

import type { Word } from "../../command-line/word.ts";
import { danger } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";

const starting =
  /\((?:[\w+/.-]+::?)?(?:run-program|launch-program|run-shell-command|shell-command(?:-to-string)?|process-(?:run|execute|create|spawn)|call-process(?:-region)?|(?:make|start)-process|open-pipe\*?|open-(?:input|output)-pipe|system\*|process\*(?:\/ports)?|sh-exec)(?![\w-])/iu;
/** Clojure's `(shell/sh "ls")`, Babashka's `(shell "ls -l")`. */
const startingByText = /\((?:[\w.-]+\/)?(?:sh|shell)\s+"/u;
const deleting =
  /\((?:[\w+/.-]+::?)?(?:delete-file(?:\*|-recursively)?|delete-directory(?:-tree|\/files)?|file-delete)(?![\w-])/iu;

export function lispEffects({ text }: Word): Effect[] {
  const code = text.replaceAll(/\(\s+/gu, "(");
  return [
    ...(starting.test(code) || startingByText.test(code) ? [danger("high", "its code starts programs")] : []),
    ...(deleting.test(code) ? [danger("high", "its code deletes files")] : []),
  ];
}
