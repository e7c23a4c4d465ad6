/** Two small meters in the head of a session, for context and cost, each with its details. */

import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";
import { formatCost } from "../../view/cost.ts";
import type { PanelProps } from "../contract.ts";
import { ContextDetails } from "./context-details.tsx";
import { useLoading } from "./loading.ts";
import { contextWords, costOf, usageRows } from "./meter-words.ts";
import "./meters.css";
import { ProblemLine } from "./problem-line.tsx";

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
