/** A call that has to ask a person goes in rounds: its questions go out with what the client has to bring back. */

import {
  createRequestStateCodec,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Command } from "../../protocol/commands.ts";
import type { SessionHost } from "../../runtime/hosting/session-host.ts";
import { type PersonQuestion, askedId } from "./asked.ts";
import { answerOf, elicitationOf } from "./questions.ts";
import type { ToolCallRoom } from "./session-tool.ts";

/** What a client brings back, signed. `after`: of a task, the fact before its first; `call`: the id of a call. */
export type Round =
  | { kind: "task"; session: string; after: number }
  | { kind: "call"; session: string; call: string };

/** For as long as a person may take. */
const validSeconds = 24 * 60 * 60;

export const roundCodec = (key: Uint8Array) =>
  createRequestStateCodec<Round>({ key, ttlSeconds: validSeconds });

/** `gone` is called where the client never comes back. */
export async function askFor(
  asked: readonly PersonQuestion[],
  { round, host, gone }: { round: Round; host: SessionHost; gone: () => void },
  { room, context }: ToolCallRoom,
): Promise<InputRequiredResult> {
  const key = round.kind === "call" ? round.call : round.session;
  room.unanswered.wait(key, { host, id: round.session, asked, gone });
  // Over the protocol's earlier versions the call itself goes on while its person is asked.
  if (context.mcpReq.envelope === undefined)
    context.mcpReq.signal.addEventListener("abort", () => room.unanswered.giveUp(key), { once: true });
  const requests = Object.fromEntries(asked.map((one) => [askedId(one), elicitationOf(one)]));
  const requestState = await roundCodec(room.key).mint(round, context);
  return inputRequired({ inputRequests: requests, requestState });
}

/** What the client's person said to these. */
export function answerAll(
  asked: readonly PersonQuestion[],
  { mcpReq }: ServerContext,
  by: string,
): Command[] {
  return asked.flatMap((one) => answerOf(one, inputResponse(mcpReq.inputResponses, askedId(one)), by) ?? []);
}
