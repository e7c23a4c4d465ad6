/** What a running request is waiting for, shown at the end of its conversation. */

import { statusOf } from "../../view/status.ts";
import { isTurnOpen } from "../../view/transcript.ts";
import type { SessionStore } from "../session/session-store.ts";
import { useClock } from "./clock.ts";

export function Waiting({ store }: { store: SessionStore }) {
  const { transcript, row } = store.view.value;
  // Subscribes to live blocks too, which come and go without a fact.
  void store.keys.value;
  const isOpen = isTurnOpen(transcript) && row?.standing !== "left-open";
  const now = useClock(isOpen).value;
  if (!isOpen) return null;
  const status = statusOf(transcript, now);
  if (status?.type === "person") return null;
  const isWriting = [...transcript.live.values()].some(
    (block) => (block.type === "text" || block.type === "reasoning") && block.open,
  );
  // What the page already shows elsewhere needs no words here.
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
