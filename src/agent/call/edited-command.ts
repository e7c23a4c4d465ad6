/** Judges a command that a person wants to substitute for the model's, before their answer counts. */

import type { Expected } from "../../base/expected.ts";
import type { Offer } from "../../safety/grants.ts";
import type { TurnContext } from "../turn-context.ts";
import { decisionOn } from "./decision.ts";
import { notEditable, understand, understandEdited } from "./understand.ts";

/**
 * What approving the command may cover; undefined if it needs no approval. The problem is for the person, who may write
 * another command.
 */
export async function judgeEdited(
  callId: string,
  command: string,
  context: TurnContext,
): Promise<Expected<Offer | undefined>> {
  const call = context.log.state.calls.get(callId)?.call;
  const understood = call && (await understand(call, context));
  if (!call || !understood || "words" in understood) return { ok: false, problem: notEditable };
  const edited = await understandEdited(understood, command, context);
  if ("words" in edited) return { ok: false, problem: edited.words };
  const { verdict, because, offer } = await decisionOn(edited, undefined, context);
  if (verdict !== "deny") return { ok: true, value: offer };
  return { ok: false, problem: `This command is denied: ${because}. Write another one, or say no.` };
}
