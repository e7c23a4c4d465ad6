/** What a running request waits for right now, at the end of its conversation. */

import { statusOf } from "../../view/status.ts";
import { isTurnOpen } from "../../view/transcript.ts";
import type { SessionStore } from "../session/session-store.ts";
import { useClock } from "./clock.ts";

export function Waiting({ store }: { store: SessionStore }) {
  const { transcript } = store.view.value;
  // What is being written comes and goes without a fact.
  void store.keys.value;
  const isOpen = isTurnOpen(transcript);
  const now = useClock(isOpen).value;
  if (!isOpen) return null;
  const status = statusOf(transcript, now);
  if (status?.type === "person") return null;
  const isWriting = [...transcript.live.values()].some(
    (block) => (block.type === "text" || block.type === "reasoning") && block.open,
  );
  // What is on the page already needs no words.
  const words = status?.type === "model" ? status.text : isWriting || status ? "" : "working";
  return (
    <p class="waiting" aria-hidden="true">
      <span class={`waiting-dots ${isWriting ? "waiting-still" : ""}`}>
        <i />
        <i />
        <i />
      </span>
      {words !== "" && <span class="muted">{words}</span>}
    </p>
  );
}
