/** Commands of Tcl, whose words stand bare, as in a shell. */

import { type Word, withText } from "../../command-line/word.ts";
import { interprets, loads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { deletes, writes } from "../file-effect-makers.ts";

const command =
  /(?:^|[;\n[{])[\t ]*(exec|spawn|open|source|file[\t ]+(?:delete|rename|copy))[\t ]+([^\n;\]]+)/gu;
const mostCommands = 20;

export const tclEffects = (word: Word): Effect[] =>
  [...word.text.matchAll(command)].slice(0, mostCommands).flatMap(([, name = "", rest = ""]) => {
    const words = bareWords(rest).map((text) => withText(word, text));
    const last = words.slice(-1);
    switch (name.split(/\s+/u).at(-1)) {
      case "exec":
      case "spawn":
        return [interprets("shell", withText(word, words.map(({ text }) => text).join(" ")))];
      case "open":
        return opens(word, words);
      case "source":
        return last.map((path) => loads(path));
      case "delete":
        return deletes(words, true);
      default:
        return writes(last, "replaces");
    }
  });

/** `open "|command" r`, `open name w`. */
function opens(word: Word, [path, mode]: readonly Word[]): Effect[] {
  if (path?.text.startsWith("|")) return [interprets("shell", withText(word, path.text.slice(1)))];
  return path && /^[wa]/u.test(mode?.text ?? "") ? writes([path], "edits") : [];
}

/** Words without their quotes, and without the options in front of them. */
function bareWords(text: string): string[] {
  const words = [...text.matchAll(/"([^"]*)"|\{([^}]*)\}|([^\s"{}]+)/gu)].map(
    ([, quoted, braced, plain]) => quoted ?? braced ?? plain ?? "",
  );
  const start = words.findIndex((each) => !each.startsWith("-"));
  return start < 0 ? [] : words.slice(start);
}
