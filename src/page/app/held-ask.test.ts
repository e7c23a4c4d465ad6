import { expect, test } from "vitest";
import type { SessionValue } from "../../remote/api-values.ts";
import type { CommandSender } from "../contract.ts";
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

test("the program that holds a session is named in the page's words, without bidi overrides", () => {
  expect(heldWords("toolwright (process 12)")).toBe(
    "Open in another program (toolwright, process 12). Continue there; here it is read-only.",
  );
  expect(heldWords("a\u202Eb")).not.toContain("\u202E");
});

test("no request is sent to a session held by another program", async () => {
  const asked: string[] = [];
  const ask: CommandSender = ({ type }) => {
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
