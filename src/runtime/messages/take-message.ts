/** Processes a message on its way into a session: expands it, validates it, and passes it through hooks. */

import type { GuardResult } from "../../agent/extensions.ts";
import type { Expected } from "../../base/expected.ts";
import type { Fact } from "../../protocol/facts.ts";
import type { ContentPart } from "../../protocol/messages.ts";
import type { SessionAddons } from "../addons/session-addons.ts";
import { messageBounds } from "./bounds.ts";
import { imageProblem } from "./sent-images.ts";

/** Expands the sender's words; the problem is one line for people. */
export type MessageReader = (
  content: readonly ContentPart[],
  signal: AbortSignal,
) => Promise<Expected<ContentPart[]>>;

/** `told`: facts from hooks, to be recorded even if the message is refused. */
export type TakenMessage =
  | { ok: true; content: ContentPart[]; facts: Fact[] }
  | { ok: false; problem: string; told: Fact[] };

type TakingContext = {
  reading: MessageReader | undefined;
  addons: Pick<SessionAddons, "prompt">;
  signal: AbortSignal;
};

/** `signal` aborts when a person cancels the send. */
export async function takeMessage(
  written: ContentPart[],
  { reading, addons, signal }: TakingContext,
): Promise<TakenMessage> {
  const read = await readBy(reading, written, signal);
  if (signal.aborted || !read) return interrupted;
  if (!read.ok) return refusal(read.problem);
  const content = read.value;
  if (content.every((part) => part.type === "text" && part.text.trim() === ""))
    return refusal("The request is empty. Say what to do.");
  const noPicture = imageProblem(content);
  if (noPicture !== undefined) return refusal(noPicture);
  const { facts, veto } = await heardByHooks(content, { addons, signal });
  if (signal.aborted) return interrupted;
  return veto === undefined
    ? { ok: true, content, facts }
    : { ok: false, problem: `Refused by ${veto}`, told: facts.filter(isNoContext) };
}

/** Undefined if cancelled. */
async function readBy(
  reading: MessageReader | undefined,
  written: ContentPart[],
  signal: AbortSignal,
): Promise<Expected<ContentPart[]> | undefined> {
  if (!reading) return { ok: true, value: written };
  try {
    return await reading(written, signal);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

export const isNoContext = ({ type }: Fact): boolean => type !== "context-added";

const refusal = (problem: string): TakenMessage => ({ ok: false, problem, told: [] });
const interrupted = refusal("Interrupted before it was sent: the message was not sent.");

function heardByHooks(
  content: ContentPart[],
  { addons, signal }: Omit<TakingContext, "reading">,
): Promise<GuardResult> {
  const overtime = AbortSignal.timeout(messageBounds.promptHooks.most);
  return addons.prompt(content, AbortSignal.any([signal, overtime]));
}
