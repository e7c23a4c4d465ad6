/**
 * Parses front matter: the block between two lines of dashes at the start of a Markdown file, after any empty lines.
 */

import { errorMessage } from "../../base/expected.ts";
import { isObject } from "../../base/json.ts";

export type Head = Readonly<Record<string, unknown>>;
/** `problem`: why the head could be read only in part, for people. `body`: the text after it. */
export type HeadAndBody = { head: Head; body: string; problem?: string };

/** Never throws. Without front matter, the whole text is the body. */
export async function readHead(text: string): Promise<HeadAndBody> {
  const found = /^\uFEFF?(?:[ \t]*\r?\n)*---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/u.exec(text);
  if (!found) return withoutEnd(text);
  const written = found[1] ?? "";
  const body = text.slice(found[0].length);
  const simple = simpleHead(written);
  if (simple) return { head: simple, body };
  const read = await yamlHead(written);
  return { head: read.head, body, problem: read.problem };
}

/**
 * If the closing dashes are missing, the head ends at the first line that cannot belong to it; otherwise there is none.
 */
function withoutEnd(text: string): HeadAndBody {
  const opened = /^\uFEFF?(?:[ \t]*\r?\n)*---[ \t]*\r?\n(?=[A-Za-z][\w.-]*:)/u.exec(text);
  if (!opened) return { head: {}, body: text };
  const below = text.slice(opened[0].length);
  const end = /(?<![^\n])(?![A-Za-z][\w.-]*:(?:\s|$)|[ \t]+\S)/u.exec(below)?.index ?? below.length;
  const problem = "its head has no end (a line `---` is missing)";
  return { head: looseHead(below.slice(0, end)), body: below.slice(end), problem };
}

/** The first of these fields that can be read as text; lists and objects cannot. */
export function textIn(head: Head, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = Object.hasOwn(head, name) ? head[name] : undefined;
    if (typeof value === "number" || typeof value === "boolean") return String(value);
    if (typeof value === "string" && value.trim() !== "") return value.trim();
  }
  return undefined;
}

/**
 * A list, or comma-separated words ("Read, Grep"); commas within parentheses and braces (`*.{ts,tsx}`) do not split.
 */
export function listIn(head: Head, name: string): string[] | undefined {
  const value = Object.hasOwn(head, name) ? head[name] : undefined;
  if (Array.isArray(value)) return value.flatMap((one) => (typeof one === "string" ? wordsOf(one) : []));
  if (typeof value === "string") return wordsOf(value.replace(/^\[([\s\S]*)\]$/u, "$1"));
  return undefined;
}

/** Argument names of a command or a skill: a list, or words separated by spaces. */
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
 * Values that need the YAML parser: special first characters, or a comment behind. A one-line list is left as text for
 * `listIn`, since authors of `argument-hint: [what] [why]` mean no list; a leading `*` is a glob, because without
 * anchors (`&`) there are no aliases.
 */
const special = /^[\]{}>|&!%@`#?"'-]|^\[[^\]]*$|[ \t]#/u;

/**
 * Parses heads that consist only of `name: words` lines, as most do: loading the YAML library takes 35 ms. Colons
 * within the words are kept, as other agents do.
 */
function simpleHead(written: string): Head | undefined {
  const head: Record<string, unknown> = Object.create(null);
  for (const line of written.split(/\r?\n/u)) {
    if (line.trim() === "") continue;
    const [, name, value = ""] = plainLine.exec(line) ?? [];
    if (name === undefined) return undefined;
    const quoted = /^"([^"\\]*)"\s*$|^'([^']*)'\s*$/u.exec(value);
    if (!quoted && special.test(value)) return undefined;
    // An indented line below an empty value does not match, so the YAML parser takes over.
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

/** Salvages a malformed head line by line; indented lines belong to the value above them. */
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
