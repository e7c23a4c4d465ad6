/** Defines what a tool is. Each tool is one value in one file, made by `defineTool`. */

import * as z from "zod/mini";
import { type Expected, refuse } from "../base/expected.ts";
import { isDeeperThan, type JsonObject } from "../base/json.ts";
import { maxDepth } from "../base/loose-json.ts";
import type { Change } from "../base/safe-fs/image.ts";
import type { Tree } from "../base/safe-fs/tree.ts";
import { withoutUndefined } from "../base/without-undefined.ts";
import type { Does, FactOf, Mode, CallOutcome, Todo } from "../protocol/facts.ts";
import type { ContentPart, Repair, ToolDescription } from "../protocol/messages.ts";
import type { WorkspaceEffects } from "../protocol/workspace-effects.ts";
import type { ArgumentAliases } from "./arguments/argument-names.ts";
import { type InputProblem, invalidInput, tooDeep } from "./arguments/call-problems.ts";
import { checkedFields, isWholeSchema } from "./arguments/checked-fields.ts";
import { mendInput } from "./arguments/input.ts";
import { compactSchema, problemOf } from "./arguments/shape.ts";
import type { ContainedCommand } from "./terminal/contained-command.ts";
import type { Terminals } from "./terminal/terminals.ts";

export type { ContainedCommand, ContainedOutcome } from "./terminal/contained-command.ts";

/** Wraps a command in the sandbox that was decided on. If there is a problem, the command must not run. */
export type Contain = (request: {
  command: readonly string[];
  /** Absolute, with symbolic links resolved. */
  directory: string;
  env: Readonly<Record<string, string>>;
  /** The command outlives the call, on a terminal: it runs without an overlay over the workspace. */
  lasting?: true;
}) => Promise<Expected<ContainedCommand>>;

/** Runs the command as it is: for machines without a sandbox, which the decision took into account. */
export const withoutSandbox: Contain = ({ command, env }) =>
  Promise.resolve({
    ok: true,
    value: { command, env, finished: () => Promise.resolve({ warnings: [], changes: [] }) },
  });

/** Why content is not shown. `byAsking`: a call that names the file is asked about. */
export type WithheldReason = { because: string; byAsking: boolean };

/** The code of the problem that reading a withheld file gives. */
export const withheldCode = "EWITHHELD";

/** What a tool is given while it runs. Nothing else is reachable from a tool. @public */
export type ToolContext = {
  /** The workspace root, absolute and with symbolic links resolved. */
  workspace: string;
  /**
   * The files of the workspace, as far as this call may show them: reading or listing a place that was not approved
   * gives the problem `withheldCode`. Tools decide nothing about reading themselves.
   */
  files: Tree;
  /** Why this call may not show what stands at a path (absolute, or relative to the workspace); undefined if it may. */
  withheld(path: string): Promise<WithheldReason | undefined>;
  /** The terminals of the session. */
  terminals: Terminals;
  /** Aborted when the tool should stop; its result is then what it had done by then, or if it only reads, ignored. */
  signal: AbortSignal;
  /** The environment for programs that the tool starts: without keys. */
  environment: Readonly<Record<string, string>>;
  /** Wraps every program that the tool starts. */
  contain: Contain;
  /** Shows output while the tool runs (may be lost). */
  output(text: string): void;
  /** Stores bytes by content and returns their hash. */
  keep(bytes: Uint8Array): Promise<string>;
  /** The hash of the content the model last read or wrote at this workspace-relative path. */
  seen(path: string): string | undefined;
  /** The complete result of an earlier call; the problem is for the model. */
  result(callId: string): Promise<Expected<EarlierResult>>;
  /** The changes staged under a token; the problem says why the token is not valid. */
  staged(token: string): Promise<Expected<Change[]>>;
  /** Starts a subagent; absent where none can be started. */
  delegate?: Delegate;
};

/** `of` describes the call that produced it. */
export type EarlierResult = { of: string; parts: readonly ContentPart[] };

/**
 * The result of a run. A tool that fails says so in `outcome` and does not throw. It writes no file itself: it plans
 * `changes`. @public
 */
export type ToolResult = WorkspaceEffects & {
  outcome: Extract<CallOutcome, "ok" | "failed" | "timeout">;
  /** For the model: what it found or did, or what went wrong and what to do. */
  content: ContentPart[];
  /** The changes are shown and stored under a token instead of being made. */
  stage?: true;
  /** Its changes were dropped, because nobody agreed to them: so the call counts as denied. */
  dropped?: true;
  /** The new to-do list. */
  todos?: Todo[];
  /** Names of deferred tools that are described to the model from now on. */
  found?: string[];
  /** Data for programs, in addition to the content for the model. */
  metadata?: JsonObject;
  /** The files that the model has now seen: workspace-relative paths, with the hash of their content. */
  seen?: { path: string; hash: string }[];
  /** The full output when `content` shows only part of it: the hash from `keep`, its size, and the lines left out. */
  full?: { blob: string; bytes: number; omitted?: number };
};

/** A task for a subagent, which the call waits for. */
export type Delegation = {
  task: string;
  /** What else the subagent needs to know. */
  context?: string;
  /** The name of an agent definition. */
  agent?: string;
  /** Names of the tools it may use; default: those of its definition, or else the read-only tools. */
  tools?: readonly string[];
  /** Most answers it may take, at most 6 (B6). */
  maxRounds?: number;
};

/** `output` receives its progress. There is always a result, if need be a partial one. */
export type Delegate = (
  delegation: Delegation,
  how: { signal: AbortSignal; output(text: string): void },
) => Promise<ToolResult>;

/** A question to a person, whose reply becomes the call's result. If nobody can be asked, the tool is run instead. */
export type ToolQuestion = Omit<FactOf<"question-asked">, "type" | "callId"> & {
  answered: (reply: QuestionReply) => ToolResult;
};
export type QuestionReply = Pick<FactOf<"question-answered">, "answer" | "by" | "text" | "chosen" | "steps">;

/** A call with valid arguments: what it would do, and how to run it. @experimental */
export type PreparedCall = {
  /** For people: "Read src/a.ts". */
  title: string;
  /** What a person is shown in the approval question, if that is more than the title. */
  preview?: string;
  /** Paths it reads or changes, workspace-relative or absolute, as far as its arguments tell. */
  paths: string[];
  /** The shell command it would run. */
  command?: string;
  /** Its command is the project's own check: types, lint, build or tests. */
  checks?: true;
  /** Another tool whose permission rules apply as well, because this one runs commands like it. */
  as?: string;
  /** Hosts it would reach ("docs.example.org", with a port if that is unusual): an approval can cover them. */
  hosts?: string[];
  /** What its command is given besides its sandbox profile, as `run_command` has it in its argument `outside`. */
  outside?: string[];
  /** The same call with another command, if a person may edit it. */
  edited?: (command: string) => Expected<PreparedCall>;
  /** What it does with these arguments, if that is less than the tool can do. */
  does?: Does;
  /** It only shows its changes and stores them under a token. */
  stages?: boolean;
  /** The token of the staged changes that it applies. */
  token?: string;
  /** The process that it starts or writes to outlives the call, on a terminal. */
  lasting?: true;
  /** The terminal into which `command` is typed. */
  typesInto?: string;
  /** The question it asks a person. */
  asks?: ToolQuestion;
  /** Why it would fail now; checked before a person is asked about it. */
  whyNot?: (context: Pick<ToolContext, "terminals">) => Promise<string | undefined>;
  /** It only starts a subagent, whose calls are each decided on separately. */
  delegates?: true;
  /** Its arguments under the tool's own names; default: as they came. */
  input?: JsonObject;
  /** Repairs of its arguments, for the record; absent without any. */
  repairs?: Repair[];
  run(context: ToolContext): Promise<ToolResult>;
};

/** A tool that a model may use. @public */
export interface Tool {
  readonly name: string;
  /** Other names that models use for it. */
  readonly aliases: readonly string[];
  /** Other names that models use for its arguments. */
  readonly argumentAliases?: ArgumentAliases;
  /** Its description for the model. */
  readonly summary: string;
  /** The most it can do. It determines the decision, and whether the call may overlap with others (only "read" may). */
  readonly does: Does;
  /** Advice for a call that is too long for one answer: "write the first part, then …". */
  readonly whenTooLong?: string;
  /** Modes in which it is offered; all by default. */
  readonly modes?: readonly Mode[];
  /** The processes it starts outlive its calls, on a terminal. */
  readonly lasting?: true;
  /** It is offered only after the model has searched for it, because there are many like it. */
  readonly deferred?: true;
  /** It is of no use before a change was staged, and not told of. */
  readonly onceStaged?: true;
  /** It addresses the people who follow the session; subagents do not have it. */
  readonly forPeople?: true;
  /** The arguments that small models are told of, all required; without them they are not told of the tool at all. */
  readonly basic?: readonly string[];
  /** Identifies the definition of a tool that others define and may change: an approval covers only this one. */
  readonly definition?: string;
  /** Why a person is asked about each of its calls: no mode, rule or earlier approval answers in their place. */
  readonly askedEachTime?: string;
  /** JSON Schema of the input; the root is an object. */
  readonly schema: JsonObject;
  /** The problem is the complete text for the model (requirement D8). */
  prepare(input: JsonObject): Expected<PreparedCall>;
}

/** The input of `defineTool`: members of `Tool`, and functions that compute the members of `PreparedCall`. @public */
export type ToolDefinition<Shape extends z.core.$ZodLooseShape> = Pick<
  Tool,
  | "name"
  | "argumentAliases"
  | "summary"
  | "does"
  | "whenTooLong"
  | "modes"
  | "lasting"
  | "deferred"
  | "forPeople"
  | "onceStaged"
  | "basic"
> & {
  aliases?: Tool["aliases"];
  delegates?: PreparedCall["delegates"];
  /** The argument fields. A function is called on first use, so that programs using the built-in tools start fast. */
  input: Shape | (() => Shape);
  title(input: InputOf<Shape>): string;
  paths?(input: InputOf<Shape>): string[];
  command?(input: InputOf<Shape>): string | undefined;
  hosts?(input: InputOf<Shape>): string[] | undefined;
  outside?(input: InputOf<Shape>): string[];
  doesWith?(input: InputOf<Shape>): Does | undefined;
  stages?(input: InputOf<Shape>): boolean;
  token?(input: InputOf<Shape>): string;
  typesInto?(input: InputOf<Shape>): string | undefined;
  asks?(input: InputOf<Shape>): ToolQuestion;
  whyNot?(input: InputOf<Shape>, context: Pick<ToolContext, "terminals">): Promise<string | undefined>;
  /** The name of the argument with the command, if a person may edit it. */
  editable?(input: InputOf<Shape>): (string & keyof Shape) | undefined;
  /** The call of another tool that this one translates to; the remaining members are then not used. */
  becomes?(input: InputOf<Shape>): PreparedCall;
  run(input: InputOf<Shape>, context: ToolContext): Promise<ToolResult>;
};

type InputOf<Shape extends z.core.$ZodLooseShape> = z.infer<z.ZodMiniObject<Shape, z.core.$strict>>;

/**
 * Schemas of the built-in tools by name, inserted by scripts/build.ts: building them at run time takes 12 ms, a seventh
 * of the time to the first request.
 */
declare const TOOLWRIGHT_TOOL_SCHEMAS: Readonly<Record<string, JsonObject>> | undefined;
const builtSchemas = typeof TOOLWRIGHT_TOOL_SCHEMAS === "undefined" ? {} : TOOLWRIGHT_TOOL_SCHEMAS;

/** Makes a tool. Its schema is built on first use. Throws TypeError if the fields of its input are none. @public */
export function defineTool<Shape extends z.core.$ZodLooseShape>(definition: ToolDefinition<Shape>): Tool {
  const {
    name,
    aliases = [],
    argumentAliases = {},
    summary,
    does,
    whenTooLong,
    modes,
    lasting,
    deferred,
    forPeople,
    onceStaged,
    basic,
    input: fields,
  } = definition;
  const isLate = typeof fields === "function";
  if (!isLate || isWholeSchema(fields)) checkedFields(fields, name);
  let made: z.ZodMiniObject<Shape, z.core.$strict> | undefined;
  const reader = () => (made ??= z.strictObject(isLate ? checkedFields(fields(), name) : fields));
  let schema = isLate ? builtSchemas[name] : undefined;
  const describe = (): JsonObject => (schema ??= compactSchema(reader()));
  const prepare = (input: JsonObject): Expected<PreparedCall> => {
    const refused = (problem: InputProblem): Expected<never> =>
      refuse(invalidInput(problem, describe(), input));
    if (isDeeperThan(maxDepth, input)) return refused(tooDeep);
    const mended = mendInput(describe(), input, argumentAliases);
    const read = z.safeParse(reader(), mended.input, { reportInput: true });
    if (!read.success) return refused(problemOf(read.error, describe()));
    const { input: understood, repairs } = mended;
    const how = { input: understood, ...(repairs.length > 0 ? { repairs } : {}) };
    const other = definition.becomes?.(read.data);
    if (other) return { ok: true, value: { ...other, ...how } };
    const argument = definition.editable?.(read.data);
    const edited = (command: string) => prepare({ ...understood, [argument ?? ""]: command });
    return {
      ok: true,
      value: {
        ...prepareCall(definition, read.data),
        ...(argument === undefined ? {} : { edited }),
        ...how,
      },
    };
  };
  return {
    name,
    aliases,
    argumentAliases,
    summary,
    does,
    ...withoutUndefined({ whenTooLong, modes, lasting, deferred, forPeople, onceStaged, basic }),
    get schema() {
      return describe();
    },
    prepare,
  };
}

function prepareCall<Shape extends z.core.$ZodLooseShape>(
  definition: ToolDefinition<Shape>,
  input: InputOf<Shape>,
): PreparedCall {
  return withoutUndefined({
    title: definition.title(input),
    paths: definition.paths?.(input) ?? [],
    command: definition.command?.(input),
    hosts: definition.hosts?.(input),
    outside: definition.outside?.(input),
    does: definition.doesWith?.(input),
    stages: definition.stages?.(input) === true ? true : undefined,
    token: definition.token?.(input),
    lasting: definition.lasting,
    typesInto: definition.typesInto?.(input),
    asks: definition.asks?.(input),
    delegates: definition.delegates,
    whyNot: definition.whyNot && (async (context) => definition.whyNot?.(input, context)),
    run: (context) => definition.run(input, context),
  });
}

export const describeTool = (tool: Tool): ToolDescription => ({
  name: tool.name,
  description: tool.summary,
  schema: tool.schema,
  aliases: tool.argumentAliases,
});

/** A text as the content of a result. */
export const text = (words: string): ContentPart[] => [{ type: "text", text: words }];
/** A text that only the model gets, because people see its content elsewhere. */
export const forModel = (words: string): ContentPart[] => [{ type: "text", text: words, for: "model" }];
/** A successful result with a text. @public */
export const ok = (words: string): ToolResult => ({ outcome: "ok", content: text(words) });
/** A failed result, whose text tells the model what went wrong and what to do. @public */
export const failedResult = (words: string): ToolResult => ({ outcome: "failed", content: text(words) });
