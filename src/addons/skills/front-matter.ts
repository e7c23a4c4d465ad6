/** The head of a Markdown file: what stands between two lines of dashes at its beginning, empty lines aside. */

import { errorMessage } from "../../base/expected.ts";
import { isObject } from "../../base/json.ts";

export type Head = Readonly<Record<string, unknown>>;
/** `problem`: why the head could be read only in part, for people. `body` is the text below it. */
export type HeadAndBody = { head: Head; body: string; problem?: string };

/** Never throws, whatever the text. Without a head, all of it is the body. */
export async function readHead(text: string): Promise<HeadAndBody> {
  const found = /^\uFEFF?(?:[ \t]*\r?\n)*---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/u.exec(text);
  if (!found) return withoutEnd(text);
  const written = found[1] ?? "";
  const body = text.slice(found[0].length);
  const simple = simpleHead(written);
  if (simple) return { head: simple, body };
  const read = await yamlHead(written);
  return { head: read.head, body, ...(read.problem === undefined ? {} : { problem: read.problem }) };
}

/** A head whose closing dashes were forgotten ends with the first line that is none of a head's; else there is none. */
function withoutEnd(text: string): HeadAndBody {
  const opened = /^\uFEFF?(?:[ \t]*\r?\n)*---[ \t]*\r?\n(?=[A-Za-z][\w.-]*:)/u.exec(text);
  if (!opened) return { head: {}, body: text };
  const below = text.slice(opened[0].length);
  const end = /(?<![^\n])(?![A-Za-z][\w.-]*:(?:\s|$)|[ \t]+\S)/u.exec(below)?.index ?? below.length;
  const problem = "its head has no end (a line `---` is missing)";
  return { head: looseHead(below.slice(0, end)), body: below.slice(end), problem };
}

/** As text: of a list or an object there is none. */
export function textIn(head: Head, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = Object.hasOwn(head, name) ? head[name] : undefined;
    if (typeof value === "number" || typeof value === "boolean") return String(value);
    if (typeof value === "string" && value.trim() !== "") return value.trim();
  }
  return undefined;
}

/** A list, or words with commas between them ("Read, Grep"); parentheses and braces (`*.{ts,tsx}`) hold together. */
export function listIn(head: Head, name: string): string[] | undefined {
  const value = Object.hasOwn(head, name) ? head[name] : undefined;
  if (Array.isArray(value)) return value.flatMap((one) => (typeof one === "string" ? wordsOf(one) : []));
  if (typeof value === "string") return wordsOf(value.replace(/^\[([\s\S]*)\]$/u, "$1"));
  return undefined;
}

/** Names for the arguments of a command or a skill: a list, or words with spaces between them. */
export function argumentNamesIn(head: Head): { argumentNames?: readonly string[] } {
  const words = (listIn(head, "arguments") ?? []).flatMap((one) => one.split(/\s+/u));
  const argumentNames = words.filter((word) => /^[A-Za-z_]\w*$/u.test(word));
  return argumentNames.length === 0 ? {} : { argumentNames };
}

export const isTrue = (head: Head, name: string): boolean =>
  textIn(head, name)?.toLowerCase() === "true" || textIn(head, name)?.toLowerCase() === "yes";

function wordsOf(text: string): string[] {
  const words = text.match(/(?:\([^()]*\)|\{[^{}]*\}|[^,(){}])+/gu) ?? [];
  return words.map((word) => word.trim().replace(/^(["'])(.*)\1$/u, "$2")).filter((word) => word !== "");
}

const plainLine = /^([A-Za-z][\w.-]*):(?:[ \t]+(.*))?$/u;
/**
 * What means something to YAML at the beginning of a value, and comments behind it. A list on one line is read by who
 * wants one, since `argument-hint: [what] [why]` is none to those who write it; where nothing has a name (`&`), a star
 * begins a pattern for files.
 */
const special = /^[\]{}>|&!%@`#?"'-]|^\[[^\]]*$|[ \t]#/u;

/**
 * Heads that are nothing but lines of `name: words`, which most are: the library for the rest takes 35 ms to load. A
 * colon within the words is theirs, as other agents have it.
 */
function simpleHead(written: string): Head | undefined {
  const head: Record<string, unknown> = Object.create(null);
  for (const line of written.split(/\r?\n/u)) {
    if (line.trim() === "") continue;
    const [, name, value = ""] = plainLine.exec(line) ?? [];
    if (name === undefined) return undefined;
    const quoted = /^"([^"\\]*)"\s*$|^'([^']*)'\s*$/u.exec(value);
    if (!quoted && special.test(value)) return undefined;
    // What is set in below an empty one is no such line.
    head[name] = quoted ? (quoted[1] ?? quoted[2]) : value.trim() || null;
  }
  return head;
}

async function yamlHead(written: string): Promise<{ head: Head; problem?: string }> {
  try {
    const { parse } = await import("yaml");
    const value: unknown = parse(written, { logLevel: "error", maxAliasCount: 20, prettyErrors: false });
    if (isObject(value)) return { head: value };
    return value === null || value === undefined
      ? { head: {} }
      : { head: {}, problem: "its head is no list of names and values" };
  } catch (error) {
    const [why = ""] = errorMessage(error).split("\n");
    return { head: looseHead(written), problem: `its head is not well-formed YAML (${why})` };
  }
}

/** What can be made out line by line; lines that are set in belong to the value above them. */
function looseHead(written: string): Head {
  const head: Record<string, unknown> = Object.create(null);
  let last: string | undefined;
  for (const line of written.split(/\r?\n/u)) {
    const [, name, value = ""] = plainLine.exec(line) ?? [];
    if (name !== undefined) head[(last = name)] = value.trim().replace(/^(["'])(.*)\1$/u, "$2");
    else if (last !== undefined && /^[ \t]/u.test(line))
      head[last] = `${String(head[last])} ${line.trim()}`.trim();
  }
  return head;
}
