/** A connection that speaks the chat protocol of source E: requests in, frames out. The logic is in the projection. */
import { randomUUID } from "node:crypto";
import { bounds } from "../../../base/bounds.ts";
import type { Parsed } from "../../../base/json.ts";
import type { Command } from "../../../protocol/commands.ts";
import type { HostedRow, SessionHost } from "../../../runtime/session-host.ts";
import type { ChatSocket } from "../chat-socket.ts";
import { closeCodes } from "../../remote/frames.ts";
import { type Channel, openChannel } from "./channel.ts";
import type { ChatFrame } from "./frames.ts";
import { limitKey } from "./state.ts";
import { callOf, type ChatRequest, type Fault, partsOf, readRequest, type RequestOf } from "./requests.ts";
import { type Clock, openWaits, systemClock, type Waits } from "./waits.ts";

/** What all connections of a gateway share. */
export type ChatRoom = { host: SessionHost; waits: Waits; clock: Clock };

/** `answerWithinMs`: for how long a question waits for an answer, from when it is first shown. */
export function chatRoom(
  host: SessionHost,
  {
    answerWithinMs = bounds.gateway.approvalTime.most,
    clock = systemClock,
  }: { answerWithinMs?: number; clock?: Clock } = {},
): ChatRoom {
  return { host, waits: openWaits(answerWithinMs, clock), clock };
}

type Connection = ChatRoom & {
  socket: ChatSocket;
  channels: Map<string, Channel>;
  /** The session that was used last. */
  current: string | undefined;
  isClosed: boolean;
  /** The request that is being carried out, and those behind it. */
  requests: Promise<void>;
  waiting: number;
  /** Frames that could not be understood. */
  broken: number;
};

/** Serves the connection until it is closed. `session`: it begins with this one's history. Never throws. */
export function openChat(socket: ChatSocket, room: ChatRoom, session?: string): void {
  const connection: Connection = {
    ...room,
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

function send({ socket, isClosed }: Connection, frame: ChatFrame): void {
  if (!isClosed) socket.send(JSON.stringify(frame));
}

function tellFault(connection: Connection, fault: Fault & { sessionId?: string }): void {
  send(connection, { type: "error", ...fault });
}

function receive(connection: Connection, text: string): void {
  if (connection.isClosed) return;
  const read = readRequest(text);
  if (!read.ok) return complain(connection, read.fault);
  const { request } = read;
  if (request.type === "ping") return send(connection, { type: "pong", ...idOf(request) });
  queue(connection, request);
}

function complain(connection: Connection, fault: Fault): void {
  connection.broken += 1;
  if (connection.broken <= bounds.gateway.brokenFrames.most) tellFault(connection, fault);
  else connection.socket.close(closeCodes.tooMany, "Too many frames that cannot be understood.");
}

type Work = Exclude<ChatRequest, { type: "ping" }>;

/** One after the other, as they came: a message and the stop behind it keep their order. */
function queue(connection: Connection, request: Work): void {
  const most = bounds.gateway.commandsUnderWay.most;
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

async function attempt(connection: Connection, request: Work): Promise<void> {
  try {
    if (!connection.isClosed) await carryOut(connection, request);
  } catch (error) {
    const message = `This could not be done: ${error instanceof Error ? error.message : String(error)}`;
    tellFault(connection, { code: "failed", message, ...idOf(request) });
  }
}

const idOf = ({ requestId }: ChatRequest): { requestId?: string } =>
  requestId === undefined ? {} : { requestId };

async function carryOut(connection: Connection, request: Work): Promise<void> {
  const channel = await channelFor(connection, request);
  if (!channel.ok) return tellFault(connection, { ...channel.fault, ...idOf(request) });
  const { value } = channel;
  await value.ready;
  if (request.type === "chat.open" || connection.isClosed) return;
  const command = commandOf(request);
  if (!command.ok)
    return tellFault(connection, {
      code: "invalid",
      message: command.problem,
      sessionId: value.id,
      ...idOf(request),
    });
  const { requestId } = request;
  const id = command.value.type === "send" ? command.value.id : undefined;
  if (id !== undefined && requestId !== undefined) value.sent(id, requestId);
  const outcome = await value.command(command.value);
  if (outcome.ok) return;
  tellFault(connection, { code: "refused", message: outcome.problem, sessionId: value.id, ...idOf(request) });
}

type Found = { ok: true; value: Channel } | { ok: false; fault: Fault };

/** The session that a request is about: the one it names, the one that has asked, the one used last, or a new one. */
async function channelFor(connection: Connection, request: Work): Promise<Found> {
  const { channels, host } = connection;
  const id = request.sessionId ?? askingSession(connection, request) ?? connection.current;
  const known = id === undefined ? undefined : channels.get(id);
  if (known) {
    connection.current = known.id;
    if (request.type === "chat.open") known.close();
    else return { ok: true, value: known };
  }
  if (id === undefined && request.type !== "chat.send")
    return lacking(
      "no-session",
      "No session is used here yet. Send a message, or name one by its `sessionId`.",
    );
  if (!known && channels.size >= bounds.gateway.chatSessions.most)
    return lacking("too-many-sessions", "This connection uses as many sessions as it may. Open another one.");
  if (id !== undefined) {
    const row = await host.row(id);
    if (connection.isClosed) return left;
    return row
      ? { ok: true, value: attach(connection, row, request) }
      : lacking(
          "unknown-session",
          `There is no session ${id.slice(0, shownOfId)}. Leave \`sessionId\` out for a new one.`,
        );
  }
  const made = await host.create({});
  if (connection.isClosed) return left;
  return made.ok
    ? { ok: true, value: attach(connection, made.value, request) }
    : lacking("refused", made.problem);
}

/** Characters of a name that nothing has. */
const shownOfId = 100;

const lacking = (code: string, message: string): Found => ({ ok: false, fault: { code, message } });

/** Heard by nobody: a channel opened now would never be closed, and count as somebody who can be asked. */
const left = lacking("no-session", "The connection is closed.");

function askingSession({ channels, current }: Connection, request: Work): string | undefined {
  const callId = askedBy(request);
  if (callId === undefined) return undefined;
  const asking = [...channels.values()].filter((channel) => channel.isAsking(callId));
  return (asking.find(({ id }) => id === current) ?? asking[0])?.id;
}

function askedBy(request: Work): string | undefined {
  if (request.type === "tool.approval.response") return request.callId ?? request.approvalId;
  if (request.type === "question.response") return request.callId;
  return request.type === "limit.response" ? limitKey : undefined;
}

function attach(connection: Connection, row: HostedRow, request: Work): Channel {
  const { channels, host, waits, clock } = connection;
  const channel: Channel = openChannel(
    row,
    { host, waits, clock, send: (frame) => send(connection, frame) },
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

/** What is asked of the session; what was opened needs nothing more. */
function commandOf(request: Exclude<Work, { type: "chat.open" }>): Parsed<Command> {
  switch (request.type) {
    case "chat.send": {
      const when = request.when === undefined ? {} : { when: request.when };
      return { ok: true, value: { type: "send", content: partsOf(request), ...when, id: randomUUID() } };
    }
    case "chat.cancel":
      return { ok: true, value: { type: "interrupt" } };
    case "chat.continue":
      return { ok: true, value: { type: "go-on" } };
    case "chat.withdraw":
      return { ok: true, value: { type: "withdraw", id: request.id } };
    case "tool.approval.response":
      return approval(request);
    case "question.response": {
      const { callId, declined, text, chosen, steps } = request;
      const more = {
        ...(text === undefined ? {} : { text }),
        ...(chosen ? { chosen } : {}),
        ...(steps ? { steps } : {}),
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

function approval(request: RequestOf<"tool.approval.response">): Parsed<Command> {
  const callId = callOf(request);
  if (!callId.ok) return callId;
  const { approved, scope = "once", note, command } = request;
  const answer = approved ? ("allow" as const) : ("deny" as const);
  const said = { ...(note === undefined ? {} : { note }), ...(command === undefined ? {} : { command }) };
  return { ok: true, value: { type: "answer-approval", callId: callId.value, answer, scope, by, ...said } };
}
