/** A chat protocol client for tests: follows the documented rules, and throws if the server breaks them. */

import { deepStrictEqual, equal, ok } from "node:assert/strict";
import { parseJson } from "../../../base/json.ts";
import { chatFrames, type ChatFrame, type FrameOf, type HistoryMessage } from "../frames.ts";

export type ChatClient = {
  frames: ChatFrame[];
  /** The visible conversation, alternating user and assistant; the last message grows while `streaming`. */
  messages: HistoryMessage[];
  streaming: boolean;
  /** The turn's message so far. */
  text: string;
  /** Deltas received since the stream began. */
  deltas: number;
  ends: FrameOf<"chat.stream.end">[];
};

export const chatClient = (): ChatClient => ({
  frames: [],
  messages: [],
  streaming: false,
  text: "",
  deltas: 0,
  ends: [],
});

/** Receives one frame in its wire format. */
export function receiveText(client: ChatClient, text: string): ChatFrame {
  const parsed = parseJson(text);
  ok(parsed.ok, "a frame is JSON");
  const frame = parseFrame(parsed.value);
  receive(client, frame);
  return frame;
}

/** Requires exactly the fields of the frame's schema. */
export function parseFrame(value: unknown): ChatFrame {
  ok(typeof value === "object" && value !== null && "type" in value);
  const schema = Object.entries(chatFrames).find(([type]) => type === value.type)?.[1];
  ok(schema, `there is no frame of type ${String(value.type)}`);
  const parsed = schema.parse(value);
  deepStrictEqual(parsed, value);
  return parsed;
}

export function receive(client: ChatClient, frame: ChatFrame): void {
  client.frames.push(frame);
  switch (frame.type) {
    case "session":
      client.streaming = false;
      return;
    case "chat.history":
      client.messages = [...frame.messages];
      return;
    case "chat.message":
      return addMessage(client, frame);
    case "chat.stream.start":
      ok(!client.streaming, "a stream starts when none is open");
      client.streaming = true;
      client.text = "";
      client.deltas = 0;
      return;
    case "chat.stream.delta":
      ok(client.streaming, "a delta belongs to a stream");
      equal(frame.offset, client.text.length, "a delta goes on where the text ends");
      ok(frame.delta !== "", "a delta says something");
      client.text += frame.delta;
      client.deltas += 1;
      return;
    case "chat.stream.reset":
      ok(client.streaming && frame.length < client.text.length, "a reset takes something back");
      client.text = client.text.slice(0, frame.length);
      return;
    case "chat.stream.end":
      return endStream(client, frame);
    default:
      return;
  }
}

function addMessage(client: ChatClient, { how, text, images, turn }: FrameOf<"chat.message">): void {
  const last = client.messages.at(-1);
  const some = images > 0 ? { images } : {};
  if (how === "request" || last?.role !== "user") client.messages.push({ role: "user", text, ...some, turn });
  else
    client.messages = [
      ...client.messages.slice(0, -1),
      { ...last, ...some, text: `${last.text}\n\n${text}` },
    ];
}

function endStream(client: ChatClient, frame: FrameOf<"chat.stream.end">): void {
  ok(client.streaming, "only a stream that was started ends");
  ok(client.deltas > 0, "never an end without a delta before it (E5)");
  equal(frame.text, client.text, "the deltas are the message");
  ok(frame.text.trim() !== "", "no message is empty");
  client.streaming = false;
  client.ends.push(frame);
  if (frame.stopped !== "lost")
    client.messages.push({ role: "assistant", text: frame.text, turn: frame.turn });
}
