/** Calls in code that touch files. */

import type { Word } from "../../command-line/word.ts";
import { doesMore } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { hiddenDeletion, noteReading } from "./notes.ts";
import { fetches, isAddress } from "./running.ts";
import {
  argument,
  type CodeCall,
  type Meaning,
  option,
  positional,
  textOf,
  type Value,
  valueNamed,
  wordsOf,
} from "./value.ts";

/** Whose paths: those of all arguments, of one of them, or the value before the dot. */
type Whose = (call: CodeCall) => readonly Word[];

export const all: Whose = (call) => positional(call).flatMap(wordsOf);
export const first: Whose = (call) => wordsOf(argument(call, 0));
export const second: Whose = (call) => wordsOf(argument(call, 1));
export const receiver: Whose = (call) => wordsOf(call.receiver);

const isKnown = ({ text }: Word): boolean => text !== "\0";

/** `hidden`: what is said of paths that only the run tells. */
const touches =
  (paths: Whose, effect: (path: Word, call: CodeCall) => Effect, hidden: Effect): Meaning =>
  (call) => {
    const found = paths(call);
    const known = found.filter(isKnown);
    if (known.length < found.length || found.length === 0) call.notes.effects.push(hidden);
    call.notes.effects.push(...known.map((path) => effect(path, call)));
    return undefined;
  };

export const deletes = (whose: Whose, deep = false): Meaning =>
  touches(
    whose,
    (path, call) => ({
      type: "deletes",
      path,
      deep: deep || option(call, /^(?:recursive|force)$/u) !== undefined,
    }),
    hiddenDeletion,
  );

export const writes = (whose: Whose, how: "replaces" | "creates" = "replaces"): Meaning =>
  touches(whose, (path) => ({ type: "writes", path, how }), doesMore);

export const moves: Meaning = (call) => {
  touches(first, (path) => ({ type: "deletes", path, deep: true, moved: true }), hiddenDeletion)(call);
  return writes(second)(call);
};

export const copies: Meaning = (call) => {
  reads(call);
  return writes(second)(call);
};

/** The mode is the number among the arguments. */
export const permits: Meaning = (call) => {
  const words = [...(call.receiver.words ?? []), ...positional(call).flatMap(wordsOf)];
  const mode = words.find(({ text }) => /^0?o?[0-7]{3,5}$/iu.test(text));
  return touches(
    () => words.filter((word) => word !== mode),
    (path) => ({
      type: "permits",
      path,
      mode: mode && { ...mode, text: mode.text.replace(/^0?o/iu, "") },
      deep: false,
    }),
    doesMore,
  )(call);
};

/** Reads an address, standard input, or a file. */
export const reads: Meaning = (call) => {
  const from = argument(call, 0);
  if (isAddress(textOf(from))) return fetches(call);
  if (from.path === "process.stdin.fd" || /^(?:0|\/dev\/stdin)$/u.test(textOf(from) ?? ""))
    return { path: "", isInput: true };
  return notesRead(call, wordsOf(from));
};

export function notesRead({ notes, path: callee }: CodeCall, paths: readonly Word[]): Value {
  noteReading(paths.filter(isKnown), notes);
  return valueNamed(`${callee}()`);
}

/** Reads or writes, depending on its mode. */
export const opens: Meaning = (call) => {
  const [first, mode = option(call, /^(?:mode|flags?)$/u)] = positional(call);
  const [word] = first?.words ?? [];
  if (!first || !word) return valueNamed("open()");
  if (isAddress(word.text)) return fetches(call);
  if (!/[wax+>\0]/u.test(mode?.words?.[0]?.text ?? "")) return notesRead(call, [word]);
  return writes(() => [word])(call);
};
