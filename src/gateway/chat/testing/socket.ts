/** The client end of the chat protocol for tests: in memory, or over any connection that carries texts. */

import type { ChatSocket } from "../chat.ts";
import type { ChatFrame } from "../frames.ts";
import { type ChatClient, chatClient, receiveText } from "./client.ts";

export type FrameInbox = {
  client: ChatClient;
  take: (text: string) => void;
  /** The first frame of this type after the one returned last. */
  next: <Type extends ChatFrame["type"]>(type: Type) => Promise<ChatFrame & { type: Type }>;
};

const isOf = <Type extends ChatFrame["type"]>(
  frame: ChatFrame,
  type: Type,
): frame is ChatFrame & { type: Type } => frame.type === type;

export function inbox(): FrameInbox {
  const client = chatClient();
  let [wake, given]: [(() => void) | undefined, number] = [undefined, 0];
  return {
    client,
    take(text) {
      receiveText(client, text);
      wake?.();
    },
    async next(type) {
      for (;;) {
        const frame = client.frames[given];
        if (frame) given += 1;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        if (frame && isOf(frame, type)) return frame;
      }
    },
  };
}

export type TestSocket = Omit<FrameInbox, "take"> & {
  socket: ChatSocket;
  /** Sends a frame, or any text unchanged. */
  send: (frame: object | string) => void;
  leave: () => void;
};

/** `heard` is called with each frame. */
export function testSocket(heard: (frame: ChatFrame) => void = () => undefined): TestSocket {
  const { client, take, next } = inbox();
  const messages: ((text: string) => void)[] = [];
  const closes: (() => void)[] = [];
  const leave = (): void => {
    for (const listener of closes) listener();
  };
  return {
    socket: {
      send(text) {
        take(text);
        const frame = client.frames.at(-1);
        if (frame) heard(frame);
      },
      close: leave,
      onMessage: (listener) => void messages.push(listener),
      onClose: (listener) => void closes.push(listener),
    },
    client,
    next,
    send(frame) {
      const text = typeof frame === "string" ? frame : JSON.stringify(frame);
      for (const listener of messages) listener(text);
    },
    leave,
  };
}
