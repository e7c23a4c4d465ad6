/** Brace expansion as bash does it: on the text of a word, before anything else, respecting quotes. */

/** An expansion to more words than this is given up. */
const most = 256;
/** A longer word is not expanded. */
const mostText = 2_048;

/** The texts that `{a,b}` and `{1..3}` expand to in one word, or undefined if there are too many. */
export function expandBraces(text: string): string[] | undefined {
  if (text.length > mostText) return undefined;
  for (let at = 0; at < text.length; at = afterUnit(text, at)) {
    if (text[at] !== "{" || (at === 0 && text[1] === "}")) continue;
    const list = listAt(text, at);
    if (!list) continue;
    const { members = [text.slice(at, list.end)] } = list; // `{a..}` is text
    return combinations(text.slice(0, at), list.members ? expandAll(members) : members, text.slice(list.end));
  }
  return [text];
}

function expandAll(members: readonly string[]): string[] | undefined {
  const all: string[] = [];
  for (const member of members.slice(0, most + 1)) {
    const texts = expandBraces(member);
    if (!texts || all.length + texts.length > most) return undefined;
    all.push(...texts);
  }
  return all;
}

/** The text after the list is expanded separately. */
function combinations(
  before: string,
  members: readonly string[] | undefined,
  rest: string,
): string[] | undefined {
  const after = members && expandBraces(rest);
  if (!members || !after || members.length * after.length > most) return undefined;
  return members.flatMap((member) => after.map((end) => before + member + end));
}

type List = { members: string[] | undefined; end: number };

/** A brace closes the list only after a comma or `..` of this list; before that it is text. */
function listAt(text: string, open: number): List | undefined {
  const commas: number[] = [];
  let [depth, hasComma, isRange] = [0, false, false];
  for (let at = open + 1; at < text.length; at = afterUnit(text, at)) {
    const character = text[at];
    hasComma ||= character === ",";
    if (character === "{") depth += 1;
    else if (character === "}" && depth > 0) depth -= 1;
    else if (depth > 0) continue;
    else if (character === ",") commas.push(at);
    else if (text.startsWith("..", at) && text[at + 2] !== "}") isRange = true;
    else if (character === "}" && (isRange || commas.length > 0)) {
      const ends = [...commas, at];
      const members = ends.map((end, index) => text.slice((ends[index - 1] ?? open) + 1, end));
      return { members: hasComma ? members : sequence(text.slice(open + 1, at)), end: at + 1 };
    }
  }
  return undefined;
}

/** `1..4`, `a..e`, `01..10..3`. */
function sequence(text: string): string[] | undefined {
  const found = /^(?:(-?\d{1,9})\.\.(-?\d{1,9})|([A-Za-z])\.\.([A-Za-z]))(?:\.\.(-?\d{1,9}))?$/u.exec(text);
  if (!found) return undefined;
  const [, one, other, from, to, by] = found;
  const start = one === undefined ? (from?.charCodeAt(0) ?? 0) : Number(one);
  const end = other === undefined ? (to?.charCodeAt(0) ?? 0) : Number(other);
  const step = Math.abs(Number(by ?? 1)) || 1;
  const count = Math.min(Math.floor(Math.abs(end - start) / step) + 1, most + 1);
  const isNumber = one !== undefined;
  return Array.from({ length: count }, (_, at) => {
    const value = start + at * step * Math.sign(end - start);
    return isNumber ? String(value) : String.fromCharCode(value);
  });
}

/** The position after a character, a quotation or a substitution, which is skipped as a whole. */
function afterUnit(text: string, at: number): number {
  const character = text[at];
  if (character === "\\") return at + 2;
  if (character === "'") return behind(text, text.indexOf("'", at + 1));
  if (character === '"' || character === "`") return afterQuoted(text, at, character);
  const next = text[at + 1];
  if ((next === "(" && "$<>".includes(character ?? " ")) || (next === "{" && character === "$"))
    return afterBrackets(text, at + 1);
  return at + 1;
}

const behind = (text: string, end: number): number => (end < 0 ? text.length : end + 1);

function afterQuoted(text: string, open: number, quote: string): number {
  for (let at = open + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === quote) return at + 1;
    else if (quote === '"' && text.startsWith("$(", at)) at = afterBrackets(text, at + 1) - 1;
  }
  return text.length;
}

function afterBrackets(text: string, open: number): number {
  const closing = text[open] === "(" ? ")" : "}";
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    const character = text[at];
    if (character === "\\") at += 1;
    else if (character === "'" || character === '"')
      at = (character === "'" ? behind(text, text.indexOf("'", at + 1)) : afterQuoted(text, at, '"')) - 1;
    else if (character === text[open]) depth += 1;
    else if (character === closing) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}
