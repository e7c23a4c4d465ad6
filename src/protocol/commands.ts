/** Schemas of the commands a surface may send to a session; commands from outside are validated against them. */

import * as z from "zod/mini";
import { droppedPart, grant, part, planStep } from "./fact-parts.ts";
import { deliveries, modes, scopes } from "./fact-words.ts";
import { reasonings } from "./messages.ts";

/** Who sends the command, as a display name. */
const by = z.string().check(z.maxLength(200));
/** Absent from the fact, too, if nobody is named. */
const signed = { by: z.optional(by) };
const onConflict = z.enum(["skip", "restore", "merge"]);
const paths = z.optional(z.array(z.string()));
const turn = z.optional(z.number());

export const commands = {
  /**
   * A request. While a turn runs it waits: for the turn's next safe point, or for its end if `when` is "next". `id` is
   * chosen by the sender: a message with a known id is ignored, so a send whose delivery is uncertain can be repeated.
   */
  send: z.object({
    type: z.literal("send"),
    content: z.array(part),
    when: z.optional(z.enum(deliveries)),
    id: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
    ...signed,
  }),
  /** Withdraws a queued message. */
  withdraw: z.object({ type: z.literal("withdraw"), id: z.string(), ...signed }),
  /**
   * `command`: run this instead of the command in the question; it is judged again, as one written by a person. `drops`:
   * what is not kept, where the question is about the changes of a command that has run (`held`).
   */
  "answer-approval": z.object({
    type: z.literal("answer-approval"),
    callId: z.string(),
    answer: z.enum(["allow", "deny"]),
    scope: z.enum(scopes),
    by,
    note: z.optional(z.string()),
    command: z.optional(z.string()),
    drops: z.optional(z.array(droppedPart)),
  }),
  /**
   * Answers the model's question: `chosen` has indices of its choices, from 0; `text` is free text. A plan is approved
   * with "given" (amended if `steps` are passed) and carried out in `mode` ("ask" by default); "declined" rejects it.
   */
  "answer-question": z.object({
    type: z.literal("answer-question"),
    callId: z.string(),
    answer: z.enum(["given", "declined"]),
    by,
    text: z.optional(z.string()),
    chosen: z.optional(z.array(z.number())),
    steps: z.optional(z.array(planStep)),
    mode: z.optional(z.enum(modes)),
  }),
  /** `most`: the turn's limit from here on; the offered value by default. */
  "answer-limit": z.object({
    type: z.literal("answer-limit"),
    answer: z.enum(["stop", "extend"]),
    most: z.optional(z.number()),
    by,
  }),
  /** Resumes a turn that a crash or a closed program left open. */
  "go-on": z.object({ type: z.literal("go-on") }),
  /**
   * Stops whatever runs; everything said and done so far stays. `because`: what stops it, if not a person. `by`: "a
   * program" by default. `device`: the id of the signed-in browser that asks; only a gateway sets it, with the browser's
   * name as `by`.
   */
  interrupt: z.object({
    type: z.literal("interrupt"),
    because: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
    by: z.optional(by),
    device: z.optional(by),
  }),
  /** Applies to the running turn and to later ones. `by`: "user" by default. */
  "set-mode": z.object({ type: z.literal("set-mode"), mode: z.enum(modes), by: z.optional(by) }),
  /** Applies from the next turn on. The model as people name it: "provider/model". */
  "set-model": z.object({ type: z.literal("set-model"), model: z.string(), by: z.optional(by) }),
  /**
   * How much the model thinks before it answers, from its next answer on; `default`: as much as it does by itself. Refused
   * where the model is known not to think. `by`: "user" by default.
   */
  "set-reasoning": z.object({
    type: z.literal("set-reasoning"),
    reasoning: z.enum(reasonings),
    by: z.optional(by),
  }),
  /**
   * Takes back what was allowed for the turn or the session: calls are asked about again from the next decision on, also
   * those of subagents at work. `covers`: as in the fact `approval-asked` or `approval-answered`. `by`: "user" by default.
   */
  "revoke-grant": z.object({ type: z.literal("revoke-grant"), covers: grant, by: z.optional(by) }),
  rename: z.object({ type: z.literal("rename"), title: z.string(), ...signed }),
  /**
   * From here on no turn is done before this condition is met and verified. It sends no message. Without a condition the
   * goal is dropped. `by`: "user" by default.
   */
  "set-goal": z.object({
    type: z.literal("set-goal"),
    condition: z.optional(z.string().check(z.minLength(1), z.maxLength(4_000))),
    by: z.optional(by),
  }),
  /**
   * Replaces older messages in the model's prompt by a summary; the log keeps everything. A fact records the result.
   */
  compact: z.object({ type: z.literal("compact"), ...signed }),
  /**
   * Undoes a turn's file changes: by default those of the newest turn that has any; optionally only at these
   * workspace-relative paths, or only these hunks of a single file, numbered as in its review. If later work is in the
   * way, nothing is undone unless `onConflict` says how to treat those files.
   */
  undo: z.object({
    type: z.literal("undo"),
    turn,
    paths,
    hunks: z.optional(z.array(z.number())),
    onConflict: z.optional(onConflict),
    ...signed,
  }),
  /** Redoes the last undo: of this turn, at these paths. */
  redo: z.object({ type: z.literal("redo"), turn, paths, onConflict: z.optional(onConflict), ...signed }),
  /** Keeps a turn's changes for good, all of them or those at these paths: they can no longer be undone. */
  keep: z.object({ type: z.literal("keep"), turn, paths, ...signed }),
};

type CommandTypes = { [K in keyof typeof commands]: z.infer<(typeof commands)[K]> };
/** A command that a surface may send to a session. @public */
export type Command = CommandTypes[keyof CommandTypes];
export type AnswerQuestion = CommandTypes["answer-question"];
export type UndoCommand = CommandTypes["undo"];

/**
 * `skip`: leave these files alone. `restore`: put the earlier content back regardless; the present content is stored,
 * so `redo` can bring it back. `merge`: remove only the turn's own changes, line by line; later work stays.
 */
export type OnConflict = z.infer<typeof onConflict>;

/** A file that cannot simply be undone. */
export type UndoConflict = {
  path: string;
  /**
   * `later-work`: undoing would destroy content the turn did not write. `lost`: the content to restore is not
   * available.
   */
  kind: "later-work" | "lost";
  /** Later turns whose changes to the file are in force, oldest first. */
  turns: number[];
  /** Whether something outside this session changed the file. */
  outside: boolean;
  /** The obstacle, in words for a person. */
  because: string;
  /** Lines added and removed since; absent if unknown. */
  since?: { added: number; removed: number };
  /** The `onConflict` values this file allows. */
  choices: OnConflict[];
};

/** The outcome of a command. A refused one changed nothing; `problem` is one line for a person. @public */
export type CommandOutcome = { ok: true } | { ok: false; problem: string; conflicts?: UndoConflict[] };
