/** Bounds of what users add: hooks, instructions, skills, tool servers, the web. */

import { type Area, kib, mib, minutes } from "./bound.ts";

export const hooks = {
  output: {
    of: "what a hook prints, or an address answers, that is read",
    most: 256 * kib,
    unit: "bytes",
    beyond: "the rest is not read, and the hook counts as failed where its answer was cut",
  },
  context: {
    of: "what one hook tells the model at a time",
    most: 10_000,
    unit: "characters",
    beyond: "the rest is left out, and that is said",
  },
  told: {
    of: "of a result, a diff or a message, what a hook is told",
    most: 64 * kib,
    unit: "characters",
    beyond: "the rest is left out, and that is said",
  },
  time: {
    of: "the run of a hook",
    most: 2 * minutes,
    unit: "milliseconds",
    beyond: "it is ended, and what its settings say of a failure holds; 10 s unless they say more",
  },
  heldBack: {
    of: "how often hooks may hold the end of a turn back",
    most: 3,
    unit: "count",
    beyond: "the turn ends all the same",
  },
  listed: {
    of: "hooks of a workspace or of a user",
    most: 100,
    unit: "count",
    beyond: "further ones do not run, and people are told",
  },
  code: {
    of: "a file of the workspace that a hook runs",
    most: 16 * mib,
    unit: "bytes",
    beyond: "the hook is not trusted",
  },
} as const satisfies Area;

export const trust = {
  file: {
    of: "the file with what is trusted of a workspace",
    most: 1 * mib,
    unit: "bytes",
    beyond: "it counts as damaged: nothing is trusted, and people are told",
  },
  agreed: {
    of: "what is trusted of a workspace",
    most: 1_000,
    unit: "count",
    beyond: "the oldest is asked about again",
  },
  kept: {
    of: "what was agreed to, kept to be compared with what comes later, of one thing",
    most: 32 * kib,
    unit: "characters",
    beyond: "it is not kept: people are told that it changed, and not how",
  },
  keptAll: {
    of: "the same of all things of a workspace together",
    most: 256 * kib,
    unit: "bytes",
    beyond: "that of the oldest is not kept",
  },
  shownFile: {
    of: "a file that would run, as a person is shown it",
    most: 64 * kib,
    unit: "bytes",
    beyond: "the rest is left out, and that is said",
  },
  shown: {
    of: "all such files that are shown at a time",
    most: 512 * kib,
    unit: "characters",
    beyond: "the rest is left out, and that is said",
  },
  line: {
    of: "a command of a workspace",
    most: 16_000,
    unit: "characters",
    beyond: "nobody can agree to it, and people are told",
  },
  names: {
    of: "pieces of a command that may be names of files which it runs",
    most: 2_000,
    unit: "count",
    beyond: "nobody can agree to it, and people are told",
  },
  looks: {
    of: "places where files that such a command may run are looked for",
    most: 20_000,
    unit: "count",
    beyond: "nobody can agree to it, and people are told",
  },
  counted: {
    of: "files of a workspace that count for one command",
    most: 1_000,
    unit: "count",
    beyond: "nobody can agree to it, and people are told",
  },
  steps: {
    of: "steps from such a command to a file that it runs further on (a script of package.json, what that sources)",
    most: 8,
    unit: "count",
    beyond: "what lies behind does not count, and that is told",
  },
  followed: {
    of: "files that are read for what they run further on, for one command",
    most: 200,
    unit: "count",
    beyond: "what the others run does not count, and that is told",
  },
  followedText: {
    of: "such a file",
    most: 64 * kib,
    unit: "bytes",
    beyond: "what it runs further on does not count, and that is told",
  },
  countedBytes: {
    of: "what those files hold together",
    most: 32 * mib,
    unit: "bytes",
    beyond: "nobody can agree to it, and people are told",
  },
  waiting: {
    of: "what of a workspace waits for a person to agree",
    most: 1_000,
    unit: "count",
    beyond: "the rest is not listed, and not used",
  },
} as const satisfies Area;

export const instructions = {
  file: {
    of: "an instruction file",
    most: 64 * kib,
    unit: "bytes",
    beyond: "the rest is left out, and people are told",
  },
  all: {
    of: "all instruction files of a session together",
    most: 256 * kib,
    unit: "bytes",
    beyond: "further files are not read, and people are told",
  },
  imports: {
    of: "files that import one another, in a row",
    most: 5,
    unit: "count",
    beyond: "further imports stay as they are written",
  },
} as const satisfies Area;

export const skills = {
  listed: {
    of: "skills, commands and agents that are offered, each",
    most: 200,
    unit: "count",
    beyond: "further ones are not offered, and people are told",
  },
  looked: {
    of: "what is looked at in a folder with skills, commands or agents",
    most: 10_000,
    unit: "count",
    beyond: "the rest of the folder is not looked at",
  },
  told: {
    of: "names and descriptions of all skills, as the model is told them",
    most: 12_000,
    unit: "characters",
    beyond: "each description is cut, all to the same length",
  },
  described: {
    of: "the description of one skill, command or agent",
    most: 1_024,
    unit: "characters",
    beyond: "the rest is left out",
  },
  file: {
    of: "a file of a skill, a command or an agent definition",
    most: 64 * kib,
    unit: "bytes",
    beyond: "the rest is left out, and that is said",
  },
  named: {
    of: "files of a skill that the model is told of",
    most: 100,
    unit: "count",
    beyond: "their number is told",
  },
  agreed: {
    of: "what is read of all skills of a workspace that have code, so that a person can agree to just that",
    most: 64 * mib,
    unit: "bytes",
    beyond: "the skill is not offered, and people are told",
  },
} as const satisfies Area;

export const servers = {
  start: {
    of: "the start of a tool server",
    most: 30_000,
    unit: "milliseconds",
    beyond: "it is ended and tried again later; its tools are missing until then",
  },
  firstWait: {
    of: "how long a session's question waits for tool servers that are starting",
    most: 5_000,
    unit: "milliseconds",
    beyond: "the model is asked without their tools, which are there at its next step",
  },
  call: {
    of: "a call of a tool server without any sign of life, unless its settings say otherwise",
    most: 60_000,
    unit: "milliseconds",
    beyond: "the server is told to stop, and the call fails",
  },
  wholeCall: {
    of: "a call of a tool server that keeps telling of its progress",
    most: 30 * minutes,
    unit: "milliseconds",
    beyond: "the server is told to stop, and the call fails",
  },
  login: {
    of: "a login at a tool server, until the browser comes back",
    most: 5 * minutes,
    unit: "milliseconds",
    beyond: "it is given up, and nothing is kept",
  },
  rest: {
    of: "the wait before a tool server that ended is started again, which doubles each time",
    most: 60_000,
    unit: "milliseconds",
    beyond: "it grows no further",
  },
  restarts: {
    of: "starts of a tool server in a row that came to nothing",
    most: 6,
    unit: "count",
    beyond: "it is given up until the next request, and people are told",
  },
  goodbye: {
    of: "how long a tool server may take to end by itself once its input is closed",
    most: 500,
    unit: "milliseconds",
    beyond: "it is asked to end, then killed with all that came of it",
  },
  message: {
    of: "one message of a tool server",
    most: 10 * mib,
    unit: "bytes",
    beyond: "it is not read: the call that it answers fails, or the connection is ended",
  },
  messages: {
    of: "messages of a tool server that are read in a second",
    most: 2_000,
    unit: "count",
    beyond:
      "only answers to what it was asked are, which people are told once; after as many of those nothing more is read until the second is over",
  },
  passedOver: {
    of: "what a tool server says in a second beyond that",
    most: 16 * mib,
    unit: "bytes",
    beyond: "nothing more is read of it until the second is over",
  },
  again: {
    of: "the rest between two readings of a tool server's lists that it says have changed",
    most: 250,
    unit: "milliseconds",
    beyond: "changes within it are read together when it is over; it is longer where reading takes long",
  },
  complaints: {
    of: "what a tool server says on standard error that is kept",
    most: 16 * kib,
    unit: "bytes",
    beyond: "what it said before is forgotten",
  },
  tools: {
    of: "tools of one tool server",
    most: 1_000,
    unit: "count",
    beyond: "further ones are not offered, and people are told",
  },
  told: {
    of: "tools of all tool servers that the model is told of without looking for them",
    most: 40,
    unit: "count",
    beyond: "it is told of none until it has looked for them",
  },
  pinned: {
    of: "tools of one tool server whose definition is remembered",
    most: 2_000,
    unit: "count",
    beyond:
      "further ones count as changed until they are accepted, which forgets what it does not offer any more",
  },
  toldText: {
    of: "descriptions and schemas of those",
    most: 48 * kib,
    unit: "characters",
    beyond: "the model is told of none until it has looked for them",
  },
  found: {
    of: "tools that one search for tools finds",
    most: 8,
    unit: "count",
    beyond: "only the best ones are told",
  },
  description: {
    of: "a description that a tool server gives",
    most: 2_000,
    unit: "characters",
    beyond: "the rest is left out",
  },
  schema: {
    of: "the schema of a tool server's tool, as the model is told it",
    most: 32 * kib,
    unit: "characters",
    beyond: "its descriptions are left out, then what is nested in it; calls are checked by all of it",
  },
  instructions: {
    of: "instructions that a tool server gives",
    most: 4_000,
    unit: "characters",
    beyond: "the rest is left out",
  },
  resources: {
    of: "resources or prompts of a tool server that are listed",
    most: 500,
    unit: "count",
    beyond: "further ones are not listed, which is said",
  },
  images: {
    of: "pictures of one result of a tool server",
    most: 8,
    unit: "count",
    beyond: "further ones are left out, which is said",
  },
  result: {
    of: "a result of a tool server that the model is told",
    most: 100_000,
    unit: "characters",
    beyond: "the middle is left out; all of it can be read again",
  },
  described: {
    of: "tool servers in a file of a workspace",
    most: 100,
    unit: "count",
    beyond: "the rest is left out, and people are told",
  },
  file: {
    of: "a file that says which tool servers a workspace has, or what is known of one",
    most: 1 * mib,
    unit: "bytes",
    beyond: "it is not read, and people are told",
  },
} as const satisfies Area;

export const telemetry = {
  content: {
    of: "a text of the conversation in telemetry, where contents are asked for",
    most: 64 * kib,
    unit: "characters",
    beyond: "the rest is left out",
  },
  load: {
    of: "the module that sets telemetry up, while it is loaded",
    most: 10_000,
    unit: "milliseconds",
    beyond: "there is no telemetry, which is told",
  },
  flush: {
    of: "what is handed on when a run ends",
    most: 3_000,
    unit: "milliseconds",
    beyond: "the rest of it is lost",
  },
  delegating: {
    of: "calls that run, of which is known where they stand in a trace: they may give tasks to other sessions",
    most: 1_000,
    unit: "count",
    beyond: "the oldest are forgotten: those sessions are traces of their own",
  },
} as const satisfies Area;
