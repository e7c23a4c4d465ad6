/** Two small meters in the head of a session, for context and cost, each with its details. */

import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";
import { visibleLine } from "../../base/visible-text.ts";
import type { ContextValue } from "../../remote/api-reports.ts";
import { fillingName } from "../../view/context-words.ts";
import { formatCost } from "../../view/cost.ts";
import "./meters.css";
import type { PanelProps, CommandSender } from "../contract.ts";
import { useLoading } from "./loading.ts";
import { contextWords, costOf, usageRows, count, share } from "./meter-words.ts";
import { ProblemLine } from "./problem-line.tsx";
import { useSending } from "./sending.ts";

export function ContextMeter({ view, client, ask }: PanelProps) {
  const report = useLoading(() => client.context(view.id));
  return (
    <Meter label="Context" words={contextWords(view.state, report.value)} onOpen={() => report.load()}>
      <h2 class="meter-heading">Context usage</h2>
      <ProblemLine problem={report.problem} />
      {report.value ? <ContextDetails report={report.value} ask={ask} /> : null}
      {report.value === undefined && report.isLoading ? <p class="muted">Loading…</p> : null}
    </Meter>
  );
}

export function CostMeter({ view }: PanelProps) {
  const cost = costOf(view.state);
  return (
    <Meter label="Cost" words={formatCost(cost)}>
      <h2 class="meter-heading">Tokens and cost of this session</h2>
      <dl class="meter-rows">
        {usageRows(view.state.usage).map(({ name, tokens }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{tokens}</dd>
          </div>
        ))}
        <div>
          <dt>Cost</dt>
          <dd>{formatCost(cost)}</dd>
        </div>
      </dl>
      {cost.unknown > 0 ? <p class="muted">The price of some answers is unknown.</p> : null}
    </Meter>
  );
}

type MeterProps = { label: string; words: string; onOpen?: () => void; children: ComponentChildren };

/** The browser closes the popover on Escape or a click outside; that Escape must have no other effect. */
function Meter({ label, words, onOpen, children }: MeterProps) {
  const id = useId();
  const details = useRef<HTMLDivElement>(null);
  const isOpen = (): boolean => details.current?.matches(":popover-open") === true;
  return (
    <span
      class="meter"
      onKeyDown={(event) => {
        if (event.key === "Escape" && isOpen()) event.stopPropagation();
      }}
    >
      <button type="button" class="button quiet meter-button" popovertarget={id}>
        <span class="muted">{label}</span> {words}
      </button>
      <div
        id={id}
        ref={details}
        popover="auto"
        class="card meter-details"
        role="dialog"
        aria-label={label}
        onToggle={() => {
          if (isOpen()) onOpen?.();
        }}
      >
        {children}
      </div>
    </span>
  );
}

/** Details of the context: each kind of content with its share, the largest results, and a way to free space now. */
function ContextDetails({ report, ask }: { report: ContextValue; ask: CommandSender }) {
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
