/** One session on a connection of the chat protocol: it is followed, its frames go out, and questions have their time. */
import { isDeepStrictEqual } from "node:util";
import { bounds } from "../../../base/bounds.ts";
import type { Command, CommandOutcome } from "../../../protocol/commands.ts";
import { nobody } from "../../../protocol/fact-words.ts";
import type { Entry, Signal } from "../../../protocol/facts.ts";
import type { Part } from "../../../protocol/messages.ts";
import type { HostedRow, SessionHost } from "../../../runtime/session-host.ts";
import { catchUp } from "./catch-up.ts";
import type { ChatFrame } from "./frames.ts";
import { emptyHistory, remember } from "./history.ts";
import { projectChat } from "./project.ts";
import { type AskedFrame, type ChatState, emptyChat, type Projected } from "./state.ts";
import { cutOff } from "./stream.ts";
import type { Shown, Waits } from "./waits.ts";

export type ChannelRoom = { host: SessionHost; waits: Waits; send(frame: ChatFrame): void };

export type Channel = {
  id: string;
  /** Resolves when the client has been told what there is. */
  ready: Promise<void>;
  isAsking(callId: string): boolean;
  /** A message for which the client has an id of its own. */
  sent(content: readonly Part[], requestId: string): () => void;
  command(command: Command): Promise<CommandOutcome>;
  /** Nothing more of it is sent. */
  close(): void;
};

type Sent = { content: readonly Part[]; requestId: string };

type Following = {
  row: HostedRow;
  room: ChannelRoom;
  state: ChatState;
  isCaughtUp: boolean;
  sent: Sent[];
  shown: Map<string, Shown>;
  ready: PromiseWithResolvers<void>;
  closing: AbortController;
};

/** `gone`: nothing comes of this session any more; the client has been told. */
export function openChannel(
  row: HostedRow,
  room: ChannelRoom,
  { requestId, gone }: { requestId?: string | undefined; gone: () => void },
): Channel {
  const following: Following = {
    row,
    room,
    state: emptyChat(row.id),
    isCaughtUp: false,
    sent: [],
    shown: new Map(),
    ready: Promise.withResolvers<void>(),
    closing: new AbortController(),
  };
  void follow(following, requestId).finally(gone);
  return {
    id: row.id,
    ready: following.ready.promise,
    isAsking: (callId) => following.state.asked.has(callId),
    sent(content, id) {
      const sent = { content, requestId: id };
      following.sent = [...following.sent, sent].slice(-bounds.gateway.commandsUnderWay.most);
      return () => void (following.sent = following.sent.filter((each) => each !== sent));
    },
    command: (command) => room.host.command(row.id, command),
    close: () => following.closing.abort(),
  };
}

/** Never rejects: whatever ends it, the client is told, and what it was shown has no clock of this connection any more. */
async function follow(following: Following, requestId: string | undefined): Promise<void> {
  const { row, closing, ready } = following;
  try {
    await followTo(following, requestId);
    if (!closing.signal.aborted) leave(following, `The session ${row.id} is gone: it was deleted.`);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    if (!closing.signal.aborted) leave(following, `The session ${row.id} cannot be followed: ${words}`);
  } finally {
    for (const shown of following.shown.values()) shown.leave();
    following.shown.clear();
    ready.resolve();
  }
}

async function followTo(following: Following, requestId: string | undefined): Promise<void> {
  const { row, room, closing } = following;
  let history = emptyHistory;
  const arrive = () => {
    const isWorkedOn = row.standing === "running" || row.standing === "waiting";
    const { state, frames } = catchUp(following.state, history, { title: row.title, isWorkedOn, requestId });
    following.isCaughtUp = true;
    tell(following, { state, frames });
    following.ready.resolve();
  };
  if (row.facts === 0) arrive();
  for await (const event of room.host.follow(row.id, 0, { signal: closing.signal, person: true })) {
    const projected = projectChat(following.state, event);
    if (following.isCaughtUp) {
      tell(following, named(following, projected, event));
      continue;
    }
    following.state = projected.state;
    for (const frame of projected.frames) history = remember(history, frame);
    if ("seq" in event && event.seq >= row.facts) arrive();
  }
}

function leave(following: Following, message: string): void {
  tell(following, cutOff(following.state, { code: "session-lost", message }));
}

function tell(following: Following, { state, frames }: Projected): void {
  const { room, shown } = following;
  following.state = state;
  for (const [key, wait] of shown) {
    if (state.asked.has(key)) continue;
    wait.leave();
    shown.delete(key);
  }
  for (const frame of frames) room.send(timed(following, frame));
}

/** With the time that is left for an answer, which starts now unless another connection shows it already. */
function timed(following: Following, frame: ChatFrame): ChatFrame {
  const { shown, room, row, state } = following;
  if (!isAsked(frame)) return frame;
  const key = [...state.asked].find(([, asked]) => asked === frame)?.[0];
  if (key === undefined) return frame;
  const wait = room.waits.show(`${row.id} ${key}`, () => void expire(following, frame));
  shown.set(key, wait);
  return { ...frame, timeoutMs: wait.timeoutMs, expiresAt: wait.expiresAt };
}

const isAsked = (frame: ChatFrame): frame is AskedFrame =>
  frame.type === "tool.approval.request" ||
  frame.type === "question.request" ||
  frame.type === "limit.request";

/** Who does not answer has said no. Where somebody was faster, their answer counts. */
async function expire({ room, row }: Following, frame: AskedFrame): Promise<void> {
  try {
    await room.host.command(row.id, noTo(frame));
  } catch {
    // Whatever is wrong with the session, whoever follows it is told.
  }
}

const by = nobody;

function noTo(frame: AskedFrame): Command {
  switch (frame.type) {
    case "tool.approval.request":
      return { type: "answer-approval", callId: frame.callId, answer: "deny", scope: "once", by };
    case "question.request":
      return { type: "answer-question", callId: frame.callId, answer: "declined", by };
    case "limit.request":
      return { type: "answer-limit", answer: "stop", by };
    default:
      return frame satisfies never;
  }
}

/** The client's own id goes with what came of its message: the first that says the same. */
function named(following: Following, { state, frames }: Projected, event: Entry | Signal): Projected {
  if (!("content" in event) || event.type === "result" || ("queued" in event && event.queued !== undefined))
    return { state, frames };
  const mine = following.sent.find(({ content }) => isDeepStrictEqual(content, event.content));
  if (!mine) return { state, frames };
  following.sent = following.sent.filter((each) => each !== mine);
  const { requestId } = mine;
  return { state, frames: frames.map((frame) => ofRequest(frame, requestId)) };
}

function ofRequest(frame: ChatFrame, requestId: string): ChatFrame {
  const { type } = frame;
  return type === "chat.message" || type === "chat.queued" || type === "chat.stream.start"
    ? { ...frame, requestId }
    : frame;
}
