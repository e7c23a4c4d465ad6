/** One session on a chat connection: follows the session and sends its frames. */

import { errorMessage } from "../../base/expected.ts";
import type { HostedRow, SessionHost } from "../../hosting/session-host.ts";
import type { Command, CommandOutcome } from "../../protocol/commands.ts";
import { type QuestionContext, leaveAll, leaveAnswered, withTimeLimit } from "./asking.ts";
import { catchUp } from "./catch-up.ts";
import type { ChatFrame } from "./frames.ts";
import { emptyHistory, remember } from "./history.ts";
import { noteOwnId, type OwnIds, withOwnId } from "./own-ids.ts";
import { projectChat } from "./project.ts";
import { openSilence, type Silence } from "./silence.ts";
import { type ChatState, emptyChat, type Projection } from "./state.ts";
import { cutOff } from "./stream.ts";
import type { TimerClock, QuestionWaits } from "./waits.ts";

type ChannelContext = {
  host: SessionHost;
  waits: QuestionWaits;
  clock: TimerClock;
  send(frame: ChatFrame): void;
};

export type Channel = {
  id: string;
  /** Resolves when the client has been brought up to date. */
  ready: Promise<void>;
  isAsking(callId: string): boolean;
  /** Announces that a message is about to be sent under `id`, for which the client uses `requestId`. */
  sent(id: string, requestId: string): void;
  command(command: Command): Promise<CommandOutcome>;
  /** Stops sending frames of this session. */
  close(): void;
};

type ChannelState = {
  row: HostedRow;
  context: ChannelContext;
  state: ChatState;
  isCaughtUp: boolean;
  ids: OwnIds;
  asking: QuestionContext;
  silence: Silence;
  ready: PromiseWithResolvers<void>;
  closing: AbortController;
};

/** `gone`: the session ends here; the client has already been informed. */
export function openChannel(
  row: HostedRow,
  context: ChannelContext,
  { requestId, gone }: { requestId?: string | undefined; gone: () => void },
): Channel {
  const { host, waits, clock } = context;
  const following: ChannelState = {
    row,
    context,
    state: emptyChat(row.id),
    isCaughtUp: false,
    ids: new Map(),
    asking: { session: row.id, host, waits, shown: new Map() },
    silence: openSilence(clock, () => void lookAfter(following)),
    ready: Promise.withResolvers<void>(),
    closing: new AbortController(),
  };
  void follow(following, requestId).finally(gone);
  return {
    id: row.id,
    ready: following.ready.promise,
    isAsking: (callId) => following.state.asked.has(callId),
    sent: (id, own) => noteOwnId(following.ids, id, own),
    command: (command) => host.command(row.id, command),
    close: () => following.closing.abort(),
  };
}

/** Never rejects: however it ends, the client is informed and all timers of this channel stop. */
async function follow(following: ChannelState, requestId: string | undefined): Promise<void> {
  const { row, ready, asking, silence } = following;
  try {
    await followTo(following, requestId);
    lose(following, `The session ${row.id} is gone: it was deleted.`);
  } catch (error) {
    const words = errorMessage(error);
    lose(following, `The session ${row.id} cannot be followed: ${words}`);
  } finally {
    silence.stop();
    leaveAll(asking);
    ready.resolve();
  }
}

async function followTo(following: ChannelState, requestId: string | undefined): Promise<void> {
  const { row, context, closing, ids } = following;
  let history = emptyHistory;
  const arrive = (): void => {
    const isWorkedOn = row.standing === "running" || row.standing === "waiting";
    following.isCaughtUp = true;
    tell(following, catchUp(following.state, history, { title: row.title, isWorkedOn, requestId }));
    following.ready.resolve();
  };
  if (row.facts === 0) arrive();
  for await (const event of context.host.follow(row.id, 0, { signal: closing.signal, person: true })) {
    const { state, frames } = projectChat(following.state, event);
    if (following.isCaughtUp) {
      tell(following, { state, frames: withOwnId(ids, event, frames) });
      continue;
    }
    following.state = state;
    for (const frame of frames) history = remember(history, frame);
    if ("seq" in event && event.seq >= row.facts) arrive();
  }
}

function lose(following: ChannelState, message: string): void {
  tell(following, cutOff(following.state, { code: "session-lost", message }));
}

function tell(following: ChannelState, { state, frames }: Projection): void {
  const { context, asking, silence, closing } = following;
  if (closing.signal.aborted) return;
  following.state = state;
  leaveAnswered(asking, state);
  const isAnswering = following.row.access !== "read";
  for (const frame of frames) context.send(isAnswering ? withTimeLimit(asking, state, frame) : frame);
  silence.heard(!state.streaming);
}

/** The program working on the turn may have died silently, and a client that streams the turn would wait for ever. */
async function lookAfter(following: ChannelState): Promise<void> {
  const { seq } = following.state;
  const row = await following.context.host.row(following.row.id).catch(() => undefined);
  const { state } = following;
  if (row?.standing !== "left-open" || state.seq !== seq || !state.streaming) return;
  const message = "The program that worked on this has stopped. Send `chat.continue` to continue it.";
  tell(following, cutOff(state, { code: "left-open", message }));
}
