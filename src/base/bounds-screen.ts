/** Where the work of the command line ends. A part of the table in bounds.ts. */

import { type Area, mib } from "./bound.ts";

export const screen = {
  judgedText: {
    of: "a command line on the standard input of inspect",
    most: 4 * mib,
    unit: "bytes",
    beyond: "it is refused",
  },
  versionTime: {
    of: "asking a program for its version",
    most: 5_000,
    unit: "milliseconds",
    beyond: "it counts as not there",
  },
  connectTime: {
    of: "doctor's try to connect to an address",
    most: 3_000,
    unit: "milliseconds",
    beyond: "it is told that nothing answers there",
  },
  serversWait: {
    of: "how long doctor waits for tool servers to start",
    most: 5_000,
    unit: "milliseconds",
    beyond: "it is told that they have not started yet, and they are ended",
  },
  lockWait: {
    of: "how long doctor waits for a database that another program has locked",
    most: 1_000,
    unit: "milliseconds",
    beyond: "it is told",
  },
  check: {
    of: "a check of doctor",
    most: 10_000,
    unit: "milliseconds",
    beyond: "it is told that it could not be looked at",
  },
  modelsCheck: {
    of: "doctor's question to the servers of models",
    most: 20_000,
    unit: "milliseconds",
    beyond: "it is told that they could not be looked at",
  },
  addonsCheck: {
    of: "doctor's look at what users add",
    most: 20_000,
    unit: "milliseconds",
    beyond: "it is told that it could not be looked at",
  },
  integritySize: {
    of: "a database that doctor reads whole",
    most: 512 * mib,
    unit: "bytes",
    beyond: "its pages are not looked at",
  },
  littleDisk: {
    of: "room on the disk that doctor finds enough",
    most: 500 * mib,
    unit: "bytes",
    beyond: "nothing is said; with less it warns",
  },
  tooLittleDisk: {
    of: "room on the disk that doctor finds too little",
    most: 50 * mib,
    unit: "bytes",
    beyond: "it only warns, or says nothing",
  },
  heldLooked: {
    of: "sessions of which doctor looks who has them open, the newest",
    most: 200,
    unit: "count",
    beyond: "older ones are not looked at",
  },
  blocks: {
    of: "blocks of a conversation that a line-by-line surface holds",
    most: 2000,
    unit: "count",
    beyond: "the oldest are forgotten; they are on the screen already",
  },
  typedAhead: {
    of: "what is typed while nothing is asked for",
    most: mib,
    unit: "characters",
    beyond: "more is not taken, which is told",
  },
  pasted: {
    of: "one text that is pasted",
    most: 4 * mib,
    unit: "characters",
    beyond: "the rest is dropped, which its mark says",
  },
  pastes: {
    of: "texts that were pasted and may be sent again",
    most: 16 * mib,
    unit: "characters",
    beyond: "the oldest are forgotten: their marks are then sent as they are",
  },
  typedLines: {
    of: "lines that the arrow keys bring back",
    most: 200,
    unit: "count",
    beyond: "the oldest are forgotten",
  },
  pipedBytes: {
    of: "a prompt from a pipe",
    most: 8 * mib,
    unit: "bytes",
    beyond: "it is refused, with advice",
  },
  pipedSilence: {
    of: "silence of a pipe that nobody named",
    most: 2_000,
    unit: "milliseconds",
    beyond: "the prompt does without it",
  },
} satisfies Area;
