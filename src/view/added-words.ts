/** One-line descriptions of what extensions did in a session: instruction files, hooks, tool servers, subagents. */

import { firstLine } from "../base/text.ts";
import type { Entry, FactOf } from "../protocol/facts.ts";

export type AddedFact = Extract<
  Entry,
  {
    type:
      | "instructions-read"
      | "context-added"
      | "hook-ran"
      | "tools-found"
      | "child-started"
      | "child-ended"
      | "work-kept"
      | "work-delivered";
  }
>;

/** Undefined for facts that a person need not see. */
export function addedWords(event: AddedFact): string | undefined {
  switch (event.type) {
    case "instructions-read":
      return instructionWords(event);
    case "context-added":
      return sourceWords[event.from](event.name);
    case "hook-ran":
      return hookWords(event);
    case "tools-found":
      return undefined;
    case "child-started":
      return `A subagent${event.agent === undefined ? "" : ` (${event.agent})`} works on: ${firstLine(event.task, 120)} (session ${event.session})`;
    case "child-ended":
      return undefined; // the call's result shows it
    case "work-kept":
      return event.problem === undefined
        ? undefined
        : `The work of this session is only on its machine, because it could not be stored: ${event.problem}.`;
    case "work-delivered":
      return `The work was ${event.as === "push" ? "pushed to" : "put on"} the branch ${event.branch} (commit ${event.commit.slice(0, 12)}).`;
    default:
      return event satisfies never;
  }
}

const instructionWords = ({ files }: FactOf<"instructions-read">): string =>
  files.length === 0
    ? "The instruction files are gone."
    : `Instructions: ${files.map(({ path }) => path).join(", ")}.`;

const sourceWords = {
  instructions: (name: string) => `Instructions for this part of the workspace: ${name}.`,
  hook: (name: string) => `The hook ${name} told the model something.`,
  server: (name: string) => `The server ${name} told the model something.`,
};

/** Shows the arguments that actually run, in case a hook replaced those first shown. */
function inShort(input: Readonly<Record<string, unknown>>): string {
  const words = JSON.stringify(input);
  return words.length > 300 ? `${words.slice(0, 299)}…` : words;
}

/** A hook that ran and reported nothing is not worth a line. */
function hookWords({ hook, event, outcome, because, input }: FactOf<"hook-ran">): string | undefined {
  const why = because === undefined || because === "" ? "" : `: ${because}`;
  switch (outcome) {
    case "ok":
      return input
        ? `The hook ${hook} (${event}) changed the call's arguments: ${inShort(input)}`
        : undefined;
    case "asked":
      return `The hook ${hook} (${event}) wants a person to be asked${why}`;
    case "vetoed":
      return `The hook ${hook} (${event}) said no${why}`;
    case "failed":
      return `The hook ${hook} (${event}) failed${why}`;
    case "timeout":
      return `The hook ${hook} (${event}) took too long${why}`;
    case "blocked":
      return `The hook ${hook} (${event}) could not say yes, which counts as a no${why}`;
    default:
      return outcome satisfies never;
  }
}
