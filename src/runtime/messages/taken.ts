/** Processes a message on its way into a session: expands it, validates it, and passes it through hooks. */

import type { Guarded } from "../../agent/extensions.ts";
import type { Expected } from "../../base/expected.ts";
import type { Fact } from "../../protocol/facts.ts";
import type { Part } from "../../protocol/messages.ts";
import type { SessionAddons } from "../addons/session-addons.ts";
import { messageBounds } from "./bounds.ts";
import { imageProblem } from "./sent-images.ts";

/** Expands the sender's words; the problem is one line for people. */
export type Reading = (content: readonly Part[], signal: AbortSignal) => Promise<Expected<Part[]>>;

/** `told`: facts from hooks, to be recorded even if the message is refused. */
export type Taken =
  | { ok: true; content: Part[]; facts: Fact[] }
  | { ok: false; problem: string; told: Fact[] };

type Room = { reading: Reading | undefined; addons: Pick<SessionAddons, "prompt">; signal: AbortSignal };

/** `signal` aborts when a person cancels the send. */
export async function taken(written: Part[], { reading, addons, signal }: Room): Promise<Taken> {
  const read = await readBy(reading, written, signal);
  if (signal.aborted || !read) return interrupted;
  if (!read.ok) return refused(read.problem);
  const content = read.value;
  if (content.every((part) => part.type === "text" && part.text.trim() === ""))
    return refused("The request is empty. Say what to do.");
  const noPicture = imageProblem(content);
  if (noPicture !== undefined) return refused(noPicture);
  const { facts, veto } = await heardByHooks(content, { addons, signal });
  if (signal.aborted) return interrupted;
  return veto === undefined
    ? { ok: true, content, facts }
    : { ok: false, problem: `Refused by ${veto}`, told: facts.filter(isNoContext) };
}

/** Undefined if cancelled. */
async function readBy(
  reading: Reading | undefined,
  written: Part[],
  signal: AbortSignal,
): Promise<Expected<Part[]> | undefined> {
  if (!reading) return { ok: true, value: written };
  try {
    return await reading(written, signal);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

export const isNoContext = ({ type }: Fact): boolean => type !== "context-added";

const refused = (problem: string): Taken => ({ ok: false, problem, told: [] });
const interrupted = refused("Interrupted before it was sent: the message was not sent.");

function heardByHooks(content: Part[], { addons, signal }: Omit<Room, "reading">): Promise<Guarded> {
  const overtime = AbortSignal.timeout(messageBounds.promptHooks.most);
  return addons.prompt(content, AbortSignal.any([signal, overtime]));
}
