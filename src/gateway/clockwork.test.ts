/** The clock for connections is monotonic: changes to the wall clock do not affect it. */

import { expect, onTestFinished, test, vi } from "vitest";
import { Clockwork } from "./clockwork.ts";

test("changing the wall clock does not affect the clock for connections", () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const clock = new Clockwork();
  const before = clock.now;
  vi.setSystemTime(Date.now() + 86_400_000);
  expect(clock.now - before).toBe(0);
  vi.setSystemTime(Date.now() - 2 * 86_400_000);
  vi.advanceTimersByTime(250);
  expect(clock.now - before).toBe(250);
});
