/** Carries out one request in a session of the core and tells it piece by piece, for clients that have chats of their own. */

import type { Client, CommandOutcome, LiveConnection } from "../../../../../src/client.ts";
import { clientCodes, GatewayError } from "../../../../../src/remote/gateway-error.ts";
import { type TurnPiece, TurnWords } from "./turn-words.ts";

type RequestCore = { client: Client; live: LiveConnection };

/** `session`: the one that is continued; another is made if it is gone. */
export type SessionRequest = { workspace: string; session: string | undefined; words: string };

type BegunRequest = { session: string; pieces: AsyncIterable<TurnPiece> };

/** When the signal aborts, the request is interrupted and told to its end. Throws GatewayError. */
export async function beginRequest(
  core: RequestCore,
  request: SessionRequest,
  signal: AbortSignal,
): Promise<BegunRequest> {
  const continued = request.session === undefined ? undefined : await continueIn(core, request);
  const { session, after } = continued ?? (await beginNew(core, request));
  return { session, pieces: tell(core, { session, after }, signal) };
}

type RequestPlace = { session: string; after: number };

const contentOf = (words: string) => [{ type: "text" as const, text: words }];

async function beginNew(
  { client }: RequestCore,
  { workspace, words }: SessionRequest,
): Promise<RequestPlace> {
  const { id } = await client.create({ workspace, content: contentOf(words) });
  return { session: id, after: 0 };
}

/** Undefined: there is no such session any more. */
async function continueIn(
  { client, live }: RequestCore,
  { session = "", words }: SessionRequest,
): Promise<RequestPlace | undefined> {
  try {
    const { facts } = await client.session(session);
    const outcome = await live.command(session, { type: "send", content: contentOf(words) });
    requireTaken(outcome);
    return { session, after: facts };
  } catch (error) {
    if (error instanceof GatewayError && error.status === 404) return undefined;
    throw error;
  }
}

function requireTaken(outcome: CommandOutcome): void {
  if (!outcome.ok) throw new GatewayError({ code: clientCodes.notSent, message: outcome.problem });
}

async function* tell(
  { live }: RequestCore,
  { session, after }: RequestPlace,
  signal: AbortSignal,
): AsyncGenerator<TurnPiece, void> {
  const words = new TurnWords();
  const interrupt = (): void =>
    void live.command(session, { type: "interrupt", by: "VS Code" }).catch(() => undefined);
  signal.addEventListener("abort", interrupt, { once: true });
  if (signal.aborted) interrupt();
  try {
    for await (const event of live.follow(session, { after, person: true }))
      for (const piece of words.take(event)) {
        yield piece;
        if (piece.type === "end") return;
      }
  } finally {
    signal.removeEventListener("abort", interrupt);
  }
}
