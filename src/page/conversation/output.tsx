/** The last lines of a call's output, with the complete output on demand. */

import { useRef, useState } from "preact/hooks";
import { countOf } from "../../base/amounts.ts";
import type { Expected } from "../../base/expected.ts";
import { visibleText } from "../../base/visible-text.ts";
import type { CallBlock } from "../../view/blocks.ts";
import type { PageClient } from "../contract.ts";
import type { SessionStore } from "../session/session-store.ts";
import { unfolds } from "./keep-at-end.ts";
import { withoutColours } from "./words.ts";

type OutputProps = { block: CallBlock; store: SessionStore; client: PageClient };

export function Output({ block, store, client }: OutputProps) {
  const [whole, setWhole] = useState<Expected<string> | "loading">();
  const { output, left = 0, more = 0, state } = block;
  if (output.length === 0) return null;
  const isOver = !["writing", "pending", "asking", "running"].includes(state);
  const isCut = left > 0 || more > 0 || block.isCut === true;
  const place = useRef<HTMLDivElement>(null);
  const load = async (): Promise<void> => {
    setWhole("loading");
    const result = await client.result(store.id, block.callId);
    place.current?.dispatchEvent(new Event(unfolds, { bubbles: true }));
    setWhole(result);
    // The focused button is about to disappear.
    if (result.ok) place.current?.querySelector("pre")?.focus({ preventScroll: true });
  };
  const text = whole !== undefined && whole !== "loading" && whole.ok ? whole.value : output.join("\n");
  const isWhole = text !== output.join("\n") || !isCut;
  return (
    <div class="output" ref={place}>
      {!isWhole && isOver && (
        <p class="output-more">
          <span class="muted">{elsewhere(left, more)}</span>
          <button type="button" class="link" disabled={whole === "loading"} onClick={() => void load()}>
            {whole === "loading" ? "Loading…" : "Show all"}
          </button>
        </p>
      )}
      {whole !== undefined && whole !== "loading" && !whole.ok && <p class="problem">{whole.problem}</p>}
      <pre class="output-text" tabIndex={0} aria-label="Output">
        {outputText(text)}
      </pre>
    </div>
  );
}

function elsewhere(left: number, more: number): string {
  if (left > 0) return countOf(left, "earlier line");
  return more > 0 ? countOf(more, "more line") : "Some of it is left out";
}

const outputText = (text: string): string => visibleText(withoutColours(text).replaceAll(/\r+$/gmu, ""));
