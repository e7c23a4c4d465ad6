/**
 * Code in languages of which only the words are known that many share (Lua, R, Julia, Lisp, Tcl, Scala …): the texts
 * beside a word that starts, deletes, writes or loads are judged.
 */

import { isUnknown, unknownWord, type Word, withText } from "../../command-line/word.ts";
import { danger, doesMore, interprets, loads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { isSecretName } from "./environment.ts";
import { conclude, newNotes, noteFlows, type Notes } from "./notes.ts";
import { runsShell } from "./running.ts";

const mostCalls = 40;

export function otherEffects(code: Word): Effect[] {
  const text = withHome(code.text);
  const notes = newNotes();
  noteFlows(notes, code.carries);
  notes.effects.push(doesMore);
  noteWords(text, notes);
  for (const { words, does } of doings)
    for (const found of [...text.matchAll(words)].slice(0, mostCalls)) {
      const given = found[1] === undefined ? textsBehind(text, found) : [found[1]];
      does(
        given.map((each) => withText(code, each)),
        notes,
        text,
      );
    }
  for (const [, address = ""] of text.matchAll(/["']((?:https?|ftp):\/\/[^"']+)/gu)) {
    notes.facts.add("fetches");
    notes.hosts.push(withText(code, address));
    notes.effects.push({ type: "fetches", from: withText(code, address) });
  }
  return conclude(notes, text);
}

/** With the home directory as text, and with texts that are joined as one. */
const withHome = (text: string): string =>
  text
    .replaceAll(
      /(?:os\.getenv|Sys\.getenv|System\.getenv|getenv)\(\s*["']HOME["']\s*\)|\bhomedir\(\)|System\.user_home!?\(\)|\$env\(HOME\)|ENV\["HOME"\]/gu,
      '"~"',
    )
    .replaceAll(/["']\s*(?:\.\.|\+|<>|\*)\s*["']/gu, "")
    .replaceAll(/"~"\s*,\s*["']\/?/gu, '"~/');

const signs: readonly (readonly [RegExp, (notes: Notes) => unknown])[] = [
  [/\bfork\b/u, ({ facts }) => facts.add("forks")],
  [/\b(?:socket\w*|gen_tcp|TcpStream)\b/u, ({ facts }) => facts.add("socket")],
  [
    /base64|decode64|rawToChar|intToUtf8|string\.(?:char|reverse)|\.reverse\b/iu,
    ({ facts }) => facts.add("decodes"),
  ],
  [/\b(?:sys\.process|sh-exec)\b/u, ({ facts }) => facts.add("starts")],
  [
    /\bremoveItem\b/u,
    ({ effects }) => effects.push(danger("high", "its code deletes files that only the run tells")),
  ],
  [
    /\b(?:package\.loadlib|ffi\.\w+|ccall|dyn\.load)\b/u,
    ({ effects }) => effects.push(danger("high", "its code acts on processes or on machine code")),
  ],
  [
    /\b(?:install\.packages|install_github|Pkg\.add|Mix\.install)\b/u,
    ({ effects }) =>
      effects.push(
        { type: "fetches", from: undefined, registry: true },
        danger("medium", "it installs packages, which run code of their own"),
      ),
  ],
];

function noteWords(text: string, notes: Notes): void {
  for (const [words, note] of signs) if (words.test(text)) note(notes);
  for (const [, name = "secret"] of text.matchAll(
    /(?:\b(?:get|fetch_)?env|\bENV|\$env)\b[\s([{]+["']?(\w+)?/giu,
  ))
    if (isSecretName(name)) notes.facts.add("secret");
}

/** As a whole name, perhaps with its module in front: `uiop:run-program`, `System.cmd`. */
const verb = (names: string): RegExp => new RegExp(`(?<![\\w"'-])(?:${names})(?=[\\s("'\`{!]|$)`, "giu");

const texted = `"((?:[^"\\\\\\n]|\\\\.){1,500})"\\)?\\s?`;

/** `text`: the whole code. */
type Doing = (words: readonly Word[], notes: Notes, text: string) => void;

const starts: Doing = (words, notes) => {
  const text = words.map((word) => word.text.replace(/^\|/u, "")).join(" ");
  runsShell(notes, text === "" ? unknownWord() : withText(words[0] ?? unknownWord(), text));
};

const deeply = /recursive|rm_rf|\brm -\w*r|_all\b|dir|tree|force/iu;

const deletes: Doing = (words, { effects }, text) => {
  const deep = deeply.test(text);
  effects.push(...words.map((path): Effect => ({ type: "deletes", path, deep })));
};

const isPath = ({ text }: Word): boolean =>
  /^(?:[~/.]|[\w-]+(?:\/|\.\w{1,5}$))/u.test(text) && !text.includes(" ");

const writes: Doing = (words, { effects }) =>
  void effects.push(...words.filter(isPath).map((path): Effect => ({ type: "writes", path, how: "edits" })));

const reads: Doing = (words, notes) => {
  const paths = words.filter(isPath);
  notes.filesRead.push(...paths);
  notes.effects.push(...paths.map((path): Effect => ({ type: "reads", path })));
};

/** `open "|command"`; a mode is a text of its own. */
const opens: Doing = ([path, ...modes], notes, text) => {
  if (!path) return;
  const isWritten = modes.some((mode) => /^(?:[wa]|r\+|:?output|:?append)/u.test(mode.text));
  const does = path.text.startsWith("|") ? starts : isWritten ? writes : reads;
  does([path], notes, text);
};

const evaluates: Doing = ([code], notes) => {
  if (code && !isUnknown(code) && !/^https?:/u.test(code.text)) notes.effects.push(interprets("other", code));
  else notes.facts.add("evaluates");
};

const loadsFiles: Doing = (words, { effects }) => {
  for (const path of words)
    effects.push(
      /^https?:/u.test(path.text) ? danger("critical", "its code runs text from the network") : loads(path),
    );
};

const doings: readonly { words: RegExp; does: Doing }[] = [
  {
    words: verb(
      "execute|popen|system2?\\*?|spawn|exec|shell(?:_cmd|-command(?:-to-string)?)?|sh|cmd|dos|unix|run|pipeline|" +
        "readchomp|Process(?:Builder)?|Command(?:\\.new)?|Process\\.run|Port\\.open|(?:run|launch)-(?:shell-)?(?:program|command)|" +
        "process\\*?(?:-(?:run|execute|create|spawn))?(?:/ports)?|call-process(?:-region)?|(?:make|start)-process|" +
        "open-(?:input-|output-)?pipe\\*?|sys-system|do shell script|execShellCmd|e?syscmd|exec\\.Command",
    ),
    does: starts,
  },
  { words: new RegExp(`${texted}\\.?(?:execute\\(|!{1,2}(?!=))`, "gu"), does: starts },
  {
    words: verb(
      "rm|rm_rf|unlink|rmdir|remove(?:_all|_file|_dir_all)?|(?:file +)?delete(?:IfExists)?|" +
        "delete-(?:file\\*?|file-recursively|directory|directory-tree|directory/files)|file-delete",
    ),
    does: deletes,
  },
  { words: new RegExp(`${texted}\\.delete\\w*`, "gu"), does: deletes },
  {
    words: verb(
      "write(?:Lines|String|\\.csv)?|spit|sink|saveRDS|dput|(?:file[ .])?(?:rename|copy)|mv|cp|cp_r|move|mkdir(?:_p)?|mkpath|" +
        "(?:dir\\.)?create|symlink|download(?:\\.file)?|urlwrite|output|chmod",
    ),
    does: writes,
  },
  { words: verb("f?open|with-open-file"), does: opens },
  { words: verb("read(?:Lines|RDS|lines|String|\\.csv)?|slurp|lines"), does: reads },
  { words: verb("loadstring|eval|evalin|eval_string|eval_quoted|include_string|evaluate"), does: evaluates },
  { words: verb("dofile|loadfile|source|include|load|require_file|compile_file"), does: loadsFiles },
];

const longest = 500;
const quoted = /"((?:[^"\\]|\\.)*)"|'([^'\n]*)'|`([^`']*)[`']|(:(?:output|append)\b)/gu;

/** The texts that a call is given, in its parentheses or up to the end of its line. */
function textsBehind(code: string, { index, 0: called }: RegExpExecArray): string[] {
  const from = index + called.length;
  const rest = code.slice(from, from + longest);
  const isBracketed = /^!?\s*\(/u.test(rest);
  const given =
    isBracketed || /\([\w+.:/-]*$/u.test(code.slice(Math.max(index - 40, 0), index))
      ? rest.slice(0, endOf(rest, isBracketed))
      : (/^[^\n;\]]*/u.exec(rest)?.[0] ?? "");
  const texts = [...given.matchAll(quoted)].map(
    ([, double, single, back, mark]) => double ?? single ?? back ?? mark ?? "",
  );
  if (texts.length > 0 || isBracketed) return texts.map((text) => text.replaceAll(/\\(["\\])/gu, "$1"));
  return given.split(/[\s{}]+/u).filter((word) => /^[\w~./|-]/u.test(word));
}

/** Where the bracket closes that opens here, or that is open already. */
function endOf(text: string, opensHere: boolean): number {
  let depth = opensHere ? 0 : 1;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")") depth -= 1;
    if (text[at] === ")" && depth === 0) return at;
  }
  return text.length;
}
