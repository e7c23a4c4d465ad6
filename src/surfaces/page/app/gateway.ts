/** The page's access to the gateway: no method rejects; failures are described in words. */

import { type Expected, errorMessage } from "../../../base/expected.ts";
import type { Command, CommandOutcome } from "../../../protocol/commands.ts";
import type { Mode } from "../../../protocol/facts.ts";
import type { SessionValue } from "../../remote/api-values.ts";
import type { Client } from "../../remote/client.ts";
import { clientCodes, GatewayError } from "../../remote/gateway-error.ts";
import type { Live } from "../../remote/live.ts";
import type { Ask, PageClient } from "../contract.ts";
import { saveAs } from "./saving.ts";

type NewSession = { workspace?: string; mode?: Mode; model?: string; title?: string };

export type Gateway = {
  /** The id of this signed-in browser. */
  device: string | undefined;
  live: Live;
  client: PageClient;
  /** Returns the function that sends commands to a session. */
  askOf: (session: string) => Ask;
  about(): Promise<Expected<{ version: string; workspace: string; mode: Mode }>>;
  row: (session: string) => Promise<Expected<SessionValue>>;
  create: (which: NewSession) => Promise<Expected<SessionValue>>;
  remove: (session: string) => Promise<Expected<undefined>>;
  import: (file: Blob) => Promise<Expected<SessionValue>>;
};

export function gatewayOf(client: Client, device?: string): Gateway {
  const live = client.live();
  return {
    device,
    live,
    client: pageClient(client),
    askOf: (session) => (command) => ask(live, session, command),
    about: () => told(client.health()),
    row: (session) => told(client.session(session)),
    create: (which) => told(client.create(which)),
    remove: (session) => told(client.remove(session)),
    import: (file) => told(client.import(file).then(({ session }) => session)),
  };
}

/** Resends a message of unknown outcome: the gateway accepts each message id only once. */
async function ask(live: Live, session: string, command: Command): Promise<CommandOutcome> {
  const isRepeatable = command.type === "send" && command.id !== undefined;
  try {
    return await live.command(session, command);
  } catch (error) {
    if (!isRepeatable || !(error instanceof GatewayError) || error.code !== clientCodes.outcomeUnknown)
      return refused(error);
    return live.command(session, command).catch(refused);
  }
}

const foundSessions = 50;

function pageClient(client: Client): PageClient {
  return {
    review: (session, turn) => told(client.review(session, turn === undefined ? {} : { turn })),
    context: (session) => told(client.context(session)),
    result: (session, callId) => told(client.result(session, callId)),
    models: () => told(client.models()),
    search: (words) => told(client.sessions({ search: words, limit: foundSessions })),
    commands: (of) =>
      told(
        ("session" in of ? client.slashCommands(of.session) : client.workspaceCommands(of)).then(
          ({ commands }) => commands,
        ),
      ),
    devices: () => told(client.devices().then(({ devices }) => devices)),
    revoke: (id) => told(client.revoke(id)),
    fork: (session, beforeTurn) =>
      told(
        client.fork(session, beforeTurn === undefined ? {} : { beforeTurn }).then(({ session }) => session),
      ),
    download: (session) => told(download(client, session)),
  };
}

async function download(client: Client, session: string): Promise<undefined> {
  const pieces: BlobPart[] = [];
  for await (const piece of client.export(session)) pieces.push(new Uint8Array(piece));
  saveAs(new Blob(pieces, { type: "application/x-ndjson" }), `toolwright-session-${session}.jsonl`);
}

const wordsOf = (error: unknown): string => errorMessage(error);

const told = <T>(promise: Promise<T>): Promise<Expected<T>> =>
  promise.then(
    (value) => ({ ok: true, value }),
    (error: unknown) => ({ ok: false, problem: wordsOf(error) }),
  );

const refused = (error: unknown): CommandOutcome => ({ ok: false, problem: wordsOf(error) });
