/** Sessions that share stored contents, and the facts and images that each consists of. */

import { sha256 } from "../../src/base/crypto.ts";
import type { Entry, Fact } from "../../src/protocol/facts.ts";
import { checkpointId } from "../../src/protocol/fold-changes.ts";
import { step } from "../../src/protocol/fold.ts";
import { emptyState } from "../../src/protocol/session-state.ts";

/** One of a few long contents, so that some are shared between sessions. */
const content = (kind: string, which: number): Buffer =>
  Buffer.from(`${kind} ${which} `.repeat(3000 + which));

type Made = { entries: Entry[]; owner: string; output: Buffer; images: Buffer[] };

/** A session with a long text, a large output and a change that can be undone. */
export function sessionOf(id: string, [text, output, image]: readonly [number, number, number]): Made {
  const whole = content("output", output);
  const images = [content("before", image), content("after", image)];
  const [before = null, after = null] = images.map((bytes) => sha256(bytes));
  const changes = [{ path: "a.txt", before, after, added: 1, removed: 1 }];
  const facts: Fact[] = [
    { type: "session-start", session: id, workspace: "/w", version: "1" },
    { type: "user-message", content: [{ type: "text", text: "go" }] },
    { type: "turn-start", model: "m", mode: "ask" },
    { type: "text", block: 1, text: content("text", text).toString(), by: "model" },
    { type: "call", call: { id: "c", name: "change_it", input: {}, source: "native" } },
    { type: "answer-end", reason: "tool-calls", model: "m" },
    { type: "call-start", callId: "c", title: "Change", does: "change", changes },
    { type: "change-applied", callId: "c", changes },
    {
      type: "result",
      callId: "c",
      outcome: "ok",
      content: [{ type: "text", text: "done" }],
      full: { blob: sha256(whole), bytes: whole.length },
    },
    { type: "turn-end", stopped: "done", changed: [], verified: [], text: "." },
  ];
  const entries = facts.map((fact, at) => ({ ...fact, v: 1, seq: at + 1, at: 1000, turn: at === 0 ? 0 : 1 }));
  return { entries, owner: checkpointId(entries.reduce(step, emptyState()), 1), output: whole, images };
}
