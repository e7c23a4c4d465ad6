/** The first frames a client gets for a session: its conversation and what is open, as if it had been connected. */

import type { ChatFrame } from "./frames.ts";
import type { History } from "./history.ts";
import type { ChatState, Projection } from "./state.ts";
import { openStream } from "./stream.ts";

/** `title`: the session's display name. `isWorkedOn`: an open turn is running or waiting for a person. */
type CatchUpContext = { title: string; isWorkedOn: boolean; requestId?: string | undefined };

export function catchUp(
  state: ChatState,
  { messages, more }: History,
  { title, isWorkedOn, requestId }: CatchUpContext,
): Projection {
  const { sessionId, workspace, mode, model, seq, turn } = state;
  const streaming = state.isOpen && isWorkedOn;
  const start = { ...state, streaming: false, shown: "", isEven: false };
  const stream = streaming ? openStream(start, { sessionId, turn, seq }) : { state: start, frames: [] };
  const frames: ChatFrame[] = [
    {
      type: "session",
      sessionId,
      workspace,
      title: state.title ?? title,
      mode,
      model,
      streaming,
      seq,
      requestId,
    },
    { type: "chat.history", sessionId, seq, messages: [...messages], more },
    ...stream.frames,
    ...(streaming ? [...state.calls.values()].map(({ frame }) => frame) : []),
    ...(streaming ? state.asked.values() : []),
    ...state.queue,
    ...(state.todos ? [state.todos] : []),
  ];
  return { state: stream.state, frames };
}
