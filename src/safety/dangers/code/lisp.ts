/** Calls in Lisp dialects, whose names may contain characters that end a name in other languages. */

import { type Word, withText } from "../../command-line/word.ts";
import { danger, interprets } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";

const starting =
  /\((?:[\w+/.-]+::?)?(?:run-program|launch-program|run-shell-command|shell-command(?:-to-string)?|process-(?:run|execute|create|spawn)|call-process(?:-region)?|(?:make|start)-process|open-pipe\*?|open-(?:input|output)-pipe|system\*|process\*(?:\/ports)?|sh-exec|sys-system)(?![\w-])/giu;
/** Clojure's `(shell/sh "ls")`, Babashka's `(shell "ls -l")`. */
const startingByText = /\((?:[\w.-]+[:/])?(?:sh|shell|system|execute|call)(?=\s+")/gu;
const deleting =
  /\((?:[\w+/.-]+::?)?(?:delete-file(?:\*|-recursively)?|delete-directory(?:-tree|\/files)?|file-delete)(?![\w-])/giu;

export function lispEffects(word: Word): Effect[] {
  const code = word.text.replaceAll(/\(\s+/gu, "(");
  const started = [...textsAfter(code, starting), ...textsAfter(code, startingByText)];
  const deleted = textsAfter(code, deleting);
  return [
    ...(started.length > 0 ? [danger("high", "its code starts programs")] : []),
    ...started.map((text) => interprets("shell", withText(word, text))),
    ...(deleted.length > 0 ? [danger("high", "its code deletes files")] : []),
    ...deleted.map((text): Effect => ({ type: "deletes", path: withText(word, text), deep: true })),
  ].filter((effect) => !(effect.type === "deletes" && effect.path.text === ""));
}

const mostCalls = 20;
const given = /^(?:[\s'()]|list\b|nil\b|-?\d+|:[\w-]+|"((?:[^"\\]|\\.)*)")/u;

/** For each call the texts among its arguments, as the words of a command: `(run-program "rm" (list "-rf" "x"))`. */
function textsAfter(code: string, call: RegExp): string[] {
  return [...code.matchAll(call)].slice(0, mostCalls).map(({ index, 0: name }) => {
    const texts: string[] = [];
    let rest = code.slice(index + name.length, index + name.length + 1_000);
    for (let found = given.exec(rest); found; found = given.exec(rest)) {
      if (found[1] !== undefined) texts.push(found[1].replaceAll(/\\(.)/gsu, "$1"));
      rest = rest.slice(found[0].length);
    }
    return texts.join(" ");
  });
}
