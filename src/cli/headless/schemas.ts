/** What goes in and out of a headless run, as schemas: docs/headless.schema.json is written from them. */

import * as z from "zod/mini";
import { commands } from "../../protocol/commands.ts";
import { part, usage } from "../../protocol/fact-parts.ts";
import { stops } from "../../protocol/fact-words.ts";
import { facts, type Signal } from "../../protocol/facts.ts";
import { runVersion } from "./run-version.ts";

const version = z.literal(runVersion);
const lines = { added: z.number(), removed: z.number() };

const denied = z.object({ call: z.string(), tool: z.string(), title: z.string(), because: z.string() });

/** `answer` was given in a person's place; `null` means that the question was abandoned. */
const waited = z.object({
  type: z.enum(["approval", "question", "limit"]),
  about: z.string(),
  files: z.optional(z.array(z.string())),
  answer: z.nullable(z.enum(["allow", "deny", "given", "declined", "stop", "extend"])),
});

/** The object of `--output json`. */
export const runResult = z.object({
  version,
  session: z.nullable(z.string()),
  stopped: z.enum(stops),
  because: z.nullable(z.string()),
  advice: z.nullable(z.string()),
  goOn: z.nullable(z.string()),
  text: z.string(),
  /** The value of the answer, where it had to fit a schema; else `null`. */
  answer: z.json(),
  changed: z.array(z.string()),
  checkpoint: z.nullable(z.object({ id: z.string(), turn: z.number(), status: z.string(), ...lines })),
  staged: z.array(
    z.object({ token: z.string(), expiresAt: z.number(), files: z.array(z.string()), ...lines }),
  ),
  verified: z.array(z.string()),
  check: z.nullable(z.string()),
  denied: z.array(denied),
  waited: z.array(waited),
  usage: z.required(usage),
  cost: z.nullable(z.number()),
  unknownCosts: z.number(),
  model: z.nullable(z.string()),
  exit: z.number(),
});

/** The result of one of several requests, and of the whole run: its last line. */
const requestEnd = z.extend(runResult, { type: z.literal("request-end") });
const runEnd = z.extend(runResult, { type: z.literal("run-end") });

/** Lines of the input are counted from 1. */
const inputRefused = z.object({
  version,
  type: z.literal("input-refused"),
  line: z.number(),
  problem: z.string(),
});

const delta = { block: z.number(), offset: z.number(), text: z.string() };
const signals = [
  z.object({ version, type: z.literal("text-delta"), ...delta }),
  z.object({ version, type: z.literal("reasoning-delta"), ...delta }),
  z.object({
    version,
    type: z.literal("call-delta"),
    callId: z.string(),
    name: z.string(),
    characters: z.number(),
  }),
  z.object({
    version,
    type: z.literal("output-delta"),
    callId: z.string(),
    offset: z.number(),
    text: z.string(),
  }),
  z.object({
    version,
    type: z.literal("retrying"),
    because: z.string(),
    waitMs: z.number(),
    attempt: z.number(),
  }),
  z.object({
    version,
    type: z.literal("compacting"),
    state: z.enum(["begun", "given-up"]),
    because: z.enum(["budget", "overflow", "person"]),
    tokens: z.number(),
  }),
] as const satisfies readonly z.ZodMiniType<Signal>[];

const stamp = { v: z.number(), seq: z.number(), at: z.number(), turn: z.number() };
const factLines = Object.values(facts).map((fact) => z.extend(fact, stamp));

/** A line of `--output stream-json`. */
export const outputLine = z.union([...factLines, ...signals, requestEnd, runEnd, inputRefused]);

/** The question that `--ask-on` puts: a fact, and where it was asked. */
const asked = { ...stamp, version, session: z.string(), workspace: z.string() };
export const question = z.discriminatedUnion("type", [
  z.extend(facts["approval-asked"], asked),
  z.extend(facts["question-asked"], asked),
  z.extend(facts["limit-asked"], asked),
]);

const ofLines = { version: z.optional(version) };
const by = z.optional(commands["answer-limit"].shape.by);
const { device: _, ...interrupt } = commands.interrupt.shape;
const approval = {
  ...commands["answer-approval"].shape,
  ...ofLines,
  by,
  scope: z.optional(commands["answer-approval"].shape.scope),
};

/** A line of `--input stream-json`: what a program may ask of the session. */
export const inputLine = z.discriminatedUnion("type", [
  z.object({ ...commands.send.shape, ...ofLines, content: z.union([z.string(), z.array(part)]) }),
  z.object({ ...commands.withdraw.shape, ...ofLines }),
  z.object(approval),
  z.object({ ...commands["answer-question"].shape, ...ofLines, by }),
  z.object({ ...commands["answer-limit"].shape, ...ofLines, by }),
  z.object({ ...interrupt, ...ofLines }),
  z.object({ ...commands["set-mode"].shape, ...ofLines }),
  z.object({ ...commands["set-model"].shape, ...ofLines }),
  z.object({ ...commands["revoke-grant"].shape, ...ofLines }),
  z.object({ ...commands.rename.shape, ...ofLines }),
  z.object({ ...commands.compact.shape, ...ofLines }),
  z.object({ ...commands.undo.shape, ...ofLines }),
  z.object({ ...commands.redo.shape, ...ofLines }),
  z.object({ ...commands.keep.shape, ...ofLines }),
]);

export type RunResult = z.infer<typeof runResult>;
export type AwaitedQuestion = z.infer<typeof waited>;
export type InputRefused = z.infer<typeof inputRefused>;
export type InputLine = z.infer<typeof inputLine>;
