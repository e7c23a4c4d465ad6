/** What a sed script does besides editing its input: commands it runs, files it reads and writes. */

import { unknownWord, withText, type Word } from "../../command-line/word.ts";
import { danger, interprets } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";

/** Up to the delimiter `mark`, which ends nothing in a bracket set. */
const upTo = (mark: string, sets = true): string =>
  `(?:\\\\[^]|${sets ? `\\[\\^?\\]?(?:\\[[:.=][^\\]\\n]*\\]|[^\\]\\n]){0,300}\\]|` : ""}(?!\\k<${mark}>)[^\\\\])*?\\k<${mark}>`;

/** `1`, `$`, `/x/I`, `\,x,`, `first~step`; an unknown part counts as a number. */
const address = (mark: string): string =>
  `(?:[+~]?[\\d\\0]+(?:~[\\d\\0]+)?|\\$|(?:\\\\(?!/)(?<${mark}>[^\\n\\\\])|\\\\?(?<${mark}>/))${upTo(mark)}[IM]*)`;

const command = new RegExp(
  `[\\s;{}]*(?:$|(?:${address("first")}(?:\\s*,\\s*${address("second")})?)?[\\s!]*(?:` +
    [
      `s(?<mark>[^\\n\\\\])${upTo("mark")}${upTo("mark", false)}(?<flags>[gpiImMe\\d]*)(?:w(?<copied>[^\\n]*))?(?=$|[\\s;}#])`,
      `y(?<from>[^\\n\\\\])${upTo("from", false)}${upTo("from", false)}`,
      "#[^\\n]*|[aic](?:\\\\[^]?|[^\\n\\\\])*|[:btTv][^;\\n}]*",
      "[rR](?<read>[^\\n]*)|[wW](?<written>[^\\n]*)|e(?<run>[^\\n]*)",
      "[{=dDhHgGnNpPxzFlLqQ][ \\t]*\\d*",
    ].join("|") +
    "))",
  "uy",
);

/** Never throws. A script that cannot be read is dangerous. */
export function sedEffects(code: Word): Effect[] {
  const effects: Effect[] = [];
  command.lastIndex = 0;
  while (command.lastIndex < code.text.length) {
    const groups = command.exec(code.text)?.groups;
    if (!groups) return [...effects, danger("high", "its script cannot be read")];
    const { flags = "", copied, written = copied, read, run = flags.includes("e") ? "" : undefined } = groups;
    const word = (text: string): Word => withText({ ...code, isPattern: false }, text.trim());
    if (run !== undefined)
      effects.push(
        danger("high", "its script runs a command"),
        interprets("shell", run.trim() === "" ? unknownWord() : word(run)),
      );
    if (isFile(read)) effects.push({ type: "reads", path: word(read) });
    if (isFile(written)) effects.push({ type: "writes", path: word(written), how: "replaces" });
  }
  return effects;
}

const isFile = (text: string | undefined): text is string =>
  text !== undefined && !/^\s*(?:\/dev\/std(?:in|out|err)\s*)?$/u.test(text);
