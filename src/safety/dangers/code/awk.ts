/** What an awk program does besides reading its input and printing: commands, files, and the environment. */

import { isUnknown, unknown, unknownWord, withText, type Word } from "../../command-line/word.ts";
import { danger, interprets, loads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { isSecretName } from "./environment.ts";

type Token = { type: "name" | "text" | "number" | "sign"; text: string };

const connects = danger("high", "its program opens connections of its own");
const givesShell = danger("critical", "its program runs commands and talks to another machine");
/** Maximum number of tokens in one value or statement. */
const longest = 400;

const runsCommand = danger("high", "its program runs a command");

/** Never throws. */
export function awkEffects(code: Word): Effect[] {
  const tokens = tokensOf(code.text);
  const word = (text: string): Word => withText({ ...code, isPattern: false }, text);
  const effects: Effect[] = [];
  for (let at = 0; at < tokens.length; at += 1) effects.push(...effectsAt(tokens, at, word));
  if (tokens.some(({ type, text }) => type === "text" && text.startsWith("/inet")))
    effects.push(effects.includes(runsCommand) ? givesShell : connects);
  return effects;
}

type Making = (text: string) => Word;

function* effectsAt(tokens: readonly Token[], at: number, word: Making): Iterable<Effect> {
  const token = tokens[at];
  if (token?.type === "sign") yield* effectsOfSign(tokens, at, word);
  if (token?.type !== "name") return;
  if (token.text === "system") {
    yield runsCommand;
    yield interprets("shell", valueFrom(tokens, tokens[at + 1]?.text === "(" ? at + 2 : at + 1, word));
  }
  if (token.text === "print" || token.text === "printf") yield* redirected(tokens, at, word);
  if (token.text === "getline") yield* readLine(tokens, at, word);
  if (token.text === "ENVIRON") yield* environment(tokens, at);
  if (token.text.startsWith("@") && tokens[at + 1]?.type === "text")
    yield loads(word(tokens[at + 1]?.text ?? ""), "awk");
  if (token.text.startsWith("@") && tokens[at + 1]?.text === "(")
    yield danger("high", "what it calls is only known when it runs");
}

/** `@f()` calls the function that a variable names. */
function* effectsOfSign(tokens: readonly Token[], at: number, word: Making): Iterable<Effect> {
  const sign = tokens[at]?.text;
  if ((sign === "|" || sign === "|&") && tokens[at + 1]?.text === "getline") {
    yield* piped(valueBefore(tokens, at - 1, word));
  }
}

/** A command that is read from or written to; gawk also accepts network addresses there. */
function* piped(command: Word): Iterable<Effect> {
  if (command.text.startsWith("/inet")) return;
  yield runsCommand;
  yield interprets("shell", command);
}

const standard = new Set(["/dev/stdout", "/dev/stderr", "/dev/stdin", "-", "/dev/tty", "/dev/null"]);

/** `print … > "file"`, `print … | "command"`: a redirection at the end of the statement, outside parentheses. */
function* redirected(tokens: readonly Token[], from: number, word: Making): Iterable<Effect> {
  let depth = 0;
  for (let at = from + 1; at < tokens.length; at += 1) {
    const { type, text } = tokens[at] ?? { type: "sign", text: ";" };
    if (at > from + longest) {
      yield danger("high", "its program cannot be read");
      return;
    }
    if (type !== "sign") continue;
    if (text === "(" || text === "[") depth += 1;
    if (text === ")" || text === "]") depth -= 1;
    if (depth < 0 || text === ";" || text === "\n" || text === "}" || text === "{") return;
    if (depth > 0) continue;
    if (text === ">" || text === ">>") {
      yield* written(valueFrom(tokens, at + 1, word), text === ">>" ? "appends" : "replaces");
      return;
    }
    if (text === "|" || text === "|&") {
      yield* piped(valueFrom(tokens, at + 1, word));
      return;
    }
  }
}

function* written(path: Word, how: "appends" | "replaces"): Iterable<Effect> {
  if (path.text.startsWith("/inet")) yield* piped(path);
  else if (path.text === unknown) yield danger("high", "it writes files whose names only its input tells");
  else if (!standard.has(path.text)) yield { type: "writes", path, how };
}

/** `getline < "file"`. */
function* readLine(tokens: readonly Token[], at: number, word: Making): Iterable<Effect> {
  const from = tokens.slice(at + 1, at + 7).findIndex(({ text }) => text === "<");
  const before = tokens.slice(at + 1, at + 1 + from);
  const isDirect =
    from >= 0 &&
    before.every(({ type, text }) => type === "name" || text === "[" || text === "]" || text === "$");
  if (!isDirect) return;
  const path = valueFrom(tokens, at + 2 + from, word);
  if (path.text.startsWith("/inet")) yield* piped(path);
  else if (!isUnknown(path) && !standard.has(path.text)) yield { type: "reads", path };
}

function* environment(tokens: readonly Token[], at: number): Iterable<Effect> {
  const key = tokens[at + 1]?.text === "[" ? tokens[at + 2] : undefined;
  if (key?.type === "text" && !isSecretName(key.text)) return;
  yield { type: "prints", flows: ["secret"] };
}

/** The value that starts here: adjacent strings are concatenated; anything else among them is unknown. */
function valueFrom(tokens: readonly Token[], from: number, word: Making): Word {
  let text = "";
  let depth = 0;
  for (let at = from; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (at > from + longest) return word(text + unknown);
    if (!token || endsValue(token, depth)) break;
    if (token.text === "(") depth += 1;
    else if (token.text === ")") depth -= 1;
    else if (token.type === "text" && !(tokens[at + 1]?.type === "sign" && tokens[at + 1]?.text === "?"))
      text += token.text;
    else if (!text.endsWith(unknown)) text += unknown;
  }
  return text === "" ? unknownWord() : word(text);
}

function endsValue({ type, text }: Token, depth: number): boolean {
  if (type !== "sign") return false;
  if (text === ")" && depth === 0) return true;
  return depth === 0 && [";", "\n", "}", "{", "|", "|&", ">", ">>", ","].includes(text);
}

/** The value that ends before a sign. */
function valueBefore(tokens: readonly Token[], to: number, word: Making): Word {
  let from = to;
  const ends = new Set([";", "\n", "{", "}", "&&", "||", "=", "!"]);
  let depth = 0;
  for (; from >= 0 && from > to - longest; from -= 1) {
    const token = tokens[from];
    if (token?.type !== "sign") continue;
    if (token.text === ")") depth += 1;
    if (token.text === "(" && depth === 0) break;
    if (token.text === "(") depth -= 1;
    if (depth === 0 && ends.has(token.text)) break;
  }
  return valueFrom(tokens.slice(from + 1, to + 1), 0, word);
}

const name = /@?[A-Za-z_]\w*(?:::\w+)?|@(?=\/)/uy;
const number = /\d[\w.]*|\.\d+/uy;
const sign = /\|&|>>|&&|\|\||[!=<>+\-*/%^]=|\+\+|--|\*\*/uy;

function tokensOf(code: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(code)?.[0];
  };
  while (at < code.length) {
    const char = code[at] ?? "";
    if (char === "#") {
      const end = code.indexOf("\n", at);
      at = end < 0 ? code.length : end;
    } else if (char === "\\" && code[at + 1] === "\n") at += 2;
    else if (char !== "\n" && /\s/u.test(char)) at += 1;
    else if (char === '"' || (char === "/" && !endsOperand(tokens.at(-1)))) {
      const { text, end } = quoted(code, at);
      tokens.push({ type: char === '"' ? "text" : "number", text });
      at = end;
    } else {
      const named = take(name);
      const text = named ?? take(number) ?? take(sign) ?? char;
      const type =
        named !== undefined || char === unknown ? "name" : /^[\d.]/u.test(text) ? "number" : "sign";
      tokens.push({ type, text });
      at += text.length;
    }
  }
  return tokens;
}

const endsOperand = (token: Token | undefined): boolean =>
  token !== undefined &&
  (token.type !== "sign" || token.text === ")" || token.text === "]" || token.text === "$");

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

/** A string or a regular expression, starting at its opening delimiter. */
function quoted(code: string, from: number): { text: string; end: number } {
  const close = code[from];
  const isPattern = close === "/";
  let text = "";
  let at = from + 1;
  let inSet = false;
  for (; at < code.length; at += 1) {
    const char = code[at] ?? "";
    if (char === close && !(inSet && isPattern)) break;
    if (char === "[") inSet = true;
    if (char === "]") inSet = false;
    if (char !== "\\") {
      text += char;
      continue;
    }
    at += 1;
    const hex = /^(?:x([\da-f]{1,2})|([0-7]{1,3}))/iu.exec(code.slice(at, at + 4));
    if (!hex) text += escapes[code[at] ?? ""] ?? code[at] ?? "";
    else {
      text += String.fromCharCode(
        hex[1] === undefined ? Number.parseInt(hex[2] ?? "", 8) : Number.parseInt(hex[1], 16),
      );
      at += hex[0].length - 1;
    }
  }
  return { text, end: at + 1 };
}
