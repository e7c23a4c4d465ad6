/** The effects of ed, ex and vim commands: most of them edit, some run other programs or access files. */

import { isUnknown, type Word, withText } from "../../command-line/word.ts";
import { danger, interprets, loads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { edits, readsFiles, runsByOption, writes } from "../file-effect-makers.ts";
import { namesIn } from "../listed.ts";

type EditorScript = {
  code: Word;
  /** The option that supplied it, for messages: `-c`. */
  option: string;
  /** The lines of a script, possibly including inserted text, in ed's syntax. */
  isLines?: boolean;
};

export function editorCommands({ code, option, isLines = false }: EditorScript): Effect[] {
  if (isUnknown(code)) return [danger("high", "the editor's commands are only known when they run")];
  const commands = isLines ? withoutInserted(code.text.split("\n")) : code.text.split(/\n|(?<!\\)\|/u);
  return commands.slice(0, mostCommands).flatMap((command) => effectsOf(command, { code, option }));
}

const mostCommands = 2_000;

/** After `a`, `i` or `c` comes text, up to a line with a single dot. */
function withoutInserted(lines: readonly string[]): string[] {
  const commands: string[] = [];
  let isText = false;
  for (const line of lines) {
    if (isText) isText = line !== ".";
    else {
      commands.push(line);
      isText = /^[^a-zA-Z!/]*(?:a|i|c|append|insert|change)$/u.test(line);
    }
  }
  return commands;
}

type CommandOption = { code: Word; option: string };

const range = /^[\s:]*(?:[%.$,;+\-\d\s]|'[a-z<>]|\/[^/]*\/|\?[^?]*\?)*/iu;
const modifier =
  /^(?:sil(?:ent)?|noa(?:utocmd)?|keepp(?:atterns)?|keepj(?:umps)?|verb(?:ose)?|bufdo|windo|argdo|tabdo|g(?:lobal)?|v(?:global)?)$/u;

function effectsOf(command: string, given: CommandOption): Effect[] {
  let rest = command;
  for (let depth = 0; depth < 8; depth += 1) {
    rest = rest.replace(range, "");
    const [, verb = "", after = ""] = /^([a-zA-Z]+\d?|[^\sa-zA-Z]|$)!?(.*)$/su.exec(rest) ?? [];
    if (!modifier.test(verb)) return verbEffects(rest.startsWith("!") ? "!" : verb, after, given);
    rest = /^[gv]/u.test(verb) ? behindPattern(after) : after;
  }
  return [danger("high", `its option ${given.option} runs commands of the editor`)];
}

/** `g/pattern/command`. */
function behindPattern(text: string): string {
  const [sign = ""] = text;
  const end = sign === "" ? -1 : text.indexOf(sign, 1);
  return end < 0 ? "" : text.slice(end + 1);
}

const harmless = new Set(
  namesIn(`se set setl setlocal setg noh nohl nohlsearch syn syntax filetype colo colorscheme hi
    highlight q quit qa qall cq cquit wa wall xa xall wqa wqall d de del delete y ya yank m mo move t co
    copy k ma mark j jo join p pr print nu number l list z u un undo red redo ret retab sor sort left
    right ce center h he help ve ver version ls buffers b bu buffer bn bp bd bdelete bw close clo on
    only sp split vs vsplit wincmd a append i insert c change n P H Q E s sno smagic fo fold mks
    diffthis diffoff redr redraw pw pwd file f cd lcd packloadall startinsert star stopinsert ha
    hardcopy let unl unlet if endif el else for endfor ec echo echom echomsg call cal nn nnoremap no
    noremap ino inoremap vn vnoremap map nmap imap abc ab iab checkhealth chec Man Explore Ex TOhtml
    digraphs messages mes`),
);

const calls =
  /\b(?:system|systemlist|job_?start|term_start|termopen|libcall\w*|writefile|delete|rename|mkdir|setfperm|\w*eval|feedkeys|execute|chansend|timer_start)\s*\(|\\=|vim\.|os\.|io\./u;

function verbEffects(verb: string, after: string, { code, option }: CommandOption): Effect[] {
  const words = after.trim();
  const shell = (text: string): Effect[] => runsByOption(option, withText(code, text));
  const path = withText(code, words.replace(/^>>\s*/u, ""));
  if (verb === "!") return shell(after);
  if (/^(?:r|re|rea|read|w|wr|wri|write|wq|e|ed|edit)$/u.test(verb) && words.startsWith("!"))
    return shell(words.slice(1));
  if (/^(?:r|re|rea|read)$/u.test(verb)) return readsFiles([path]);
  if (/^(?:w|wr|wri|write|W|wq|x|xi|xit|exi|exit|up|update|sav|saveas)$/u.test(verb))
    return writes([path], "replaces");
  if (/^(?:e|ed|edit|vi|visual|tabe|tabnew|new|next|bad|badd|ar|args?)$/u.test(verb)) return edits([path]);
  if (/^(?:so|source|ru|runtime|luaf|luafile|pyf|pyfile|py3f|py3file|rubyf|rubyfile|packadd|pa)$/u.test(verb))
    return [loads(path)];
  if (/^(?:norm|normal)$/u.test(verb)) return /[:!@]/u.test(words) ? [codeOf(option)] : [];
  if (/^(?:py|python|py3|python3|pyx)$/u.test(verb)) return [codeOf(option), interprets("python", path)];
  if (/^(?:Plug|Packer|Lazy|Mason|TS|Coc|Dein|GoInstall)\w*$/u.test(verb))
    return [danger("medium", "it installs plugins of the editor")];
  if (
    verb === "s" ||
    verb === "" ||
    !/^[a-zA-Z]/u.test(verb) ||
    harmless.has(verb) ||
    /^s(?=[^a-zA-Z])/u.test(verb)
  )
    return calls.test(words) ? [codeOf(option)] : [];
  return [codeOf(option)];
}

const codeOf = (option: string): Effect => danger("high", `its option ${option} runs code of the editor`);
