/** The server's figures for monitoring: requests, tokens and dollars of each client since its start. */

import { Counters, gaugeLines, processLines } from "../base/prometheus.ts";
import { mostClients } from "./bounds.ts";
import type { LogLine } from "./log.ts";
import type { ClientUsage } from "./records.ts";

const counted = {
  lm_requests_total: "Requests with a valid key, by client and outcome.",
  lm_unknown_total: "Requests without a valid key, or from a foreign place.",
  lm_answers_total: "Requests for which a model was asked, by client.",
  lm_tokens_total: "Tokens, by client and kind.",
  lm_dollars_total: "US dollars of answers with a known price, by client.",
  lm_unpriced_total: "Answers whose price is unknown, by client.",
} as const;

export type Metrics = {
  /** Called with each log line. */
  visited(line: LogLine): void;
  /** Called with what each answer used. */
  spent(client: string, spent: ClientUsage): void;
  /** `running`: requests that are being answered. */
  text(running: number): string;
};

/** Names beyond those that can have a key at once, because keys were revoked and made, become one. */
const mostNames = 2 * mostClients;

export function metricsOf(): Metrics {
  const counters = new Counters(counted);
  const names = new Set<string>();
  const labelOf = (client: string): string => {
    if (names.size < mostNames) names.add(client);
    return names.has(client) ? client : "others";
  };
  return {
    visited(line) {
      if (line.client === undefined) counters.one("lm_unknown_total");
      else counters.one("lm_requests_total", { client: labelOf(line.client), outcome: outcomeOf(line) });
    },
    spent(name, { requests, inputTokens, outputTokens, dollars, unpriced }) {
      const client = labelOf(name);
      counters.add("lm_answers_total", requests, { client });
      counters.add("lm_tokens_total", inputTokens, { client, kind: "input" });
      counters.add("lm_tokens_total", outputTokens, { client, kind: "output" });
      counters.add("lm_dollars_total", dollars, { client });
      counters.add("lm_unpriced_total", unpriced, { client });
    },
    text(running) {
      const gauges = gaugeLines([["lm_requests_running", "Requests that are being answered.", running]]);
      return `${[...counters.lines(), ...gauges, ...processLines()].join("\n")}\n`;
    },
  };
}

function outcomeOf({ status, broken }: LogLine): string {
  if (broken) return "broken";
  if (status < 400) return "answered";
  if (status === 429) return "limited";
  return status < 500 ? "refused" : "failed";
}
