/** Messages queued for the running request, each of which can still be withdrawn. */

import type { QueuedMessage } from "../../protocol/session-state.ts";
import { shownText } from "../../view/shown-text.ts";
import { visibleText } from "../../view/visible.ts";
import type { PanelProps } from "../contract.ts";
import "./panels.css";
import { ProblemLine } from "./problem-line.tsx";
import { useSending } from "./sending.ts";

export function QueueList({ view, ask }: PanelProps) {
  const sending = useSending(ask);
  const { queue, status } = view.state;
  const isRunning = status === "running";
  if (queue.length === 0) return <ProblemLine problem={sending.problem} />;
  return (
    <section role="group" class="queue-list" aria-label="Queued messages">
      <ul>
        {queue.map((message) => (
          <li key={message.id}>
            <span class="queue-text">{wordsOf(message)}</span>
            <span class="muted">{isRunning ? until[message.when] : "sent with your next message"}</span>
            <button
              type="button"
              class="button quiet"
              disabled={sending.busy}
              onClick={() => void sending.send({ type: "withdraw", id: message.id })}
            >
              Withdraw
            </button>
          </li>
        ))}
      </ul>
      {isRunning ? null : (
        <button
          type="button"
          class="button"
          disabled={sending.busy}
          onClick={() => void sending.send({ type: "go-on" })}
        >
          Send it now
        </button>
      )}
      <ProblemLine problem={sending.problem} />
    </section>
  );
}

const until = { steer: "sent at the next step", next: "sent after this request" } as const;

function wordsOf({ content }: QueuedMessage): string {
  const texts = content.flatMap((part) => (part.type === "text" ? [shownText(part)] : []));
  const images = content.length - texts.length;
  const pictures = images === 0 ? [] : [images === 1 ? "[1 image]" : `[${images} images]`];
  return visibleText([...texts, ...pictures].join("\n"));
}
