/** Messages that wait for the running request, each of which can still be taken back. */
import type { QueuedMessage } from "../../../protocol/session-state.ts";
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
    <section role="group" class="queue-list" aria-label="Messages that wait">
      <ul>
        {queue.map((message) => (
          <li key={message.id}>
            <span class="queue-text">{wordsOf(message)}</span>
            <span class="muted">{isRunning ? until[message.when] : "goes along with your next message"}</span>
            <button
              type="button"
              class="button quiet"
              disabled={sending.busy}
              onClick={() => void sending.send({ type: "withdraw", id: message.id })}
            >
              Take back
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

const until = { steer: "told at the next step", next: "waits until this request is done" } as const;

function wordsOf({ content }: QueuedMessage): string {
  const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const images = content.length - texts.length;
  const pictures = images === 0 ? [] : [images === 1 ? "[1 image]" : `[${images} images]`];
  return visibleText([...texts, ...pictures].join("\n"));
}
