/**
 * A connection that speaks the chat protocol (docs/chat-protocol.md): requests in, frames out. The protocol's logic is
 * in the projection (project.ts).
 */

import { randomUUID } from "node:crypto";
import { type Expected, errorMessage } from "../../base/expected.ts";
import { withoutUndefined } from "../../base/without-undefined.ts";
import { configurationBounds } from "../../configuration/bounds.ts";
import type { HostedRow, SessionHost } from "../../hosting/session-host.ts";
import type { Command, CommandOutcome } from "../../protocol/commands.ts";
import { slashCommands } from "../../remote/api-values.ts";
import { remoteBounds } from "../../remote/bounds.ts";
import { closeCodes } from "../../remote/frames.ts";
import { gatewayBounds, mostBrokenFrames } from "../bounds.ts";
import { type Channel, openChannel } from "./channel.ts";
import type { ChatFrame } from "./frames.ts";
import { callOf, type ChatRequest, type Fault, partsOf, readRequest, type RequestOf } from "./requests.ts";
import { limitKey } from "./state.ts";
import { type TimerClock, openWaits, systemClock, type QuestionWaits } from "./waits.ts";

/** State shared by all connections of a gateway. */
export type ChatContext = { host: SessionHost; waits: QuestionWaits; clock: TimerClock };

/** `answerWithinMs`: how long a question waits for an answer, from when it is first shown. */
export function chatContext(
  host: SessionHost,
  {
    answerWithinMs = configurationBounds.approvalTime.most,
    clock = systemClock,
  }: { answerWithinMs?: number; clock?: TimerClock } = {},
): ChatContext {
  return { host, waits: openWaits(answerWithinMs, clock), clock };
}

type ChatConnection = ChatContext & {
  socket: ChatSocket;
  channels: Map<string, Channel>;
  /** The most recently used session. */
  current: string | undefined;
  isClosed: boolean;
  /** The request in progress, and those queued after it. */
  requests: Promise<void>;
  waiting: number;
  /** Number of frames that could not be parsed. */
  broken: number;
};

/** Serves the connection until it is closed, starting with the history of `session` if given. Never throws. */
export function openChat(socket: ChatSocket, context: ChatContext, session?: string): void {
  const connection: ChatConnection = {
    ...context,
    socket,
    channels: new Map(),
    current: undefined,
    isClosed: false,
    requests: Promise.resolve(),
    waiting: 0,
    broken: 0,
  };
  socket.onMessage((text) => receive(connection, text));
  socket.onClose(() => {
    connection.isClosed = true;
    for (const channel of connection.channels.values()) channel.close();
  });
  if (session !== undefined) queue(connection, { type: "chat.open", sessionId: session });
}

function send({ socket, isClosed }: ChatConnection, frame: ChatFrame): void {
  if (!isClosed) socket.send(JSON.stringify(frame));
}

function tellFault(connection: ChatConnection, fault: Fault & { sessionId?: string }): void {
  send(connection, { type: "error", ...fault });
}

function receive(connection: ChatConnection, text: string): void {
  if (connection.isClosed) return;
  const read = readRequest(text);
  if (!read.ok) return complain(connection, read.fault);
  const { request } = read;
  if (request.type === "ping") return send(connection, { type: "pong", ...idOf(request) });
  queue(connection, request);
}

function complain(connection: ChatConnection, fault: Fault): void {
  connection.broken += 1;
  if (connection.broken <= mostBrokenFrames) tellFault(connection, fault);
  else connection.socket.close(closeCodes.tooMany, "Too many frames that cannot be understood.");
}

type ChatWork = Exclude<ChatRequest, { type: "ping" }>;
/** Requests that need the session itself. */
type SessionRequest = Exclude<ChatWork, { type: "chat.commands" }>;

/** Runs requests in order of arrival, so that a message and the stop after it keep their order. */
function queue(connection: ChatConnection, request: ChatWork): void {
  const most = remoteBounds.commands.most;
  if (connection.waiting >= most) {
    const message = `${most} requests of this connection wait already. Wait for what comes of them.`;
    return tellFault(connection, { code: "too-many-requests", message, ...idOf(request) });
  }
  connection.waiting += 1;
  const before = connection.requests;
  connection.requests = (async () => {
    await before;
    await attempt(connection, request);
    connection.waiting -= 1;
  })();
}

async function attempt(connection: ChatConnection, request: ChatWork): Promise<void> {
  try {
    if (!connection.isClosed) await carryOut(connection, request);
  } catch (error) {
    const message = `This could not be done: ${errorMessage(error)}`;
    tellFault(connection, { code: "failed", message, ...idOf(request) });
  }
}

const idOf = ({ requestId }: ChatRequest): { requestId?: string } =>
  requestId === undefined ? {} : { requestId };

async function carryOut(connection: ChatConnection, request: ChatWork): Promise<void> {
  if (request.type === "chat.commands") return tellCommands(connection, request);
  const id = request.sessionId ?? askingSession(connection, request) ?? connection.current;
  if (id === undefined && request.type === "chat.send") return begin(connection, request);
  const channel = id === undefined ? noSession : await channelFor(connection, request, id);
  if (!channel.ok) return tellFault(connection, { ...channel.fault, ...idOf(request) });
  const { value } = channel;
  await value.ready;
  if (request.type === "chat.open" || connection.isClosed) return;
  const about = { sessionId: value.id, ...idOf(request) };
  const command = commandOf(request);
  if (!command.ok) return tellFault(connection, { code: "invalid", message: command.problem, ...about });
  const outcome = await ask(value, command.value, request);
  if (!outcome.ok) tellFault(connection, { code: "refused", message: outcome.problem, ...about });
}

function ask(channel: Channel, command: Command, { requestId }: ChatRequest): Promise<CommandOutcome> {
  const id = command.type === "send" ? command.id : undefined;
  if (id !== undefined && requestId !== undefined) channel.sent(id, requestId);
  return channel.command(command);
}

/** A new session is announced once its first message was taken; if that is refused or fails, it never existed. */
async function begin(connection: ChatConnection, request: RequestOf<"chat.send">): Promise<void> {
  const { host, current } = connection;
  if (isFull(connection)) return tellFault(connection, { ...tooMany.fault, ...idOf(request) });
  const made = await host.create({});
  if (!made.ok) return tellFault(connection, { code: "refused", message: made.problem, ...idOf(request) });
  const told = heldBack((frame) => send(connection, frame));
  let outcome: CommandOutcome | undefined;
  try {
    outcome = await firstAsked(connection, made.value, { request, send: told.send });
  } finally {
    if (outcome?.ok) told.release();
    else {
      connection.current = current;
      await forget(connection, made.value.id);
    }
  }
  if (outcome?.ok === false)
    tellFault(connection, { code: "refused", message: outcome.problem, ...idOf(request) });
}

/** Undefined if the connection was closed first. */
async function firstAsked(
  connection: ChatConnection,
  row: HostedRow,
  attaching: AttachRequest & { request: RequestOf<"chat.send"> },
): Promise<CommandOutcome | undefined> {
  if (connection.isClosed) return undefined;
  const channel = attach(connection, row, attaching);
  await channel.ready;
  return connection.isClosed ? undefined : ask(channel, messageOf(attaching.request), attaching.request);
}

async function forget({ channels, host }: ChatConnection, id: string): Promise<void> {
  channels.get(id)?.close();
  channels.delete(id);
  await host.remove(id);
}

/** Holds frames back until it is known whether to send them. */
function heldBack(send: (frame: ChatFrame) => void) {
  let held: ChatFrame[] | undefined = [];
  return {
    send: (frame: ChatFrame): void => {
      if (held) held.push(frame);
      else send(frame);
    },
    release: (): void => {
      for (const frame of held ?? []) send(frame);
      held = undefined;
    },
  };
}

async function tellCommands(connection: ChatConnection, request: RequestOf<"chat.commands">): Promise<void> {
  const { host, current } = connection;
  const id = request.sessionId ?? current;
  if (id !== undefined && !(await host.row(id)))
    return tellFault(connection, { ...unknownSession(id), ...idOf(request) });
  const found = await host.slashCommands(id === undefined ? {} : { session: id });
  const about = { sessionId: id, ...idOf(request) };
  if (!found.ok) return tellFault(connection, { code: "refused", message: found.problem, ...about });
  send(connection, { type: "chat.commands", ...slashCommands.parse(found.value), ...about });
}

type ChannelLookup = { ok: true; value: Channel } | { ok: false; fault: Fault };

/** `id`: the session that the request names, that asked the question, or that was used last. */
async function channelFor(
  connection: ChatConnection,
  request: SessionRequest,
  id: string,
): Promise<ChannelLookup> {
  const { channels, host } = connection;
  const known = channels.get(id);
  if (known) {
    connection.current = known.id;
    if (request.type === "chat.open") known.close();
    else return { ok: true, value: known };
  }
  if (!known && isFull(connection)) return tooMany;
  const row = await host.row(id);
  if (connection.isClosed) return left;
  if (!row) return { ok: false, fault: unknownSession(id) };
  return { ok: true, value: attach(connection, row, { request, send: (frame) => send(connection, frame) }) };
}

const isFull = ({ channels }: ChatConnection): boolean => channels.size >= gatewayBounds.chatSessions.most;

/** Characters shown of an id that does not exist. */
const shownOfId = 100;

const unknownSession = (id: string): Fault => ({
  code: "unknown-session",
  message: `There is no session ${id.slice(0, shownOfId)}. Leave \`sessionId\` out for a new one.`,
});

const lacking = (code: string, message: string) => ({ ok: false as const, fault: { code, message } });

const noSession = lacking(
  "no-session",
  "No session is used here yet. Send a message, or name one by its `sessionId`.",
);
const tooMany = lacking(
  "too-many-sessions",
  "This connection uses as many sessions as it may. Open another one.",
);
/** Reaches no client. A channel opened now would never be closed, and would count as a person who can be asked. */
const left = lacking("no-session", "The connection is closed.");

function askingSession({ channels, current }: ChatConnection, request: SessionRequest): string | undefined {
  const callId = askedBy(request);
  if (callId === undefined) return undefined;
  const asking = [...channels.values()].filter((channel) => channel.isAsking(callId));
  return (asking.find(({ id }) => id === current) ?? asking[0])?.id;
}

function askedBy(request: SessionRequest): string | undefined {
  if (request.type === "tool.approval.response") return request.callId ?? request.approvalId;
  if (request.type === "question.response") return request.callId;
  return request.type === "limit.response" ? limitKey : undefined;
}

type AttachRequest = { request: SessionRequest; send: (frame: ChatFrame) => void };

function attach(connection: ChatConnection, row: HostedRow, { request, send }: AttachRequest): Channel {
  const { channels, host, waits, clock } = connection;
  const channel: Channel = openChannel(
    row,
    { host, waits, clock, send },
    {
      requestId: request.requestId,
      gone() {
        if (channels.get(row.id) === channel) channels.delete(row.id);
      },
    },
  );
  channels.set(row.id, channel);
  connection.current = row.id;
  return channel;
}

const by = "chat";

/** The session command for a request; `chat.open` needs none once the channel is open. */
function commandOf(request: Exclude<SessionRequest, { type: "chat.open" }>): Expected<Command> {
  switch (request.type) {
    case "chat.send":
      return { ok: true, value: messageOf(request) };
    case "chat.cancel":
      return { ok: true, value: { type: "interrupt", by } };
    case "chat.continue":
      return { ok: true, value: { type: "go-on" } };
    case "chat.withdraw":
      return { ok: true, value: { type: "withdraw", id: request.id } };
    case "tool.approval.response":
      return approval(request);
    case "question.response": {
      const { callId, declined, text, chosen, steps } = request;
      const more = {
        text,
        chosen,
        steps,
      };
      const answer = declined === true ? "declined" : "given";
      return { ok: true, value: { type: "answer-question", callId, answer, by, ...more } };
    }
    case "limit.response": {
      const most = request.most === undefined ? {} : { most: request.most };
      return {
        ok: true,
        value: { type: "answer-limit", answer: request.extend ? "extend" : "stop", by, ...most },
      };
    }
    default:
      return request satisfies never;
  }
}

function messageOf(request: RequestOf<"chat.send">): Command {
  const when = request.when === undefined ? {} : { when: request.when };
  return { type: "send", content: partsOf(request), ...when, id: randomUUID() };
}

function approval(request: RequestOf<"tool.approval.response">): Expected<Command> {
  const callId = callOf(request);
  if (!callId.ok) return callId;
  const { approved, scope = "once", note, command, drops } = request;
  const answer = approved ? ("allow" as const) : ("deny" as const);
  const said = withoutUndefined({ note, command, drops });
  return { ok: true, value: { type: "answer-approval", callId: callId.value, answer, scope, by, ...said } };
}

export type ChatSocket = {
  send(frame: string): void;
  close(code: number, reason: string): void;
  onMessage(listener: (text: string) => void): void;
  onClose(listener: () => void): void;
};
