/** The page's access to the gateway: no method rejects; failures are described in words. */

import { type Expected, errorMessage, refuse } from "../../base/expected.ts";
import type { Command, CommandOutcome } from "../../protocol/commands.ts";
import type { Mode } from "../../protocol/facts.ts";
import type { SessionValue } from "../../remote/api-values.ts";
import type { Client } from "../../remote/client.ts";
import { clientCodes, GatewayError } from "../../remote/gateway-error.ts";
import type { LiveConnection } from "../../remote/live.ts";
import type { CommandSender, PageClient } from "../contract.ts";

export type PageGateway = {
  /** The id of this signed-in browser. */
  device: string | undefined;
  live: LiveConnection;
  client: PageClient;
  /** Returns the function that sends commands to a session. */
  askOf: (session: string) => CommandSender;
  about(): Promise<Expected<{ version: string; workspace: string; mode: Mode }>>;
  row: (session: string) => Promise<Expected<SessionValue>>;
  create: (which: Parameters<Client["create"]>[0]) => Promise<Expected<SessionValue>>;
  remove: (session: string) => Promise<Expected<undefined>>;
  import: (file: Blob) => Promise<Expected<SessionValue>>;
};

export function gatewayOf(client: Client, device?: string): PageGateway {
  const live = client.live();
  return {
    device,
    live,
    client: pageClient(client),
    askOf: (session) => (command) => ask(live, session, command),
    about: () => expectedOf(client.health()),
    row: (session) => expectedOf(client.session(session)),
    create: (which) => expectedOf(client.create(which)),
    remove: (session) => expectedOf(client.remove(session)),
    import: (file) => expectedOf(client.import(file).then(({ session }) => session)),
  };
}

/** Resends a message of unknown outcome: the gateway accepts each message id only once. */
async function ask(live: LiveConnection, session: string, command: Command): Promise<CommandOutcome> {
  const isRepeatable = command.type === "send" && command.id !== undefined;
  try {
    return await live.command(session, command);
  } catch (error) {
    if (!isRepeatable || !(error instanceof GatewayError) || error.code !== clientCodes.outcomeUnknown)
      return failedOutcome(error);
    return live.command(session, command).catch(failedOutcome);
  }
}

const foundSessions = 50;

function pageClient(client: Client): PageClient {
  return {
    review: (session, turn) => expectedOf(client.review(session, turn === undefined ? {} : { turn })),
    context: (session) => expectedOf(client.context(session)),
    result: (session, callId) => expectedOf(client.result(session, callId)),
    models: () => expectedOf(client.models()),
    search: (words) => expectedOf(client.sessions({ search: words, limit: foundSessions })),
    commands: (of) =>
      expectedOf(
        ("session" in of ? client.slashCommands(of.session) : client.workspaceCommands(of)).then(
          ({ commands }) => commands,
        ),
      ),
    devices: () => expectedOf(client.devices().then(({ devices }) => devices)),
    revoke: (id) => expectedOf(client.revoke(id)),
    fork: (session, beforeTurn) =>
      expectedOf(
        client.fork(session, beforeTurn === undefined ? {} : { beforeTurn }).then(({ session }) => session),
      ),
    sharing: (session) => expectedOf(client.sharing(session)),
    share: (session, share) => expectedOf(client.share(session, share)),
    download: (session) => expectedOf(download(client, session)),
  };
}

async function download(client: Client, session: string): Promise<undefined> {
  const pieces: BlobPart[] = [];
  for await (const piece of client.export(session)) pieces.push(new Uint8Array(piece));
  saveAs(new Blob(pieces, { type: "application/x-ndjson" }), `toolwright-session-${session}.jsonl`);
}

const expectedOf = <T>(promise: Promise<T>): Promise<Expected<T>> =>
  promise.then(
    (value) => ({ ok: true, value }),
    (error: unknown) => refuse(errorMessage(error)),
  );

const failedOutcome = (error: unknown): CommandOutcome => refuse(errorMessage(error));

function saveAs(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser must have started to read the file by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
