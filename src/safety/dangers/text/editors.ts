/** What editors are told before a person types: commands that edit the open file, run programs, or name files. */

import { isUnknown, type Word, withText } from "../../command-line/word.ts";
import { danger, interprets, loads, reads, replaces } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { filters } from "../file-effect-makers.ts";
import { installsExtension } from "../packages/installing.ts";
import type { WordsDo } from "../program.ts";

export const editors: Readonly<Record<string, WordsDo>> = {
  "installs an extension": (words) => words.map(installsExtension),
  /** The words are files, or commands behind a plus; ex and ed take commands from their input, too. */
  "opens with commands": (words, use) => {
    const isLined =
      /^e[dx]/u.test(use.name) || use.words.some(({ text }) => /^-(?!c)[a-zA-Z]*[eE][a-zA-Z]*$/u.test(text));
    const files = words.filter(({ text }) => !text.startsWith("+"));
    const plus = words.filter(({ text }) => /^\+[^\d/?]/u.test(text));
    const codes = [...use.values("c", "cmd"), ...plus.map((word) => withText(word, word.text.slice(1)))];
    const { text: lines, isGiven } = isLined ? use.input : { text: undefined, isGiven: false };
    const first = (codes[0] ?? lines)?.text ?? "";
    return [
      ...codes.flatMap((code) => editorCommands(code, code.text.split(/\n|(?<!\\)\|/u))),
      ...(lines ? editorCommands(lines, withoutInserted(lines.text)) : []),
      ...(isGiven && !lines ? [{ type: "interprets-input", language: "other" } as const] : []),
      ...(use.has("R", "M", "Z") || use.name.endsWith("view") ? reads(files) : filters(files, first, false)),
    ];
  },
};

/** After `a`, `i` or `c` comes text, up to a line with a single dot. */
const withoutInserted = (text: string): string[] =>
  text
    .replaceAll(/^([^a-zA-Z!/\n]*(?:a|i|c|append|insert|change))\n(?:(?!\.$).*\n?)*/gmu, "$1\n")
    .split("\n");

const mostCommands = 2_000;

const editorCommands = (code: Word, commands: readonly string[]): Effect[] =>
  isUnknown(code)
    ? [danger("high", "the editor's commands are only known when they run")]
    : commands.length > mostCommands
      ? [danger("high", "the editor is given more commands than can be looked at")]
      : commands.flatMap((command) => commandEffects(command, code));

/** Ranges, and what only says how the command behind it is carried out: `silent`, `g/pattern/`. */
const before =
  /^(?:[\s:%.$,;+\-\d]|'[a-z<>]|\/[^/]*\/|\?[^?]*\?|(?:silent|sil|noautocmd|noa|keep\w+|verbose|bufdo|windo|argdo|tabdo)\b!?|(?:g|global|v|vglobal)!?\/[^/]*\/)*/iu;
const harmless =
  /^(?:$|[^a-zA-Z!]|s(?![a-zA-Z])|(?:set?|setl\w*|noh\w*|syn\w*|filetype|colo\w*|hi\w*|q|qa|qall|quit|cq\w*|w|wa|wq|wqa|wqall|x|xa|xall|up\w*|d|de\w*|y|yank|m|move|t|co|copy|k|mark?|j|join|p|print|nu\w*|l|ls|list|z|u|undo|red\w*|ret\w*|sort?|left|right|center|h|help|version|b\w*|clo\w*|only?|sp\w*|vs\w*|wincmd|a|append|i|insert|c|change|n|next|P|H|Q|E|fo\w*|mks\w*|diff\w*|pwd?|f|file|cd|lcd|star\w*|stop\w*|let|unlet?|if|endif|else|for|end\w*|echo\w*|call?|\w*map|\w*abb?\w*|\w*noremap|nn|no|checkhealth|messages)\b)/u;
const runsCode =
  /\b(?:system\w*|job_?start|term\w+|libcall\w*|writefile|delete|rename|mkdir|setfperm|\w*eval|feedkeys|execute|chansend|timer_start)\s*\(|\\=|vim\.|os\.|io\./u;
const code = danger("high", "it runs code of the editor");

function commandEffects(command: string, whole: Word): Effect[] {
  const text = command.replace(before, "");
  const [, shell] = /^(?:(?:r|read?|w|write|wq|e|edit?)\s+)?!(.*)$/su.exec(text) ?? [];
  if (shell !== undefined)
    return [danger("high", "it runs a command"), interprets("shell", withText(whole, shell))];
  const [, verb = "", path = ""] = /^([a-zA-Z]+)!?\s+(?:>>\s*)?(\S.*)$/su.exec(text) ?? [];
  const file = withText(whole, path.trim());
  if (/^(?:r|rea?d?)$/u.test(verb)) return reads([file]);
  if (/^(?:w|W|wr\w*|wq|x|xit?|exit?|up\w*|sav\w*|e|ed|edit|vi\w*|tab\w*|new|bad\w*|args?)$/u.test(verb))
    return replaces([file]);
  if (/^(?:so\w*|ru\w*|lua\w*|py\w*|ruby\w*|pa\w*)$/u.test(verb)) return [loads(file), code];
  return harmless.test(text) && !runsCode.test(text) ? [] : [code];
}
