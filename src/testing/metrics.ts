/** Figures for monitoring, as a parser that we did not write reads them. */

import { createRequire } from "node:module";
import * as z from "zod/mini";

const family = z.object({
  name: z.string(),
  help: z.string(),
  type: z.enum(["COUNTER", "GAUGE"]),
  metrics: z.array(z.object({ value: z.string(), labels: z.optional(z.record(z.string(), z.string())) })),
});

const parse: unknown = createRequire(import.meta.url)("parse-prometheus-text-format");

/** By name and labels, as in `toolwright_workers{host="box"}`. Throws if a line is no figure, or has no help or type. */
export function metricsIn(text: string): Record<string, number> {
  if (typeof parse !== "function") throw new Error("The parser is no function.");
  const families = z.array(family).parse(parse(text));
  return Object.fromEntries(
    families.flatMap(({ name, metrics }) =>
      metrics.map(({ labels = {}, value }) => [name + labelText(labels), Number(value)]),
    ),
  );
}

function labelText(labels: Record<string, string>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}
