/**
 * Calls that must ask a person run in rounds: each reply carries questions and signed state to send back with the
 * answers.
 */

import {
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { SessionHost } from "../hosting/session-host.ts";
import type { Command } from "../protocol/commands.ts";
import { type PersonQuestion, askedId } from "../view/person-questions.ts";
import { answerFrom, questionForm } from "../view/question-forms.ts";
import type { SessionToolContext, ToolReply } from "./session-tool.ts";

/** The signed state. `after`: for a task, the fact before its first; `call`: the call's id. */
export type RoundState =
  | { kind: "task"; session: string; after: number }
  | { kind: "call"; session: string; call: string };

/** As long as a person may take to answer. */
const validSeconds = 24 * 60 * 60;

export const roundCodec = (key: Uint8Array) =>
  createRequestStateCodec<RoundState>({ key, ttlSeconds: validSeconds });

/** A client's answers, by the ids of the questions. */
export type ClientAnswers = Readonly<Record<string, unknown>>;

type AskedRound = {
  round: RoundState;
  host: SessionHost;
  /** Called if the client never returns. */
  gone: () => void;
  /** Goes on with the answers of a client that is asked while its call stays open. */
  goOn: (answers: ClientAnswers) => Promise<ToolReply>;
};

export async function askFor(
  asked: readonly PersonQuestion[],
  { round, host, gone, goOn }: AskedRound,
  { surface, context }: SessionToolContext,
): Promise<ToolReply> {
  const { envelope, signal } = context.mcpReq;
  const key = round.kind === "call" ? round.call : round.session;
  surface.unanswered.wait(key, { host, id: round.session, asked, gone });
  if (envelope === undefined) {
    signal.addEventListener("abort", () => surface.unanswered.giveUp(key), { once: true });
    return goOn(await askInCall(asked, context, surface.unanswered.withinMs));
  }
  const inputRequests = Object.fromEntries(asked.map((one) => [askedId(one), formRequest(one)]));
  const requestState = await roundCodec(surface.key).mint(round, context);
  return inputRequired({ inputRequests, requestState });
}

/** As in earlier versions of the protocol. A client whose asking fails has said no: nothing may wait for it then. */
async function askInCall(
  asked: readonly PersonQuestion[],
  { mcpReq }: ServerContext,
  timeout: number,
): Promise<ClientAnswers> {
  const answers = asked.map(async (one) => {
    const answer = await mcpReq.send(formRequest(one), { timeout }).catch(() => ({ action: "cancel" }));
    return [askedId(one), answer] as const;
  });
  return Object.fromEntries(await Promise.all(answers));
}

const formRequest = (asked: PersonQuestion) => ({
  method: "elicitation/create" as const,
  params: { mode: "form" as const, ...questionForm(asked) },
});

/** What the client answers; undefined without an answer. */
export function answerTo(asked: PersonQuestion, answers: ClientAnswers, by: string): Command | undefined {
  const view = inputResponse(answers, askedId(asked));
  if (view.kind === "missing") return undefined;
  const isFilledIn = view.kind === "elicit" && view.action === "accept";
  return answerFrom(asked, isFilledIn ? (view.content ?? {}) : undefined, by);
}
