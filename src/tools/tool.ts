/** What a tool is. One tool is one value in one file, made by `defineTool`. */

import * as z from "zod/mini";
import type { Expected } from "../base/expected.ts";
import { isDeeperThan, type JsonObject } from "../base/json.ts";
import { maxDepth } from "../base/loose-json.ts";
import type { Change } from "../base/safe-fs/image.ts";
import type { Tree } from "../base/safe-fs/tree.ts";
import type { Does, FactOf, Mode, Outcome, Todo } from "../protocol/facts.ts";
import type { Part, Repair, ToolDescription } from "../protocol/messages.ts";
import type { ArgumentAliases } from "./argument-names.ts";
import { type InputProblem, invalidInput, tooDeep } from "./call-problems.ts";
import type { ContainedCommand } from "./contained.ts";
import { mendInput } from "./input.ts";
import { compactSchema, problemOf } from "./shape.ts";
import type { Terminals } from "./terminals.ts";

export type { ContainedCommand, Finished } from "./contained.ts";

/** Puts a command into the sandbox that was decided on. The problem is why it cannot be; then it must not run. */
export type Contain = (request: {
  command: readonly string[];
  /** Absolute and real. */
  directory: string;
  env: Readonly<Record<string, string>>;
  /** It will outlive the call, on a terminal: without a layer over the workspace. */
  lasting?: true;
}) => Promise<Expected<ContainedCommand>>;

/** As it is: where there is no sandbox, which whoever decided knew. */
export const uncontained: Contain = ({ command, env }) =>
  Promise.resolve({
    ok: true,
    value: { command, env, finished: () => Promise.resolve({ warnings: [], changes: [] }) },
  });

/** What a tool is given while it runs. Nothing else is reachable from a tool. */
export type ToolRoom = {
  /** The workspace root, absolute and real. */
  workspace: string;
  /** The files of the workspace. */
  files: Tree;
  /** The terminals of the session. */
  terminals: Terminals;
  /** Aborted when the run is to end: then it need not come to anything. */
  signal: AbortSignal;
  /** The environment of programs that the tool starts: without keys. */
  environment: Readonly<Record<string, string>>;
  /** Every program that a tool starts goes through it. */
  contain: Contain;
  /** Shows output while the tool runs (may be lost). */
  output(text: string): void;
  /** Keeps bytes by content; the hash names them for ever. */
  keep(bytes: Uint8Array): Promise<string>;
  /** The hash of the content the model last read or wrote at this workspace-relative path. */
  seen(path: string): string | undefined;
  /** The whole result of an earlier call; the problem is for the model. */
  result(callId: string): Promise<Expected<EarlierResult>>;
  /** What was staged under a token, if it may still be used; the problem says why not. */
  staged(token: string): Promise<Expected<Change[]>>;
  /** Gives a task to a session of its own; absent where that cannot be. */
  delegate?: Delegate;
};

/** `of`: which call it is the result of, in words. */
export type EarlierResult = { of: string; parts: readonly Part[] };

/** What a run came to. A tool that fails says so in its outcome and does not throw. */
export type Produced = {
  outcome: Extract<Outcome, "ok" | "failed" | "timeout">;
  /** For the model: what it found or did, or what went wrong and what to do. */
  content: Part[];
  /**
   * The changes of files that it plans. It writes none itself: they are shown, decided on, recorded and made for it.
   */
  changes?: Change[];
  /** The changes are not made but shown and kept under a token. */
  stage?: true;
  /** The changes were made already, while it ran. */
  made?: true;
  /** What else changed and undo cannot bring back, in words. */
  uncovered?: string[];
  /** Called once its changes were made, staged or given up. */
  settled?: () => Promise<void>;
  /** The list of things to do, as it is from now on. */
  todos?: Todo[];
  /** Tools that the model is told of from here on. */
  found?: string[];
  /** For programs, beside the content for the model. */
  metadata?: JsonObject;
  /** The files that the model has now read, relative to the workspace, with the hash of what it has seen of them. */
  seen?: { path: string; hash: string }[];
  /** All of an output of which `content` shows a part: what `keep` gave for it, and its size. */
  full?: { blob: string; bytes: number };
};

/** A task for a session of its own, which the call waits for: a subagent. */
export type Delegation = {
  task: string;
  /** What the subagent has to know besides. */
  context?: string;
  /** The name of an agent definition. */
  agent?: string;
  /** Names of tools that it may use; those of its definition, or those that only read by default. */
  tools?: readonly string[];
  /** Answers that it may give; 6 at most (B6). */
  maxRounds?: number;
};

/** `output` shows what it is at. The result is told also where it came to nothing, with as much as there is. */
export type Delegate = (
  delegation: Delegation,
  how: { signal: AbortSignal; output(text: string): void },
) => Promise<Produced>;

/** A question to a person. The call's result is made from the reply; where nobody can be asked, it is run instead. */
export type Asking = Omit<FactOf<"question-asked">, "type" | "callId"> & {
  answered: (reply: Reply) => Produced;
};
export type Reply = Pick<FactOf<"question-answered">, "answer" | "by" | "text" | "chosen" | "steps">;

/** A call whose arguments were read: what it is about, and how to run it. */
export type PreparedCall = {
  /** For people: "Read src/a.ts". */
  title: string;
  /** What a person who is asked about it is shown, where that is more than the title. */
  preview?: string;
  /** Workspace-relative or absolute paths it reads or changes, as far as its arguments tell. */
  paths: string[];
  /** The shell command it would run. */
  command?: string;
  /** The tool by whose rules it goes, too: one that runs commands as that does. */
  as?: string;
  /**
   * Hosts that it would reach ("docs.example.org", with a port that is none of the usual ones): what a yes may cover.
   */
  hosts?: string[];
  /** The same call with another command, where a person may change that. */
  edited?: (command: string) => Expected<PreparedCall>;
  /** What it does with these arguments, where that is less than the tool may do. */
  does?: Does;
  /** It only shows its changes and keeps them under a token. */
  stages?: boolean;
  /** The token of the staged changes that it applies. */
  token?: string;
  /** What it starts or writes to goes on after the call, on a terminal. */
  lasting?: true;
  /** The terminal into which `command` is typed. */
  typesInto?: string;
  /** What it asks a person. */
  asks?: Asking;
  /** Why it would come to nothing now: found out before a person is asked about it. */
  whyNot?: (room: Pick<ToolRoom, "terminals">) => Promise<string | undefined>;
  /** It only gives a task to a session of its own, where each call is decided on by itself. */
  delegates?: true;
  /** What was mended in its arguments, for the record; absent when nothing was. */
  repairs?: Repair[];
  run(room: ToolRoom): Promise<Produced>;
};

/** What a model may use. */
export interface Tool {
  readonly name: string;
  /** Other names under which models call it. */
  readonly aliases: readonly string[];
  /** Other names of its arguments. */
  readonly argumentAliases?: ArgumentAliases;
  /** What the model is told of it. */
  readonly summary: string;
  /** The most that it does: what it is decided on by, and whether it may overlap with others ("read" alone may). */
  readonly does: Does;
  /** What to do when a call of it is too long to be written at once: "write the first part, then …". */
  readonly whenTooLong?: string;
  /** Modes in which models are told of it; all by default. */
  readonly modes?: readonly Mode[];
  /** What it starts goes on after its calls, on a terminal. */
  readonly lasting?: true;
  /** Models are told of it only once they have looked for it: there are many of its kind. */
  readonly deferred?: true;
  /** It speaks to the people who follow the session: a subagent does without. */
  readonly forPeople?: true;
  /** Of one that others define and may change: what a yes holds for. */
  readonly definition?: string;
  /** JSON Schema of the input; the root is an object. */
  readonly schema: JsonObject;
  /** The problem is the whole text for the model (requirement D8). */
  prepare(input: JsonObject): Expected<PreparedCall>;
}

/** What a tool is made of, see `defineTool`. */
export type ToolDefinition<Shape extends z.core.$ZodLooseShape> = {
  /** As models call it: "read_file". */
  name: string;
  /** Other names under which models know it. */
  aliases?: readonly string[];
  /** Other names of its arguments: `{ path: ["file", "filePath"] }`. */
  argumentAliases?: ArgumentAliases;
  /** What the model is told of it. */
  summary: string;
  /** The most that it does: what it is decided on by, and whether it may overlap with others ("read" alone may). */
  does: Does;
  /** What to do when a call of it is too long to be written at once: "write the first part, then …". */
  whenTooLong?: string;
  /** Modes in which models are told of it; all by default. */
  modes?: readonly Mode[];
  /** Its fields; as a function they are made at the first call, which our own tools need to start fast. */
  input: Shape | (() => Shape);
  /**
   * For people: "Read src/a.ts". The functions from here on say of a call what `PreparedCall` has under their names.
   */
  title(input: InputOf<Shape>): string;
  paths?(input: InputOf<Shape>): string[];
  command?(input: InputOf<Shape>): string | undefined;
  hosts?(input: InputOf<Shape>): string[] | undefined;
  /** The argument that holds the command, where a person may change it. */
  editable?(input: InputOf<Shape>): (string & keyof Shape) | undefined;
  /** The call of another tool that it comes to; then nothing else of it is asked for. */
  becomes?(input: InputOf<Shape>): PreparedCall;
  /** What it does with these arguments, where that is less than `does`. */
  doesWith?(input: InputOf<Shape>): Does | undefined;
  stages?(input: InputOf<Shape>): boolean;
  token?(input: InputOf<Shape>): string;
  /** What it starts goes on after its calls, on a terminal. */
  lasting?: true;
  /** Models are told of it only once they have looked for it: there are many of its kind. */
  deferred?: true;
  /** It speaks to the people who follow the session: a subagent does without. */
  forPeople?: true;
  /** It only gives a task to a session of its own, where each call is decided on by itself. */
  delegates?: true;
  typesInto?(input: InputOf<Shape>): string | undefined;
  asks?(input: InputOf<Shape>): Asking;
  whyNot?(input: InputOf<Shape>, room: Pick<ToolRoom, "terminals">): Promise<string | undefined>;
  run(input: InputOf<Shape>, room: ToolRoom): Promise<Produced>;
};

type InputOf<Shape extends z.core.$ZodLooseShape> = z.infer<z.ZodMiniObject<Shape, z.core.$strict>>;

/**
 * By the names of our own tools. Written in by scripts/build.ts: making fields and schemas takes 12 ms, a seventh of
 * the time to the first request.
 */
declare const TOOLWRIGHT_TOOL_SCHEMAS: Readonly<Record<string, JsonObject>> | undefined;
const builtSchemas = typeof TOOLWRIGHT_TOOL_SCHEMAS === "undefined" ? {} : TOOLWRIGHT_TOOL_SCHEMAS;

/** A tool from its definition. Its schema is made when first asked for. */
export function defineTool<Shape extends z.core.$ZodLooseShape>(definition: ToolDefinition<Shape>): Tool {
  const {
    name,
    aliases = [],
    argumentAliases = {},
    summary,
    does,
    whenTooLong,
    modes,
    input: fields,
  } = definition;
  const isLate = typeof fields === "function";
  let made: z.ZodMiniObject<Shape, z.core.$strict> | undefined;
  const reader = () => (made ??= z.strictObject(isLate ? fields() : fields));
  let schema = isLate ? builtSchemas[name] : undefined;
  const describe = (): JsonObject => (schema ??= compactSchema(reader()));
  const prepare = (input: JsonObject): Expected<PreparedCall> => {
    const refused = (problem: InputProblem): Expected<never> => ({
      ok: false,
      problem: invalidInput(problem, describe(), input),
    });
    if (isDeeperThan(maxDepth, input)) return refused(tooDeep);
    const mended = mendInput(describe(), input, argumentAliases);
    const read = z.safeParse(reader(), mended.input, { reportInput: true });
    if (!read.success) return refused(problemOf(read.error, describe()));
    const repairs = mended.repairs.length > 0 ? { repairs: mended.repairs } : {};
    const other = definition.becomes?.(read.data);
    if (other) return { ok: true, value: { ...other, ...repairs } };
    const argument = definition.editable?.(read.data);
    const edited = (command: string) => prepare({ ...mended.input, [argument ?? ""]: command });
    return {
      ok: true,
      value: {
        ...prepared(definition, read.data),
        ...(argument === undefined ? {} : { edited }),
        ...repairs,
      },
    };
  };
  return {
    name,
    aliases,
    argumentAliases,
    summary,
    does,
    ...(whenTooLong === undefined ? {} : { whenTooLong }),
    ...(modes === undefined ? {} : { modes }),
    ...(definition.lasting ? { lasting: true } : {}),
    ...(definition.deferred ? { deferred: true } : {}),
    ...(definition.forPeople ? { forPeople: true } : {}),
    get schema() {
      return describe();
    },
    prepare,
  };
}

function prepared<Shape extends z.core.$ZodLooseShape>(
  definition: ToolDefinition<Shape>,
  input: InputOf<Shape>,
): PreparedCall {
  const command = definition.command?.(input);
  const token = definition.token?.(input);
  const does = definition.doesWith?.(input);
  const hosts = definition.hosts?.(input);
  const typesInto = definition.typesInto?.(input);
  const asks = definition.asks?.(input);
  return {
    title: definition.title(input),
    paths: definition.paths?.(input) ?? [],
    ...(command === undefined ? {} : { command }),
    ...(hosts === undefined ? {} : { hosts }),
    ...(does === undefined ? {} : { does }),
    ...(definition.stages?.(input) === true ? { stages: true } : {}),
    ...(token === undefined ? {} : { token }),
    ...(definition.lasting ? { lasting: true } : {}),
    ...(typesInto === undefined ? {} : { typesInto }),
    ...(asks === undefined ? {} : { asks }),
    ...(definition.delegates ? { delegates: true } : {}),
    ...(definition.whyNot ? { whyNot: async (room) => definition.whyNot?.(input, room) } : {}),
    run: (room) => definition.run(input, room),
  };
}

export const describeTool = (tool: Tool): ToolDescription => ({
  name: tool.name,
  description: tool.summary,
  schema: tool.schema,
  aliases: tool.argumentAliases,
});

/** Text as a tool's content. */
export const text = (words: string): Part[] => [{ type: "text", text: words }];
/** A result that is a text. */
export const ok = (words: string): Produced => ({ outcome: "ok", content: text(words) });
/** A result that says to the model what went wrong and what to do. */
export const failed = (words: string): Produced => ({ outcome: "failed", content: text(words) });
