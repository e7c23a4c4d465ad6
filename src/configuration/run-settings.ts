/** The settings of one run of the command line: its session, what goes in and comes out, and how long it may take. */

import { inputs, outputs } from "./options/option-choices.ts";
import type { Values } from "./options/options.ts";
import { numberOf, textOf, textsOf } from "./setting-values.ts";

export type RunSettings = {
  prompt: string | undefined;
  /** Files to send with the prompt, as named by the user; relative to the current directory. */
  attach: readonly string[];
  input: (typeof inputs)[number];
  output: (typeof outputs)[number];
  /** Print signals as well, with the output `stream-json`. */
  partial: boolean;
  /** Where the answer is written as well, absolute. */
  outputFile: string | undefined;
  /** The file with the schema of the answer, absolute. */
  jsonSchema: string | undefined;
  /** What has to be met and verified before the request is done. */
  goal: string | undefined;
  /** The user's own command line that answers questions. */
  askOn: string | undefined;
  continue: boolean;
  /** The session to continue. */
  resume: string | undefined;
  /** Continue in a copy of it. */
  fork: boolean;
  /** Resume even if another running program has the session open. */
  takeOver: boolean;
  /** The session to work in, new or not. */
  sessionId: string | undefined;
  /** Keep the session in memory only. */
  noSave: boolean;
  /** Milliseconds that a headless run may take. */
  timeoutMs: number | undefined;
};

/** `pathOf` resolves a path as a shell would. */
export function runSettings(values: Values, pathOf: (value: unknown) => string | undefined): RunSettings {
  const input = inputs.find((name) => name === values.input) ?? "text";
  return {
    prompt: textOf(values.prompt),
    attach: textsOf(values.attach),
    input,
    output: outputs.find((name) => name === values.output) ?? (input === "text" ? "text" : "stream-json"),
    partial: values.partial === true,
    outputFile: pathOf(values.outputFile),
    jsonSchema: pathOf(values.jsonSchema),
    goal: textOf(values.goal),
    askOn: textOf(values.askOn),
    continue: values.continue === true,
    resume: textOf(values.resume),
    fork: values.fork === true,
    takeOver: values.takeOver === true,
    sessionId: textOf(values.sessionId),
    noSave: values.noSave === true,
    timeoutMs: numberOf(values.timeout),
  };
}
