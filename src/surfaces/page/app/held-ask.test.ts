import { expect, test } from "vitest";
import type { SessionValue } from "../../remote/api-values.ts";
import type { Ask } from "../contract.ts";
import { askUnlessHeld, heldWords } from "./held-ask.ts";

const row = (heldBy?: string): SessionValue => ({
  id: "a",
  title: "",
  workspace: "/w",
  createdAt: 1,
  updatedAt: 1,
  facts: 1,
  standing: "idle",
  turns: 0,
  answers: 0,
  usage: { inputTokens: 0, outputTokens: 0 },
  cost: { dollars: 0, unknown: 0 },
  ...(heldBy === undefined ? {} : { heldBy }),
});

test("who has a session open is named in the page's words, whatever they are", () => {
  expect(heldWords("toolwright (process 12)")).toBe(
    "Open in another program (toolwright, process 12). Continue there; here it is read-only.",
  );
  expect(heldWords("a\u202Eb")).not.toContain("\u202E");
});

test("while another program has a session open nothing is asked of it", async () => {
  const asked: string[] = [];
  const ask: Ask = ({ type }) => {
    asked.push(type);
    return Promise.resolve({ ok: true });
  };
  const gateway = { askOf: () => ask };
  const held = askUnlessHeld(gateway, { id: "a", row: row("editor (process 7)") });
  expect(await held({ type: "interrupt" })).toEqual({ ok: false, problem: heldWords("editor (process 7)") });
  expect(asked).toEqual([]);
  for (const free of [row(), undefined])
    expect(await askUnlessHeld(gateway, { id: "a", row: free })({ type: "interrupt" })).toEqual({ ok: true });
  expect(asked).toEqual(["interrupt", "interrupt"]);
});
