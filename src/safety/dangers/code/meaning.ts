/** What a call in code is given, and what it can do: start programs, evaluate text, fetch and send. */

import { isUnknown, literal, unknownWord, type Word } from "../../command-line/word.ts";
import { danger, interprets, loads, runs } from "../effect-makers.ts";
import type { Language } from "../effect.ts";
import { isPlainText, noteFlows, type Notes, tell } from "./notes.ts";
import { type Argument, carrying, mixed, nothing, type Value, wordOf, wordsOf } from "./value.ts";

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

export const positional = ({ given }: Call): Value[] =>
  given.filter(({ name }) => name === "").map(({ value }) => value);

export const argument = (call: Call, at: number): Value | undefined => positional(call)[at];

/** A named argument such as `shell=True`, or a property of an object argument. */
export function option(call: Call, ...names: readonly string[]): Value | undefined {
  const all = call.given.flatMap((given) => [given, ...(given.value.items ?? [])]);
  return all.find(({ name }) => names.includes(name))?.value;
}

export const isTrue = (value: Value | undefined): boolean =>
  value !== undefined && /^(?:true|1)$/iu.test(value.text?.text ?? value.path);

/** An unknown result, which has the flows of all that the call was given. */
export const rest = ({ receiver, given }: Call): Value =>
  mixed([receiver, ...given.map(({ value }) => value)]);

const unclear = danger("high", "what its code calls is only known when it runs");

export const isUnclear = ({ notes }: Call): Value => {
  tell(notes, unclear);
  return nothing;
};

export function runsShell(notes: Notes, command: Value): Value {
  notes.facts.add("starts");
  const word = wordOf(command);
  if (!isPlainText(word)) notesUnknownRun(notes, word);
  tell(notes, interprets("shell", word));
  return carrying("random");
}

/** Records that code known only at run time is executed; the severity depends on its origin. */
function notesUnknownRun(notes: Notes, { carries }: Word): void {
  noteFlows(notes, carries);
  notes.facts.add("evaluates");
}

/** Text that the shell runs. */
export const line: Meaning = (call) =>
  runsShell(call.notes, argument(call, 0) ?? option(call, "cmd", "command", "args") ?? nothing);

/**
 * A program and its arguments, one by one or in a list; a single text is a shell line. `renamed`: the program is named
 * twice, as in `execlp("ls", "ls", "-l")`.
 */
export const starts =
  ({ skip = 0, renamed = false } = {}): Meaning =>
  (call) => {
    const values = positional(call).slice(skip);
    const listed = option(call, "args", "cmd", "command");
    const [first = listed, ...more] = values.filter(({ items }) => !items?.some(({ name }) => name !== ""));
    if (!first) return line(call);
    const list = listed === first ? undefined : listed;
    const after = [...(renamed && !more[0]?.items ? more.slice(1) : more), ...(list ? [list] : [])].flatMap(
      wordsOf,
    );
    const words = [...wordsOf(first), ...(renamed && more[0]?.items ? after.slice(1) : after)];
    const isLine = isTrue(option(call, "shell")) || (words.length === 1 && !first.items && !renamed);
    if (!isLine) return startsWords(call, words);
    const text = words.map((word) => word.text).join(" ");
    return runsShell(
      call.notes,
      words.length === 1
        ? { ...first, ...(first.text ? {} : rest(call)), text: words[0] }
        : { ...rest(call), text: { ...literal(text), carries: rest(call).carries } },
    );
  };

function startsWords(call: Call, words: readonly Word[]): Value {
  const { notes } = call;
  notes.facts.add("starts");
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
  return carrying("random");
}

/** Text that is evaluated as code of the same language. */
export function evaluate({ notes, language }: Call, code: Value): void {
  if (code.text && isPlainText(code.text)) tell(notes, interprets(language, code.text));
  else if (code.carries.has("input") && code.carries.size === 1)
    tell(notes, { type: "interprets-input", language });
  else {
    notesUnknownRun(notes, wordOf(code));
    tell(notes, danger("high", "its code runs text that only the run tells"));
  }
}

export const isAddress = (value: Value | undefined): boolean =>
  /^(?:https?|ftp):\/\//iu.test(value?.text?.text ?? "");

/** Runs the code in a file or at an address. */
export const loadsCode: Meaning = (call) => {
  const file = argument(call, 0) ?? nothing;
  if (isAddress(file)) tell(call.notes, danger("critical", "its code runs text from the network"));
  else if (file.text && isPlainText(file.text)) tell(call.notes, loads(file.text, call.language));
  else evaluate(call, file);
  return nothing;
};

/** Imports a module by name: `require("fs")`. A name known only at run time is dangerous. */
export const imports: Meaning = (call) => {
  const module = argument(call, 0) ?? nothing;
  if (module.text && isPlainText(module.text)) {
    const path = call.importing(module.text.text);
    return path === "" ? nothing : { ...nothing, path };
  }
  if (module.carries.has("network") || module.carries.has("decoded")) evaluate(call, module);
  tell(call.notes, danger("high", "which code it loads is only known when it runs"));
  return nothing;
};

export const fetches =
  (at = 0): Meaning =>
  (call) => {
    const { notes } = call;
    const from = argument(call, at) ?? option(call, "url", "uri", "hostname", "host") ?? nothing;
    const body = option(call, "body", "data", "json", "files", "form", "content");
    const more = option(call, "headers", "params", "auth");
    const word = from.text ?? option(call, "hostname", "host")?.text;
    notes.facts.add("fetches");
    if (word) notes.hosts.push(word);
    if (body || from.carries.size > 0 || !word || isUnknown(word)) notes.facts.add("posts");
    noteFlows(notes, mixed([from, body ?? nothing, more ?? nothing]).carries);
    tell(notes, { type: "fetches", from: word });
    if (body) tell(notes, { type: "sends", to: word, words: wordsOf(body) });
    return carrying("network");
  };

/** Sends its arguments to an address. */
export const posts: Meaning = (call) => {
  const to = (argument(call, 0) ?? option(call, "url") ?? nothing).text;
  const data = call.given.slice(1).map(({ value }) => value);
  call.notes.facts.add("fetches").add("posts");
  noteFlows(call.notes, mixed(data).carries);
  if (to) call.notes.hosts.push(to);
  tell(call.notes, { type: "sends", to, words: data.flatMap((value) => wordsOf(value)) });
  return carrying("network");
};
