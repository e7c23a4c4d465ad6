/** Details of the context: each kind of content with its share, the largest results, and a way to free space now. */

import type { ContextValue } from "../../remote/api-reports.ts";
import { fillingName } from "../../view/context-words.ts";
import { visibleLine } from "../../view/visible.ts";
import type { CommandSender } from "../contract.ts";
import { count, share } from "./meter-words.ts";
import { ProblemLine } from "./problem-line.tsx";
import { useSending } from "./sending.ts";

export function ContextDetails({ report, ask }: { report: ContextValue; ask: CommandSender }) {
  const sending = useSending(ask);
  const { tokens, limit, parts, largest, leftOut, compactions, isAssumed, window, model } = report;
  return (
    <>
      <p>
        {count(tokens)} of {count(limit)} tokens ({share(tokens, limit)} %)
      </p>
      <meter class="meter-bar" aria-label="Share of the context in use" min={0} max={limit} value={tokens} />
      <dl class="meter-rows">
        {parts
          .filter((part) => part.tokens > 0)
          .map((part) => (
            <div key={part.of}>
              <dt>{fillingName(part.of)}</dt>
              <dd>
                {count(part.tokens)} ({share(part.tokens, tokens)} %)
              </dd>
            </div>
          ))}
      </dl>
      {largest.length === 0 ? null : <Largest results={largest} />}
      <p class="muted">
        {isAssumed
          ? `The context window of ${visibleLine(model)} is unknown; ${count(window)} is assumed.`
          : `The context window of ${visibleLine(model)} is ${count(window)}; the rest is reserved for the answer.`}
        {leftOut > 0 ? ` ${count(leftOut)} results are left out to save space.` : ""}
        {compactions > 0 ? ` Compacted so far: ${compactions === 1 ? "once" : `${compactions} times`}.` : ""}
        {` At ${count(report.makesRoomAt)} the conversation is compacted.`}
      </p>
      <button
        type="button"
        class="button"
        disabled={sending.busy}
        onClick={() => void sending.send({ type: "compact" })}
      >
        Compact now
      </button>
      <ProblemLine problem={sending.problem} />
    </>
  );
}

function Largest({ results }: { results: ContextValue["largest"] }) {
  return (
    <>
      <h3 class="meter-heading">Largest results</h3>
      <ol class="meter-largest">
        {results.slice(0, 5).map(({ callId, name, title, tokens }) => (
          <li key={callId}>
            <span class="mono">{visibleLine(title === "" ? name : title)}</span> {count(tokens)}
          </li>
        ))}
      </ol>
    </>
  );
}
