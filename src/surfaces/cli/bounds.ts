/** Limits of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, mib, minutes } from "../../base/bound.ts";

/** The command line */
export const cliBounds = {
  firstLook: {
    of: "check at the start of the language-model server whether the model can be opened",
    most: 1_000,
    unit: "milliseconds",
    beyond: "a warning is printed, and the server starts anyway",
  },
  answer: {
    of: "wait for an answer from an MCP client's person, unless configured otherwise",
    most: 10 * minutes,
    unit: "milliseconds",
    beyond: "the question counts as answered with no, and the task is interrupted",
  },
  farewell: {
    of: "time for the MCP server to finish when its client has gone",
    most: 5_000,
    unit: "milliseconds",
    beyond: "it exits anyway",
  },
  judgedText: {
    of: "a command line on the standard input of `inspect`",
    most: 4 * mib,
    unit: "bytes",
    beyond: "it is refused",
  },
  lockWait: {
    of: "wait of `doctor` for a database that another program has locked",
    most: 1_000,
    unit: "milliseconds",
    beyond: "it reports the lock",
  },
  check: {
    of: "one check of `doctor`",
    most: 10_000,
    unit: "milliseconds",
    beyond: "it reports that the check did not finish",
  },
  modelsCheck: {
    of: "check by `doctor` of the model servers",
    most: 20_000,
    unit: "milliseconds",
    beyond: "it reports that the check did not finish",
  },
  addonsCheck: {
    of: "check by `doctor` of what users add",
    most: 20_000,
    unit: "milliseconds",
    beyond: "it reports that the check did not finish",
  },
  integritySize: {
    of: "a database that `doctor` reads in full",
    most: 512 * mib,
    unit: "bytes",
    beyond: "its pages are not checked",
  },
  littleDisk: {
    of: "free disk space below which `doctor` warns",
    most: 500 * mib,
    unit: "bytes",
    beyond: "it does not warn",
  },
  tooLittleDisk: {
    of: "free disk space below which `doctor` reports an error",
    most: 50 * mib,
    unit: "bytes",
    beyond: "it only warns, or says nothing",
  },
  heldLooked: {
    of: "sessions for which `doctor` checks which process has them open, newest first",
    most: 200,
    unit: "count",
    beyond: "older ones are not checked",
  },
  blocks: {
    of: "blocks of a conversation held by a line-by-line surface",
    most: 2000,
    unit: "count",
    beyond: "the oldest are dropped; they are on the screen already",
  },
  typedAhead: {
    of: "text typed while no input is expected",
    most: mib,
    unit: "characters",
    beyond: "more is not accepted, and a message says so",
  },
  pasted: {
    of: "one pasted text",
    most: 4 * mib,
    unit: "characters",
    beyond: "the rest is dropped, and its placeholder says so",
  },
  pastes: {
    of: "pasted texts kept to be sent again",
    most: 16 * mib,
    unit: "characters",
    beyond: "the oldest are dropped; their placeholders are then sent as they are",
  },
  typedLines: {
    of: "lines that the arrow keys recall",
    most: 200,
    unit: "count",
    beyond: "the oldest are dropped",
  },
  pipedBytes: {
    of: "a prompt from a pipe",
    most: 8 * mib,
    unit: "bytes",
    beyond: "it is refused, with advice",
  },
  pipedSilence: {
    of: "silence of a standard input that no argument asked for",
    most: 2_000,
    unit: "milliseconds",
    beyond: "the prompt is used without it",
  },
} satisfies Area;
