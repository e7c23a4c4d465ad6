import { expect, test } from "vitest";
import { gatewayBounds } from "../bounds.ts";
import { emptyHistory, type History, remember } from "./history.ts";

const request = (history: History, turn: number, text: string): History =>
  remember(history, { type: "chat.message", sessionId: "s", turn, text, images: 0, how: "request" });

const answer = (history: History, turn: number, text: string): History =>
  remember(history, {
    type: "chat.stream.end",
    sessionId: "s",
    turn,
    text,
    stopped: "done",
    changed: [],
    verified: [],
  });

test("E3: the history of a long conversation keeps the newest messages, beginning with a request", () => {
  let history = emptyHistory;
  for (let turn = 1; turn <= 500; turn += 1)
    history = answer(request(history, turn, `q${turn}`), turn, `a${turn}`);
  expect(history.more).toBe(true);
  expect(history.messages).toHaveLength(gatewayBounds.chatMessages.most);
  expect(history.messages[0]).toMatchObject({ role: "user", turn: 401 });
  expect(history.messages.map(({ role }) => role)).toEqual(
    history.messages.map((_, at) => (at % 2 === 0 ? "user" : "assistant")),
  );
});

test("texts beyond the bound drop the oldest messages, and the last answer stays complete", () => {
  const long = "x".repeat(gatewayBounds.chatText.most);
  const first = answer(request(emptyHistory, 1, "q"), 1, "a");
  const second = answer(request(first, 2, "Much?"), 2, long);
  expect(second.messages).toEqual([
    { role: "user", text: "Much?", turn: 2 },
    { role: "assistant", text: long, turn: 2 },
  ]);
  expect(second.more).toBe(true);
});

test("a message to a running turn is appended to its request, and images are counted", () => {
  const steered = remember(request(emptyHistory, 1, "q"), {
    type: "chat.message",
    sessionId: "s",
    turn: 1,
    text: "and this",
    images: 2,
    how: "steer",
  });
  expect(steered.messages).toEqual([{ role: "user", text: "q\n\nand this", images: 2, turn: 1 }]);
});
