import { expect, onTestFinished, test, vi } from "vitest";
import { floodGate } from "./flood-gate.ts";
import { mostFlood, mostPoured } from "./flood-gate.ts";

test.each([
  ["messages", { messages: mostFlood, bytes: 0 }, { messages: 1, bytes: 0 }, "it sent far too many messages"],
  ["bytes", { messages: 0, bytes: mostPoured }, { messages: 0, bytes: 1 }, "it sent far too much"],
])(
  "a server may send the limit of %s in ten seconds but no more, and the count resets after that",
  (_, most, more, says) => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const take = floodGate();
    take(most);
    vi.setSystemTime(Date.now() + 10_001);
    take(most);
    vi.setSystemTime(Date.now() + 10_000);
    expect(() => take(more)).toThrow(says);
  },
);
