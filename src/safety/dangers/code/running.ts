/** Calls in code that run something: programs, text as code, files, and requests to other machines. */

import { isUnknown, unknownWord, type Word } from "../../command-line/word.ts";
import { danger, interprets, loads, runs } from "../effect-makers.ts";
import { type Notes, noteFlows, noteModule, unclear } from "./notes.ts";
import {
  argument,
  concatenation,
  isInput,
  type Meaning,
  option,
  positional,
  textOf,
  textValue,
  valueNamed,
  wordsOf,
} from "./value.ts";

export function runsShell(notes: Notes, command: Word): undefined {
  notes.facts.add("starts");
  if (isUnknown(command)) notesUnknownRun(notes, command);
  notes.effects.push(interprets("shell", command));
}

function notesUnknownRun(notes: Notes, { carries }: Word): void {
  noteFlows(notes, carries);
  notes.facts.add("evaluates");
}

/** Text for a shell. */
export const line: Meaning = (call) =>
  runsShell(call.notes, concatenation([argument(call, 0)], " ").words?.[0] ?? unknownWord());

/** A program and its arguments, one by one or in a list; a single text is a line for a shell. */
export const starts: Meaning = (call) => {
  const values = positional(call).filter(
    ({ path, fields, words }) => (!fields || words) && !/\bP_\w+$/u.test(path),
  );
  const more = option(call, /^args$/u);
  const all = [...values, ...(more && !values.includes(more) ? [more] : [])].flatMap(wordsOf);
  // `execlp("ls", "ls", "-l")` names the program twice.
  const words = all[0]?.text === all[1]?.text ? all.slice(1) : all;
  const [program = unknownWord()] = words;
  const isLine = /true|1/iu.test(option(call, /^shell$/u)?.path ?? "");
  if (isLine || words.length < 2)
    return runsShell(call.notes, concatenation([textValue(...words)], " ").words?.[0] ?? program);
  call.notes.facts.add("starts");
  if (isUnknown(program)) notesUnknownRun(call.notes, program);
  const directory = option(call, /^(?:cwd|chdir)$/u)?.words?.[0];
  const input = option(call, /^(?:input|stdin_data)$/u)?.words?.[0];
  call.notes.effects.push(
    runs(words, {
      ...(directory ? { directory } : {}),
      ...(input ? { input: { text: input, flows: input.carries, isGiven: true } } : {}),
    }),
  );
  return undefined;
};

/** Text that is run as code of the same language. */
export const evaluates: Meaning = (call) => {
  const { notes, language } = call;
  const texts = positional(call).flatMap(({ words }) => words ?? []);
  const code = concatenation([textValue(...texts)], "\n").words?.[0];
  if (argument(call, 0).words && code && !isUnknown(code)) notes.effects.push(interprets(language, code));
  else if (isInput(call)) notes.effects.push({ type: "interprets-input", language });
  else notesUnknownRun(notes, code ?? unknownWord());
  return undefined;
};

export const isAddress = (text: string | undefined): boolean => /^(?:https?|ftp):\/\//iu.test(text ?? "");

/** Runs the code in a file or at an address. */
export const loadsCode: Meaning = (call) => {
  const file = argument(call, 0);
  const text = textOf(file);
  if (isAddress(text)) call.notes.effects.push(danger("critical", "its code runs text from the network"));
  else if (text === undefined) evaluates(call);
  else call.notes.effects.push(...wordsOf(file).map((path) => loads(path, call.language)));
  return undefined;
};

export const imports: Meaning = (call) => {
  const { notes, language } = call;
  const text = textOf(argument(call, 0));
  if (text !== undefined) return valueNamed(noteModule(language, notes, text));
  notes.effects.push(unclear);
  notes.facts.add("evaluates");
  return undefined;
};

export const fetches: Meaning = (call) => {
  const { notes } = call;
  const values = positional(call);
  const from = (
    values.find((value) => isAddress(textOf(value))) ??
    option(call, /^(?:url|uri|host|hostname)$/u) ??
    values[0]
  )?.words?.[0];
  const body = option(call, /^(?:body|data|json|files|form|content)$/u);
  notes.facts.add("fetches");
  if (from) notes.hosts.push(from);
  if (body || !from || isUnknown(from)) notes.facts.add("posts");
  notes.effects.push({ type: "fetches", from });
  if (body) notes.effects.push({ type: "sends", to: from, words: wordsOf(body) });
  return undefined;
};

/** Sends what it is given behind the address. */
export const posts: Meaning = (call) => {
  const words = call.given.slice(1).flatMap(({ value }) => wordsOf(value));
  call.notes.facts.add("posts");
  call.notes.effects.push({ type: "sends", to: argument(call, 0).words?.[0], words });
  return fetches(call);
};
