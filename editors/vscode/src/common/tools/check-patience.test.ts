import { expect, test } from "vitest";
import { CheckPatience } from "./check-patience.ts";

test("a language that is checked is waited for a little, and one that nobody checks hardly at all", () => {
  const patience = new CheckPatience();
  expect(patience.waits(["typescript"]).first).toBe(6_000);
  patience.waited("typescript", true);
  patience.waited("typescript", false);
  patience.waited("typescript", false);
  expect(patience.waits(["typescript"]).first).toBe(1_500);
  patience.waited("plaintext", false);
  expect(patience.waits(["plaintext"]).first).toBe(6_000);
  patience.waited("plaintext", false);
  expect(patience.waits(["plaintext"]).first).toBe(200);
  expect(patience.waits(["plaintext", "typescript"]).first).toBe(1_500);
  expect(patience.waits([]).first).toBe(0);
});
