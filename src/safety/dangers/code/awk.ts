/** What an awk program does besides reading its input and printing: commands, files, and the environment. */

import { isUnknown, unknown, unknownWord, withText, type Word } from "../../command-line/word.ts";
import { danger, interprets, loads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { isSecretName } from "./environment.ts";

type AwkToken = { readonly type: "name" | "text" | "sign"; readonly text: string };

/** Maximum number of tokens in one value or statement. */
const longest = 400;

const runsCommand = danger("high", "its program runs a command");
const connects = danger("high", "its program opens connections of its own");
const givesShell = danger("critical", "its program runs commands and talks to another machine");

/** Never throws. */
export function awkEffects(code: Word): Effect[] {
  const tokens = tokensOf(code.text);
  const program = { tokens, code: { ...code, isPattern: false } };
  const effects = tokens.flatMap((_, at) => [...effectsAt(program, at)]);
  if (tokens.some(({ type, text }) => type === "text" && text.startsWith("/inet")))
    effects.push(effects.includes(runsCommand) ? givesShell : connects);
  return effects;
}

type AwkProgram = { readonly tokens: readonly AwkToken[]; readonly code: Word };

function* effectsAt(program: AwkProgram, at: number): Iterable<Effect> {
  const { tokens, code } = program;
  const next = tokens[at + 1];
  const { type, text } = tokens[at] ?? { type: "sign", text: "" };
  if (type === "sign" && text.startsWith("|") && next?.text === "getline")
    yield* pipes(valueBefore(program, at));
  if (type !== "name") return;
  if (text === "system") yield* pipes(valueFrom(program, at + (next?.text === "(" ? 2 : 1)));
  else if (text === "print" || text === "printf") yield* redirects(program, at);
  else if (text === "getline") yield* readLine(program, at);
  else if (text === "ENVIRON") {
    const key = next?.text === "[" ? tokens[at + 2] : undefined;
    if (key?.type !== "text" || isSecretName(key.text)) yield { type: "prints", flows: ["secret"] };
  } else if (text.startsWith("@") && next?.type === "text") yield loads(withText(code, next.text), "awk");
  else if (text.startsWith("@") && next?.text === "(")
    yield danger("high", "what it calls is only known when it runs");
}

/** A command that is read from or written to; gawk also accepts network addresses there. */
function* pipes(command: Word): Iterable<Effect> {
  if (command.text.startsWith("/inet")) return;
  yield runsCommand;
  yield interprets("shell", command);
}

const standard = /^(?:-|\/dev\/(?:std(?:in|out|err)|tty|null)|\/inet.*)$/su;

/** `print … > "file"`, `print … | "command"`: a redirection at the end of the statement, outside parentheses. */
function* redirects(program: AwkProgram, from: number): Iterable<Effect> {
  let depth = 0;
  for (let at = from + 1; at < program.tokens.length; at += 1) {
    const { type, text } = program.tokens[at] ?? { type: "sign", text: ";" };
    if (at > from + longest) {
      yield danger("high", "its program cannot be read");
      return;
    }
    if (type !== "sign") continue;
    if (text === "(" || text === "[") depth += 1;
    if (text === ")" || text === "]") depth -= 1;
    if (depth < 0 || /^[;\n{}]$/u.test(text)) return;
    if (depth > 0 || !/^(?:>>?|\|&?)$/u.test(text)) continue;
    const value = valueFrom(program, at + 1);
    if (text.startsWith("|")) yield* pipes(value);
    else if (value.text === unknown) yield danger("high", "it writes files whose names only its input tells");
    else if (!standard.test(value.text)) yield { type: "writes", path: value, how: "replaces" };
    return;
  }
}

/** `getline line < "file"`. */
function* readLine(program: AwkProgram, at: number): Iterable<Effect> {
  const from = program.tokens.slice(at + 1, at + 7).findIndex(({ text }) => text === "<");
  const between = program.tokens.slice(at + 1, at + 1 + from);
  if (from < 0 || !between.every(({ type, text }) => type === "name" || /^[[\]$]$/u.test(text))) return;
  const path = valueFrom(program, at + 2 + from);
  if (!isUnknown(path) && !standard.test(path.text)) yield { type: "reads", path };
}

/** The value that starts here: texts side by side are one; anything else among them is unknown. */
function valueFrom({ tokens, code }: AwkProgram, from: number, to = tokens.length): Word {
  let said = "";
  let depth = 0;
  for (let at = from; at < Math.min(to, from + longest); at += 1) {
    const { type, text } = tokens[at] ?? { type: "sign", text: ";" };
    if (type === "sign" && depth === 0 && /^(?:[);\n{},]|>>?|\|&?)$/u.test(text)) break;
    if (text === "(") depth += 1;
    else if (text === ")") depth -= 1;
    else if (type === "text" && tokens[at + 1]?.text !== "?") said += text;
    else if (!said.endsWith(unknown)) said += unknown;
  }
  return said === "" ? unknownWord() : withText(code, said);
}

/** The value that ends before a sign. */
function valueBefore(program: AwkProgram, to: number): Word {
  let depth = 0;
  let from = to - 1;
  for (; from >= 0 && from > to - longest; from -= 1) {
    const { type, text } = program.tokens[from] ?? { type: "sign", text: ";" };
    if (type !== "sign") continue;
    if (text === ")") depth += 1;
    if (text === "(") depth -= 1;
    if (depth < 0 || (depth === 0 && /^(?:[;\n{}=!]|&&|\|\|)$/u.test(text))) break;
  }
  return valueFrom(program, from + 1, to);
}

const blank = /[^\S\n]+|\\\n|#[^\n]*/uy;
const quoted = /"(?:\\[^]|[^"\\])*(?:"|$)/uy;
const pattern = /\/(?:\\[^]|\[[^\]\n]{0,200}\]|[^/\\\n])*(?:\/|$)/uy;
const plain =
  /@?[A-Za-z_]\w*(?:::\w+)?|@(?=\/)|\d[\w.]*|\.\d+|\|&|>>|&&|\|\||[!=<>+\-*/%^]=|\+\+|--|\*\*|[^]/uy;

function tokensOf(code: string): AwkToken[] {
  const tokens: AwkToken[] = [];
  let at = 0;
  const take = (form: RegExp): string => {
    form.lastIndex = at;
    const found = form.exec(code)?.[0] ?? "";
    at += found.length;
    return found;
  };
  while (at < code.length) {
    if (take(blank) !== "") continue;
    const text = take(quoted);
    if (text !== "") tokens.push({ type: "text", text: withoutEscapes(text.slice(1).replace(/"$/u, "")) });
    else if (code[at] === "/" && !endsOperand(tokens.at(-1)) && take(pattern) !== "")
      tokens.push({ type: "name", text: "/" });
    else {
      const other = take(plain);
      tokens.push({ type: /^[\w@.\0]/u.test(other) ? "name" : "sign", text: other });
    }
  }
  return tokens;
}

const endsOperand = (token: AwkToken | undefined): boolean =>
  token !== undefined && (token.type !== "sign" || /^[)\]$]$/u.test(token.text));

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "\n": "" };

const withoutEscapes = (text: string): string =>
  text.replaceAll(
    /\\(?:x([\da-f]{1,2})|([0-7]{1,3})|([^]))/giu,
    (_, hex?: string, octal?: string, char = "") =>
      hex === undefined && octal === undefined
        ? (escapes[char] ?? char)
        : String.fromCharCode(hex === undefined ? Number.parseInt(octal ?? "", 8) : Number.parseInt(hex, 16)),
  );
