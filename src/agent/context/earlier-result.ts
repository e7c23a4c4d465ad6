/**
 * Reads the whole result of an earlier call from the log and the store: memory holds it only while it is in the prompt.
 */

import type { Expected } from "../../base/expected.ts";
import type { FactOf } from "../../protocol/facts.ts";
import type { ContentPart } from "../../protocol/messages.ts";
import type { EarlierResult } from "../../tools/tool.ts";
import type { TurnContext } from "../turn-context.ts";

/** The problem is written for the model. */
export async function earlierResult(callId: string, context: TurnContext): Promise<Expected<EarlierResult>> {
  const { calls } = context.log.state;
  const known = calls.get(callId);
  if (!known) return { ok: false, problem: unknownCall(callId, context) };
  const { name } = known.call;
  if (known.resultAt === undefined)
    return { ok: false, problem: `The call ${JSON.stringify(callId)} of ${name} has no result yet.` };
  const result = await resultAt(known.resultAt, context);
  const parts = result && (await wholeOf(result, context));
  return parts
    ? { ok: true, value: { of: `${JSON.stringify(callId)} (${name})`, parts } }
    : { ok: false, problem: `The result of ${JSON.stringify(callId)} is not in the log any more.` };
}

async function resultAt(seq: number, { log }: TurnContext): Promise<FactOf<"result"> | undefined> {
  for await (const entry of log.read(seq - 1)) return entry.type === "result" ? entry : undefined;
  return undefined;
}

/** The complete output if the result has only part of it and the store still has the rest. */
async function wholeOf(
  { content, full }: FactOf<"result">,
  context: TurnContext,
): Promise<readonly ContentPart[]> {
  if (!full) return content;
  const bytes = await context.blob(full.blob);
  if (!bytes) return [{ type: "text", text: goneWords }, ...content];
  const pictures = content.filter(({ type }) => type === "image");
  return [{ type: "text", text: new TextDecoder().decode(bytes) }, ...pictures];
}

const goneWords =
  "[The whole output is missing from the store, or damaged there. What follows is the part that was told at first.]";

/** Lists ids that can be read, the newest of the left-out results first. */
function unknownCall(callId: string, { log: { state } }: TurnContext): string {
  const known = [...state.trimmed].toReversed().slice(0, mostNamed);
  const left = state.trimmed.size - known.length;
  const more = left > 0 ? ` and ${left} more before them` : "";
  const cut = callId.length > 80 ? `${callId.slice(0, 80)}…` : callId;
  const which =
    known.length === 0
      ? "No result was left out so far: all of them stand in the conversation."
      : `Results that were left out: ${known.map((id) => JSON.stringify(id)).join(", ")}${more}.`;
  return `There is no call ${JSON.stringify(cut)} in this session. ${which}`;
}

const mostNamed = 10;
