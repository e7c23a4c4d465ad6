/**
 * Calls that must ask a person run in rounds: each reply carries questions and signed state to send back with the
 * answers.
 */

import {
  createRequestStateCodec,
  type InputRequest,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { SessionHost } from "../hosting/session-host.ts";
import type { Command } from "../protocol/commands.ts";
import { type PersonQuestion, askedId } from "../view/person-questions.ts";
import { answerFrom, questionForm } from "../view/question-forms.ts";
import type { SessionToolContext } from "./session-tool.ts";

/** The signed state. `after`: for a task, the fact before its first; `call`: the call's id. */
export type RoundState =
  | { kind: "task"; session: string; after: number }
  | { kind: "call"; session: string; call: string };

/** As long as a person may take to answer. */
const validSeconds = 24 * 60 * 60;

export const roundCodec = (key: Uint8Array) =>
  createRequestStateCodec<RoundState>({ key, ttlSeconds: validSeconds });

/** `gone` is called if the client never returns. */
export async function askFor(
  asked: readonly PersonQuestion[],
  { round, host, gone }: { round: RoundState; host: SessionHost; gone: () => void },
  { surface, context }: SessionToolContext,
): Promise<InputRequiredResult> {
  const key = round.kind === "call" ? round.call : round.session;
  surface.unanswered.wait(key, { host, id: round.session, asked, gone });
  // In earlier protocol versions the call itself stays open while the person is asked.
  if (context.mcpReq.envelope === undefined)
    context.mcpReq.signal.addEventListener("abort", () => surface.unanswered.giveUp(key), { once: true });
  const requests = Object.fromEntries(asked.map((one) => [askedId(one), formRequest(one)]));
  const requestState = await roundCodec(surface.key).mint(round, context);
  return inputRequired({ inputRequests: requests, requestState });
}

const formRequest = (asked: PersonQuestion): InputRequest => ({
  method: "elicitation/create",
  params: { mode: "form", ...questionForm(asked) },
});

/** The client's answer; undefined without one. */
export function answerTo(asked: PersonQuestion, { mcpReq }: ServerContext, by: string): Command | undefined {
  const view = inputResponse(mcpReq.inputResponses, askedId(asked));
  if (view.kind === "missing") return undefined;
  const isFilledIn = view.kind === "elicit" && view.action === "accept";
  return answerFrom(asked, isFilledIn ? (view.content ?? {}) : undefined, by);
}
