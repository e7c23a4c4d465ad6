/** The first facts of a session whose request waits for an approval. */

import type { Fact } from "../../protocol/facts.ts";

export const start: Fact = { type: "session-start", session: "s", workspace: "/w", version: "1" };
export const request: Fact = { type: "user-message", content: [{ type: "text", text: "Mend the parser" }] };
export const call: Fact = { type: "call", call: { id: "c", name: "x", input: {}, source: "native" } };
export const asked: Fact = {
  type: "approval-asked",
  callId: "c",
  title: "X",
  because: "",
  risk: "high",
  preview: "",
  grant: "",
};
