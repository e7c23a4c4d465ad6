/** A call in code: what it is called by, and what it is given. */

import type { Notes } from "./notes.ts";
import type { CodeLanguage } from "./token.ts";
import { type Argument, nothing, type Value } from "./value.ts";

export type CodeCall = {
  readonly path: string;
  /** The value before the last dot. */
  readonly receiver: Value;
  readonly given: readonly Argument[];
  readonly language: CodeLanguage;
  readonly notes: Notes;
  /** Calls something else. */
  readonly again: (path: string, given: readonly Argument[]) => Value;
};

/** Records what the call does and returns its result, if that is known. */
export type Meaning = (call: CodeCall) => Value | undefined;

const givenAsFirst = /^(?:|path|src|filename|file|url|uri|cmd|command|args)$/u;

export const positional = ({ given }: CodeCall): Value[] =>
  given.filter(({ name }) => givenAsFirst.test(name)).map(({ value }) => value);

export const argument = (call: CodeCall, at: number): Value => positional(call)[at] ?? nothing;

/** A named argument such as `shell=True`, or a field of an object among the arguments. */
export const option = ({ given }: CodeCall, names: RegExp): Value | undefined =>
  given.flatMap((one) => [one, ...(one.value.fields ?? [])]).find(({ name }) => names.test(name))?.value;

export const isInput = ({ receiver, given }: CodeCall): boolean =>
  [receiver, ...given.map(({ value }) => value)].some((value) => value.isInput === true);

/** A result of which only that is known. */
export const resultOf = (call: CodeCall): Value => ({ path: `${call.path}()`, isInput: isInput(call) });
