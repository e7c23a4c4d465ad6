/** Tests joining a problem and its advice into one line. */

import { expect, test } from "vitest";
import { withAdvice } from "./advice.ts";
import { ModelError } from "./model-events.ts";

test("advice follows the problem as a sentence of its own", () => {
  expect(withAdvice("It failed", undefined)).toBe("It failed");
  expect(withAdvice("It failed", "Try again.")).toBe("It failed. Try again.");
  expect(withAdvice("It failed.", "Try again.")).toBe("It failed. Try again.");
});

test("a changed copy of a failure keeps all other details", () => {
  const details = { advice: "Wait.", said: "busy", retryAfter: 5, status: 503, cause: "why" };
  const failure = new ModelError("overloaded", "It is busy.", { ...details, fault: "stream_error" });
  const changed = failure.with({ midStream: true, kind: "server" });
  expect(changed).toMatchObject({
    ...details,
    kind: "server",
    message: "It is busy.",
    fault: "stream_error",
    midStream: true,
  });
  expect(changed.with({ advice: undefined }).inFull).toBe("It is busy.");
});
