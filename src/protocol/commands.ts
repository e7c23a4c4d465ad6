/** What a surface may ask of a session, as schemas: whoever takes commands from outside checks them by these. */

import * as z from "zod/mini";
import { part, planStep } from "./fact-parts.ts";
import { deliveries, modes, scopes } from "./fact-words.ts";

/** Who says it, for people. */
const by = z.string().check(z.maxLength(200));
const onConflict = z.enum(["skip", "restore", "merge"]);
const paths = z.optional(z.array(z.string()));
const turn = z.optional(z.number());

export const commands = {
  /**
   * A request. While a turn runs it waits: for the turn's next safe point unless `when` is "next". `id` is the sender's
   * own: a message with the same one is taken only once, so it may be sent again where it is not known to have arrived.
   */
  send: z.object({
    type: z.literal("send"),
    content: z.array(part),
    when: z.optional(z.enum(deliveries)),
    id: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  }),
  /** Takes back a message that waits. */
  withdraw: z.object({ type: z.literal("withdraw"), id: z.string() }),
  /** `command`: run this instead of the command that was asked about; it is judged again, as written by a person. */
  "answer-approval": z.object({
    type: z.literal("answer-approval"),
    callId: z.string(),
    answer: z.enum(["allow", "deny"]),
    scope: z.enum(scopes),
    by,
    note: z.optional(z.string()),
    command: z.optional(z.string()),
  }),
  /**
   * Answers what the model asked: `chosen` counts its choices from 0, `text` is in own words. A plan is approved with
   * "given", in other words if `steps` are told, and carried out in `mode` ("ask" by default); "declined" rejects it.
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
  /** `most`: what the turn may use from here on; what was offered by default. */
  "answer-limit": z.object({
    type: z.literal("answer-limit"),
    answer: z.enum(["stop", "extend"]),
    most: z.optional(z.number()),
    by,
  }),
  /** Goes on with a turn that a crash or a closed program left open. */
  "go-on": z.object({ type: z.literal("go-on") }),
  /** Stops what runs; what was said and done until then stays. */
  interrupt: z.object({ type: z.literal("interrupt") }),
  /** For the next turns, and for the one that runs. `by`: "user" by default. */
  "set-mode": z.object({ type: z.literal("set-mode"), mode: z.enum(modes), by: z.optional(by) }),
  /** For the next turns: a model as a person names it, "provider/model". */
  "set-model": z.object({ type: z.literal("set-model"), model: z.string(), by: z.optional(by) }),
  /** Gives the session a name. */
  rename: z.object({ type: z.literal("rename"), title: z.string() }),
  /** Shortens what the model is told, by a summary; the log keeps all. What came of it is a fact. */
  compact: z.object({ type: z.literal("compact") }),
  /**
   * Takes back a turn's file changes: the newest turn that has some when `turn` is absent; of these files and
   * directories only (workspace-relative); of a single file only these hunks, as its review numbers them. Where there
   * was later work nothing is done, unless `onConflict` says what to do with those files.
   */
  undo: z.object({
    type: z.literal("undo"),
    turn,
    paths,
    hunks: z.optional(z.array(z.number())),
    onConflict: z.optional(onConflict),
  }),
  /** Brings back what was taken back last: of this turn, of these paths. */
  redo: z.object({ type: z.literal("redo"), turn, paths, onConflict: z.optional(onConflict) }),
  /** A turn's changes are there to stay, all or those of these paths: they cannot be taken back afterwards. */
  keep: z.object({ type: z.literal("keep"), turn, paths }),
};

type Commands = { [K in keyof typeof commands]: z.infer<(typeof commands)[K]> };
/** What a surface may ask of a session. */
export type Command = Commands[keyof Commands];
export type AnswerQuestion = Commands["answer-question"];
export type UndoCommand = Commands["undo"];

/**
 * `skip`: they stay as they are. `restore`: the earlier content comes back all the same; the present one is kept, so
 * that `redo` brings it back. `merge`: only what the turn did is taken out, line by line, and later work stays.
 */
export type OnConflict = z.infer<typeof onConflict>;

/** A file that cannot simply be taken back. */
export type UndoConflict = {
  path: string;
  /** `later-work`: that would destroy what the turn did not write. `lost`: what would be put there is not to be had. */
  kind: "later-work" | "lost";
  /** Later turns whose changes are in force there, oldest first. */
  turns: number[];
  /** Whether something other than this session changed it. */
  outside: boolean;
  /** What stands in the way, for a person. */
  because: string;
  /** Lines added and removed since; absent where that is not known. */
  since?: { added: number; removed: number };
  /** What `onConflict` may say about it. */
  choices: OnConflict[];
};

/** What came of a command. A refused one changed nothing; `problem` is one line for a person. */
export type CommandOutcome = { ok: true } | { ok: false; problem: string; conflicts?: UndoConflict[] };
