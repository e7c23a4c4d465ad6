/** The first station of a call: its tool, its checked arguments, what it would do, and any edit a person made. */

import { keptOutMark } from "../../base/keep-out.ts";
import type { CallOutcome, Does } from "../../protocol/facts.ts";
import type { CallFault, ToolCall } from "../../protocol/messages.ts";
import { currentTurn } from "../../protocol/session-state.ts";
import type { Judgement } from "../../safety/judgement.ts";
import type { FilesOfLine } from "../../safety/named-files.ts";
import { unreadableCall } from "../../tools/arguments/call-problems.ts";
import { findTool } from "../../tools/index.ts";
import type { TypedInput } from "../../tools/terminal/typed-input.ts";
import type { PreparedCall, Tool } from "../../tools/tool.ts";
import { turnBounds } from "../bounds.ts";
import { mostCalls } from "../limits.ts";
import type { TurnContext } from "../turn-context.ts";

export type UnderstoodCall = {
  /** As the model wrote it. */
  call: ToolCall;
  tool: Tool;
  prepared: PreparedCall;
  does: Does;
  /** The command that a person substituted for the model's. */
  edited?: string;
  /** What the call types, and into which program. */
  typed?: TypedInput;
  judgement?: Judgement;
  /** All files that its command can see and change, if its words tell. */
  named?: FilesOfLine;
};

/**
 * A call that cannot be understood. `title`: its display name, if its arguments provide one. `fault`: the code of what is
 * wrong with an invalid one (B14).
 */
export type UnclearCall = { outcome: CallOutcome; words: string; title?: string; fault?: string };

export async function understand(
  call: ToolCall,
  context: TurnContext,
): Promise<UnderstoodCall | UnclearCall> {
  const beyond = beyondLimit(call, context);
  if (beyond !== undefined)
    return { outcome: "cancelled", words: `Not started: ${beyond}`, ...titleIn(call, context) };
  const found = findTool(context.tools, call.name);
  if (!found.ok) {
    return call.problem === undefined
      ? { outcome: "invalid", words: found.problem, fault: "unknown_tool" satisfies CallFault }
      : unreadable(call, call.problem, undefined);
  }
  const denied = context.deniedOutright(found.value.name);
  if (denied !== undefined)
    return { outcome: "denied", words: `Denied: ${denied}.`, ...titleIn(call, context) };
  if (call.problem !== undefined) return unreadable(call, call.problem, found.value);
  if (found.value.does !== "read" && JSON.stringify(call.input).includes(keptOutMark))
    return invalidArguments(keptOutWords);
  const known = context.log.state.calls.get(call.id);
  const prepared = found.value.prepare(known?.rewritten ?? call.input);
  if (!prepared.ok) return invalidArguments(prepared.problem);
  const understood = { call, tool: found.value, prepared: prepared.value };
  const command = known?.answered?.command;
  return command === undefined
    ? understoodAs(understood, context)
    : understandEdited(understood, command, context);
}

const invalidArguments = (words: string): UnclearCall => ({
  outcome: "invalid",
  words,
  fault: "invalid_arguments" satisfies CallFault,
});

const unreadable = (call: ToolCall, problem: string, tool: Tool | undefined): UnclearCall => ({
  outcome: "invalid",
  words: unreadableCall(call, problem, tool),
  fault: call.fault ?? ("malformed_arguments" satisfies CallFault),
});

/** Why the call is one too many: for its turn, or for one answer, in which a model may repeat itself without end. */
function beyondLimit({ id }: ToolCall, { log: { state }, limits }: TurnContext): string | undefined {
  const turn = currentTurn(state);
  const most = turn ? mostCalls(turn, limits) : 0;
  if ((turn?.callIds.lastIndexOf(id) ?? -1) >= most) return `the limit of ${most} calls was reached.`;
  const mostAtOnce = turnBounds.answerCalls.most;
  if (state.draft.callIds.lastIndexOf(id) < mostAtOnce) return undefined;
  return `one answer may make ${mostAtOnce} calls. Send the rest in the next one.`;
}

/** Also what a call gets that is taken up again by another process: its arguments were stored without the key. */
const keptOutWords = `Nothing was done: "${keptOutMark}" stands for a key that Toolwright uses itself, which is neither shown nor stored. Change only the lines around it, or name the variable or file that holds it.`;

/** What a call that never starts is called: nothing, if its tool cannot tell. */
export function titleIn(
  { name, input, problem }: ToolCall,
  { tools }: Pick<TurnContext, "tools">,
): Pick<UnclearCall, "title"> {
  const tool = findTool(tools, name);
  const prepared = tool.ok && problem === undefined ? tool.value.prepare(input) : undefined;
  return prepared?.ok ? { title: prepared.value.title } : {};
}

/** The same call with a command that a person substituted for the model's. */
export async function understandEdited(
  { call, tool, prepared }: PlainCall,
  command: string,
  context: TurnContext,
): Promise<UnderstoodCall | UnclearCall> {
  const edited = prepared.edited?.(command);
  if (!edited) return { outcome: "failed", words: `Nothing was done: ${notEditable}` };
  if (!edited.ok) return invalidArguments(edited.problem);
  return understoodAs({ call, tool, prepared: edited.value, edited: command }, context);
}

export const notEditable = "This call has no editable command. Allow it or refuse it.";

/** Its command line or typed text is judged for the programs that are there now, which calls before it may change. */
export const asOfNow = async <Call extends UnderstoodCall>(
  call: Call,
  context: TurnContext,
): Promise<Call> => ({
  ...call,
  ...(await judgementsOf(call.prepared, context)),
});

type PlainCall = Pick<UnderstoodCall, "call" | "tool" | "prepared" | "edited">;

const understoodAs = async (call: PlainCall, context: TurnContext): Promise<UnderstoodCall> => ({
  ...call,
  does: call.prepared.does ?? call.tool.does,
  ...(await judgementsOf(call.prepared, context)),
});

async function judgementsOf(
  prepared: PreparedCall,
  context: TurnContext,
): Promise<Pick<UnderstoodCall, "typed" | "judgement" | "named">> {
  if (prepared.command === undefined && prepared.typesInto === undefined) return {};
  const { judgementOf, namedBy, typedBy } = await import("./judging.ts");
  const typed = typedBy(prepared, context);
  const judgement = judgementOf(prepared, typed, context);
  return { typed, judgement, named: typed ? undefined : namedBy(prepared, context) };
}

/** Whether the call only shows its changes and stores them under a token: by request, or because of the mode. */
export const isStaged = (
  { prepared, does }: Pick<UnderstoodCall, "prepared" | "does">,
  { log }: Pick<TurnContext, "log">,
): boolean =>
  prepared.token === undefined &&
  does !== "read" &&
  (prepared.stages === true || log.state.mode === "staged");
