/** Possible meanings of calls in code: the vocabulary of the language tables. */

import { isUnknown, literal, unknownWord, type Word } from "../../command-line/word.ts";
import { danger, interprets, loads, runs } from "../effect-makers.ts";
import type { Effect, Language } from "../effect.ts";
import { namesIn } from "../listed.ts";
import { type Fact, isPlainText, noteFlows, type Notes, tell } from "./notes.ts";
import {
  type Argument,
  carrying,
  concatenated,
  mixed,
  named,
  nothing,
  texted,
  type Value,
  wordOf,
  wordsOf,
} from "./value.ts";

export type Call = {
  /** The callee as written, with dots: `os.system`. */
  readonly path: string;
  /** The value before the last dot. */
  readonly receiver: Value;
  readonly given: readonly Argument[];
  readonly language: Language;
  readonly notes: Notes;
  /** Applies the meaning of a call by that path. */
  readonly invoke: (path: string, given: readonly Argument[]) => Value;
  /** Records the import of a module and returns the name that the tables use for it. */
  readonly importing: (module: string) => string;
};

/** Records the call's effects and returns its result, if known. */
export type Meaning = (call: Call) => Value | undefined;
export type Meanings = ReadonlyMap<string, Meaning>;

/** Names are separated by blanks; `*.unlink` matches a call of that name on any receiver. */
export const meanings = (table: Readonly<Record<string, Meaning>>): Meanings =>
  new Map(Object.entries(table).flatMap(([names, meaning]) => namesIn(names).map((name) => [name, meaning])));

export const argument = (call: Call, at: number): Value | undefined =>
  call.given.filter(({ name }) => name === "")[at]?.value;

/** A named argument such as `shell=True`, or a property of an object argument. */
function option(call: Call, ...names: readonly string[]): Value | undefined {
  const all = call.given.flatMap((given) => [given, ...(given.value.items ?? [])]);
  return all.find(({ name }) => names.includes(name))?.value;
}

const isTrue = (value: Value | undefined): boolean =>
  value !== undefined && /^(?:true|1)$/iu.test(value.text?.text ?? value.path);

const rest = (call: Call): Value => mixed([call.receiver, ...call.given.map(({ value }) => value)]);

export const notes =
  (fact: Fact, result: Value = nothing): Meaning =>
  (call) => {
    call.notes.facts.add(fact);
    return result;
  };

export const dangerous =
  (because: string, severity: "medium" | "high" | "critical" = "high"): Meaning =>
  (call) => {
    tell(call.notes, danger(severity, because));
    return rest(call);
  };

/** Text that the shell runs: the first argument, or the one at index `from`. */
export const shell =
  (from = 0): Meaning =>
  (call) => {
    runsShell(call.notes, argument(call, from) ?? option(call, "cmd", "command", "args") ?? nothing);
    return { ...rest(call), carries: new Set(["random"]) };
  };

export function runsShell(notes: Notes, command: Value): void {
  notes.facts.add("starts");
  const word = wordOf(command);
  if (!isPlainText(word)) notesUnknownRun(notes, word);
  tell(notes, interprets("shell", word));
}

/** Records that code known only at run time is executed; the severity depends on its origin. */
function notesUnknownRun(notes: Notes, { carries }: Word): void {
  noteFlows(notes, carries);
  notes.facts.add("evaluates");
}

/** A program and its arguments as a list, or a single text for the shell: `subprocess.run(["ls", "-l"])`. */
export const startsList: Meaning = (call) => {
  const list = argument(call, 0) ?? option(call, "args", "cmd", "command");
  return list?.items ? startsWords(call, wordsOf(list)) : shell()(call);
};

/** The program, then a list of its arguments: `spawn("ls", ["-l"])`. */
export const startsWithList: Meaning = (call) => {
  const first = argument(call, 0);
  const list = argument(call, 1);
  if (!first || (list === undefined && isTrue(option(call, "shell")))) return shell()(call);
  const words = [...wordsOf(first), ...(list?.items?.some(({ name }) => name === "") ? wordsOf(list) : [])];
  if (!isTrue(option(call, "shell"))) return startsWords(call, words);
  const line = { ...literal(words.map(({ text }) => text).join(" ")), carries: rest(call).carries };
  runsShell(call.notes, { ...nothing, text: line });
  return rest(call);
};

/**
 * The program and its arguments one by one, after `skip` others: `execlp("ls", "ls", "-l")`. A single text is a shell
 * line.
 */
export const startsEach =
  (skip = 0, options: { readonly namesTwice?: boolean } = {}): Meaning =>
  (call) => {
    const given = call.given.filter(({ name }) => name === "").map(({ value }) => value);
    const values = given.slice(skip).filter(({ items }) => !items?.some(({ name }) => name !== ""));
    const [first, ...more] = values;
    if (!first) return shell(skip)(call);
    if (more.length === 0 && !first.items && !options.namesTwice) {
      runsShell(call.notes, first);
      return rest(call);
    }
    const words = [...wordsOf(first), ...more.slice(options.namesTwice ? 1 : 0).flatMap(wordsOf)];
    return startsWords(
      call,
      options.namesTwice && more[0]?.items ? [wordOf(first), ...wordsOf(more[0]).slice(1)] : words,
    );
  };

function startsWords(call: Call, words: readonly Word[]): Value {
  const { notes } = call;
  notes.facts.add("starts");
  if (isTrue(option(call, "shell")) && words[0]) {
    runsShell(call.notes, { ...nothing, text: words[0] });
    return rest(call);
  }
  const [program] = words;
  if (program && !isPlainText(program)) notesUnknownRun(notes, program);
  const input = option(call, "input", "stdin_data");
  const directory = option(call, "cwd", "chdir")?.text;
  tell(
    notes,
    runs(words.length === 0 ? [unknownWord()] : words, {
      ...(input ? { input: { text: input.text, flows: input.carries, isGiven: true } } : {}),
      ...(directory ? { directory } : {}),
    }),
  );
  return { ...rest(call), carries: new Set(["random"]) };
}

/** Text that is evaluated as code of the same language. */
export const evaluates =
  (at = 0): Meaning =>
  (call) => {
    evaluate(call, argument(call, at) ?? rest(call));
    return rest(call);
  };

export function evaluate({ notes, language }: Call, code: Value): void {
  if (code.text && isPlainText(code.text)) {
    tell(notes, interprets(language, code.text));
    return;
  }
  if (code.carries.has("input") && code.carries.size === 1) {
    tell(notes, { type: "interprets-input", language });
    return;
  }
  notesUnknownRun(notes, wordOf(code));
  tell(notes, danger("high", "its code runs text that only the run tells"));
}

type PathEffect = (path: Word, call: Call) => Effect;

/** An effect on files: on each argument from index `from` on, or on the receiver of `Path(x).unlink()`. */
function touches(effect: PathEffect, verb: string, paths: (call: Call) => readonly Word[]): Meaning {
  return (call) => {
    const found = paths(call);
    const known = found.filter((path) => !isUnknown(path) || path.text.length > 1);
    tell(call.notes, ...known.map((path) => effect(path, call)));
    if (known.length < found.length || found.length === 0)
      tell(call.notes, danger("high", `its code ${verb} files that only the run tells`));
    return rest(call);
  };
}

type Which = "all" | "receiver" | number;

function pathsAt(which: Which): (call: Call) => readonly Word[] {
  if (which === "receiver") return ({ receiver }) => wordsOf(receiver);
  if (which === "all")
    return ({ given }) => given.filter(({ name }) => name === "").flatMap(({ value }) => wordsOf(value));
  return (call) =>
    wordsOf(argument(call, which) ?? option(call, "path", "src", "dst", "file", "filename") ?? nothing);
}

export const removes = (which: Which, deep: boolean | "when-recursive" = false): Meaning =>
  touches(
    (path, call) => ({
      type: "deletes",
      path,
      deep: deep === true || isTrue(option(call, "recursive", "force")),
    }),
    "deletes",
    pathsAt(which),
  );

export const writes = (
  which: Which,
  how: "replaces" | "appends" | "edits" | "creates" = "replaces",
  content?: number,
): Meaning =>
  touches(
    (path, call) => {
      const text = content === undefined ? undefined : argument(call, content)?.text;
      return { type: "writes", path, how, ...(text ? { content: text } : {}) };
    },
    "writes",
    pathsAt(which),
  );

export const permits = (which: Which, mode: number | undefined): Meaning =>
  touches(
    (path, call) => ({ type: "permits", path, mode: modeOf(call, mode), deep: false }),
    "changes who may use",
    pathsAt(which),
  );

/** `0o777`, `0777` or "0777" as an octal mode for chmod. Numbers without an octal prefix are decimal. */
function modeOf(call: Call, at: number | undefined): Word | undefined {
  const word = at === undefined ? undefined : argument(call, at)?.text;
  if (!word) return at === undefined ? undefined : unknownWord();
  const octal = /^0o?([0-7]+)$/iu.exec(word.text)?.[1];
  if (octal !== undefined) return { ...word, text: octal };
  return /^\d+$/u.test(word.text) ? { ...word, text: Number(word.text).toString(8) } : word;
}

/** Moves the first argument to the second; for copies `from` remains. */
export const moves: Meaning = (call) => {
  touches((path) => ({ type: "deletes", path, deep: true, moved: true }), "moves", pathsAt(0))(call);
  return writes(1)(call);
};

export const copies: Meaning = (call) => {
  notesRead(call, wordsOf(argument(call, 0) ?? nothing));
  return writes(1)(call);
};

/** `Path(a).rename(b)`. */
export const movesReceiver: Meaning = (call) => {
  if (!call.receiver.text) return rest(call);
  tell(call.notes, { type: "deletes", path: call.receiver.text, deep: true, moved: true });
  return writes(0)(call);
};

export const readsFile =
  (which: Which): Meaning =>
  (call) => {
    notesRead(call, pathsAt(which)(call));
    return rest(call);
  };

export function notesRead({ notes }: Call, paths: readonly Word[]): void {
  const known = paths.filter((path) => !isUnknown(path) || path.text.length > 1);
  notes.filesRead.push(...known);
  tell(notes, ...known.map((path): Effect => ({ type: "reads", path })));
}

/** Text from a URL, or from a file if the language reads both with the same call. */
export const fetches =
  (at = 0): Meaning =>
  (call) => {
    const from = argument(call, at) ?? option(call, "url", "uri", "hostname", "host") ?? nothing;
    noteFetch(call, from);
    return carrying("network");
  };

function noteFetch(call: Call, from: Value): void {
  const { notes } = call;
  const body = option(call, "body", "data", "json", "files", "form", "content");
  const more = [from, body, option(call, "headers", "params", "auth")].filter((value) => value !== undefined);
  const word = from.text ?? option(call, "hostname", "host")?.text;
  notes.facts.add("fetches");
  if (word) notes.hosts.push(word);
  if (body || from.carries.size > 0 || !word || isUnknown(word)) notes.facts.add("posts");
  noteFlows(notes, mixed(more).carries);
  tell(notes, { type: "fetches", from: word });
  if (body) tell(notes, { type: "sends", to: word, words: wordsOf(body) });
}

/** Sends its arguments to a URL. */
export const posts: Meaning = (call) => {
  const to = argument(call, 0) ?? option(call, "url") ?? nothing;
  const data = call.given.slice(1).map(({ value }) => value);
  call.notes.facts.add("fetches").add("posts");
  noteFlows(call.notes, mixed(data).carries);
  if (to.text) call.notes.hosts.push(to.text);
  tell(call.notes, { type: "sends", to: to.text, words: data.flatMap((value) => wordsOf(value)) });
  return carrying("network");
};

/** Text decoded from other text, which a reviewer could not read. */
export const decodes: Meaning = (call) => ({
  ...rest(call),
  carries: new Set([...rest(call).carries, "decoded" as const]),
});

/** Returns the receiver in another form: `x.strip()`. */
export const sameReceiver: Meaning = ({ receiver }) => ({ ...receiver, path: "" });
export const sameArgument: Meaning = (call) => ({ ...(argument(call, 0) ?? nothing), path: "" });

export const loadsFile: Meaning = (call) => {
  const file = argument(call, 0) ?? nothing;
  if (file.text && isPlainText(file.text)) tell(call.notes, loads(file.text, call.language));
  else evaluate(call, file);
  return nothing;
};

export const allOf =
  (...all: readonly Meaning[]): Meaning =>
  (call) => {
    let result: Value | undefined;
    for (const meaning of all) result = meaning(call) ?? result;
    return result;
  };

/** Looks up a member of the first argument by its name as text: `getattr(os, "system")`. */
export const looksUp: Meaning = (call) => {
  const owner = argument(call, 0) ?? nothing;
  const name = argument(call, 1) ?? nothing;
  if (name.text && isPlainText(name.text) && owner.path !== "")
    return named(`${owner.path}.${name.text.text}`);
  if (!name.text || !isPlainText(name.text))
    tell(call.notes, danger("high", "what its code calls is only known when it runs"));
  return mixed([owner, name]);
};

/** Calls the function that a text names, with the remaining arguments: `send(:system, "ls")`. */
export const callsByName: Meaning = (call) => {
  const name = argument(call, 0) ?? nothing;
  const more = call.given.slice(1);
  if (name.path !== "" && !name.text) return call.invoke(name.path, more);
  if (!name.text || !isPlainText(name.text))
    return dangerous("what its code calls is only known when it runs")(call);
  const direct = call.invoke(name.text.text, more);
  return direct.path.endsWith("()") && call.receiver.path !== ""
    ? call.invoke(`${call.receiver.path}.${name.text.text}`, more)
    : direct;
};

/** Joins the parts of a path. */
export const joinsPath: Meaning = (call) => {
  const parts = call.given.map(({ value }) => value);
  const from = parts.findLastIndex(({ text }) => text?.text.startsWith("/") === true);
  return concatenated(parts.slice(Math.max(from, 0)), "/");
};

/** File names that match a pattern. */
export const globs: Meaning = (call) => {
  const text = argument(call, 0)?.text;
  const below = call.receiver.text;
  if (!text) return rest(call);
  return texted({ ...text, text: below ? `${below.text}/${text.text}` : text.text, isPattern: true });
};

export const always =
  (value: Value): Meaning =>
  () =>
    value;

/** Opens a file for reading or writing, depending on its mode. */
export const opens =
  (pathAt = 0, modeAt = 1): Meaning =>
  (call) => {
    const path = argument(call, pathAt) ?? option(call, "file", "path", "filename");
    if (!path) return nothing;
    const mode = (argument(call, modeAt) ?? option(call, "mode", "flags", "flag"))?.text;
    if (path.text && /^(?:https?|ftp):\/\//u.test(path.text.text)) return fetches(pathAt)(call);
    const isWriting = mode !== undefined && (isUnknown(mode) || /[wax+>]/u.test(mode.text));
    if (isWriting) writes(pathAt, mode.text.includes("a") ? "appends" : "replaces")(call);
    else notesRead(call, wordsOf(path));
    return { ...nothing, path: "open()" };
  };
