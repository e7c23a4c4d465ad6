/** Limits of hooks, instruction files, skills and telemetry. */

import { type Area, kib, mib, minutes } from "../bound.ts";

export const hooks = {
  output: {
    of: "output or response body of a hook that is read",
    most: 256 * kib,
    unit: "bytes",
    beyond: "the rest is not read; the hook counts as failed if that cut its answer",
  },
  context: {
    of: "text that one hook adds for the model at a time",
    most: 10_000,
    unit: "characters",
    beyond: "the rest is left out, with a note",
  },
  told: {
    of: "text of a result, diff or message that a hook is given",
    most: 64 * kib,
    unit: "characters",
    beyond: "the rest is left out, with a note",
  },
  time: {
    of: "run time of a hook; the default is 10 s",
    most: 2 * minutes,
    unit: "milliseconds",
    beyond: "it is ended, and its `onFailure` setting decides",
  },
  heldBack: {
    of: "times that hooks can keep a turn from ending",
    most: 3,
    unit: "count",
    beyond: "the turn ends anyway",
  },
  listed: {
    of: "hooks of a workspace, and of a user",
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
    of: "depth of imports between instruction files",
    most: 5,
    unit: "count",
    beyond: "further imports stay as they are written",
  },
} as const satisfies Area;

export const skills = {
  listed: {
    of: "skills offered; the same for commands, and for agents",
    most: 200,
    unit: "count",
    beyond: "further ones are not offered, and people are told",
  },
  looked: {
    of: "entries examined in a folder of skills, commands or agents",
    most: 10_000,
    unit: "count",
    beyond: "the rest of the folder is not examined",
  },
  told: {
    of: "names and descriptions of all skills, as given to the model",
    most: 12_000,
    unit: "characters",
    beyond: "every description is cut to the same length",
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
    beyond: "the rest is left out, with a note",
  },
  named: {
    of: "files of a skill named to the model",
    most: 100,
    unit: "count",
    beyond: "only their number is given",
  },
  agreed: {
    of: "files read for the approval of a workspace's skills that contain code, all together",
    most: 64 * mib,
    unit: "bytes",
    beyond: "the skill is not offered, and people are told",
  },
} as const satisfies Area;

export const telemetry = {
  content: {
    of: "one text of the conversation in telemetry, if contents are enabled",
    most: 64 * kib,
    unit: "characters",
    beyond: "the rest is left out",
  },
  load: {
    of: "loading of the module that sets up telemetry",
    most: 10_000,
    unit: "milliseconds",
    beyond: "there is no telemetry, and a warning says so",
  },
  flush: {
    of: "time for exporting telemetry when a run ends",
    most: 3_000,
    unit: "milliseconds",
    beyond: "the rest is lost",
  },
  delegating: {
    of: "running calls whose place in a trace is remembered, in case they start other sessions",
    most: 1_000,
    unit: "count",
    beyond: "the oldest are forgotten: their sessions become separate traces",
  },
} as const satisfies Area;
