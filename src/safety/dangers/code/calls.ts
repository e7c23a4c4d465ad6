/** Resolves names, members and calls in code to their meanings in the language's tables. */

import { danger } from "../effect-makers.ts";
import { fromEnvironment } from "./environment.ts";
import type { Grammar } from "./grammar.ts";
import type { Meaning } from "./meaning.ts";
import { noteModule } from "./modules.ts";
import { isPlainText, noteFlows, tell } from "./notes.ts";
import type { Reader } from "./reading.ts";
import { type Argument, flowsIn, mixed, named, nothing, said, texted, type Value } from "./value.ts";

/** Longer paths are cut here: their first parts no longer matter. */
const longest = 400;

/** Joins `os` and `system` into `os.system`. */
export function memberOf(reader: Reader, value: Value, member: string): Value {
  const path = value.path.length > longest ? `.${member}` : `${value.path}.${member}`;
  const known = value.path === "" ? undefined : reader.names.get(path);
  return known ?? { ...nothing, path, carries: value.carries };
}

/** Finds a meaning by the full path, or by the last name if that alone is enough. */
function meaningOf({ grammar }: Reader, path: string): Meaning | undefined {
  const plain = plainPath(grammar.transparent, path);
  const exact = exactly(grammar, plain);
  if (exact) return exact;
  const dot = plain.lastIndexOf(".");
  return dot < 0 ? undefined : grammar.meanings.get(`*${plain.slice(dot)}`);
}

/** JavaScript's modules for files have many names, and most of their functions two. */
function exactly({ language, meanings }: Grammar, plain: string): Meaning | undefined {
  const exact = meanings.get(plain);
  if (exact !== undefined || language !== "javascript") return exact;
  return meanings.get(
    plain
      .replace(/^(?:fs\.(?:promises|extra)|fs-extra|fsp|fsPromises|fse|graceful-fs)\./u, "fs.")
      .replace(/Sync$/u, ""),
  );
}

function plainPath(transparent: readonly string[], path: string): string {
  let plain = path.replace(/^[&\\]+/u, "").replaceAll(".__dict__", "");
  for (let front = frontOf(transparent, plain); front !== undefined; front = frontOf(transparent, plain))
    plain = plain.slice(front.length);
  return plain;
}

const frontOf = (transparent: readonly string[], path: string): string | undefined =>
  transparent.find((front) => path.startsWith(front) && path.length > front.length);

/** Whether mentioning it counts as calling it: passed as a function, or called without parentheses. */
export function isMeant(reader: Reader, { path }: Value): boolean {
  const { grammar } = reader;
  const plain = plainPath(grammar.transparent, path);
  if (exactly(grammar, plain)) return true;
  const dot = plain.lastIndexOf(".");
  return grammar.language === "ruby" && dot >= 0 && grammar.meanings.has(`*${plain.slice(dot)}`);
}

type Called = { callee: Value; receiver: Value; given: readonly Argument[] };

export function callOf(reader: Reader, { callee, receiver, given }: Called): Value {
  const { grammar, notes } = reader;
  const { language } = grammar;
  const through = /^(.+)\.(call|apply|bind|delay|defer)$/u.exec(callee.path);
  if (through?.[1] !== undefined && meaningOf(reader, through[1])) {
    const more = language === "javascript" ? (through[2] === "apply" ? [] : given.slice(1)) : given;
    return callOf(reader, { callee: named(through[1]), receiver: nothing, given: more });
  }
  const path = callee.path === "" && callee.text && isPlainText(callee.text) ? callee.text.text : callee.path;
  const meaning = path === "" ? undefined : meaningOf(reader, path);
  if (!meaning && path === "" && callee.text) opaque(reader);
  noteFlows(notes, flowsIn(given.map(({ value }) => value)));
  const result = meaning?.({
    path,
    receiver,
    given,
    language,
    notes,
    invoke: (other, more) => callOf(reader, { callee: named(other), receiver: nothing, given: more }),
    importing: (module) => noteModule(reader, module),
  });
  if (result && (result.path !== "" || result.text || result.items)) return result;
  const carries = result?.carries ?? mixed([receiver, callee, ...given.map(({ value }) => value)]).carries;
  return { ...nothing, path: path === "" ? "" : `${path}()`, carries };
}

function opaque({ notes }: Reader): void {
  tell(notes, danger("high", "what its code calls is only known when it runs"));
}

export function indexOf(
  reader: Reader,
  value: Value,
  { key, isReversal }: { key: Value; isReversal: boolean },
): Value {
  const { grammar } = reader;
  if (isReversal) return { ...mixed([value]), carries: new Set([...value.carries, "decoded"]) };
  if (grammar.environment.includes(value.path)) {
    const variable = fromEnvironment(key);
    noteFlows(reader.notes, variable.carries);
    return variable;
  }
  const { text } = key;
  if (value.path === "Dir" && text) return texted({ ...text, isPattern: true });
  const isNumber = text !== undefined && /^-?\d+$/u.test(text.text);
  if (isNumber && value.items) return value.items.at(Number(text.text))?.value ?? nothing;
  const path = plainPath(grammar.transparent, value.path);
  const isNamespace = grammar.namespaces.includes(path) || grammar.startingModules.includes(path);
  if (text && isPlainText(text) && !isNumber && value.path !== "") {
    const member = memberOf(reader, value, text.text);
    return isNamespace && path.endsWith("()") ? named(text.text) : member;
  }
  if (isNamespace && !isNumber) opaque(reader);
  return { ...mixed([value, key]), path: value.path === "" || isNamespace ? "" : `${value.path}[]` };
}

/** Finalises a value: the entire environment is a secret, while one variable depends on its name. */
export function settled(reader: Reader, value: Value): Value {
  const { environment } = reader.grammar;
  const path = plainPath(reader.grammar.transparent, value.path);
  const whole = environment.find((name) => path === name || path.startsWith(`${name}.`));
  if (whole === undefined) return value;
  const name = path.slice(whole.length + 1);
  const isWhole = name === "" || name.includes("(") || reader.grammar.language !== "javascript";
  const found = isWhole ? { ...value, carries: new Set(["secret"] as const) } : fromEnvironment(said(name));
  noteFlows(reader.notes, found.carries);
  return found;
}
