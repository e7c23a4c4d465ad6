/** Counters and gauges, and their text for monitoring (Prometheus exposition format 0.0.4). */

type Labels = Readonly<Record<string, string>>;

/** `described`: the help text of every counter, by its name without "toolwright_". */
export class Counters<Name extends string> {
  readonly #described: Readonly<Record<Name, string>>;
  /** By name, then by labels. */
  readonly #sums = new Map<string, Map<string, number>>();

  constructor(described: Readonly<Record<Name, string>>) {
    this.#described = described;
  }

  /** Every label's value must be one of a limited set. */
  add(name: Name, by: number, labels: Labels = {}): void {
    const key = labelText(labels);
    const sums = this.#sums.get(name) ?? new Map<string, number>();
    sums.set(key, (sums.get(key) ?? 0) + by);
    this.#sums.set(name, sums);
  }

  one(name: Name, labels?: Labels): void {
    this.add(name, 1, labels);
  }

  lines(): string[] {
    return Object.entries<string>(this.#described).flatMap(([name, help]) => {
      const sums = [...(this.#sums.get(name) ?? new Map([["", 0]]))];
      return [
        ...headOf(name, help, "counter"),
        ...sums.map(([key, sum]) => `toolwright_${name}${key} ${sum}`),
      ];
    });
  }
}

/** A value, or one for each set of labels. */
export type Gauge = readonly [
  name: string,
  help: string,
  value: number | readonly { labels: Labels; value: number }[],
];

export const gaugeLines = (gauges: readonly Gauge[]): string[] => linesOf(gauges, "gauge");

/** Sums that somebody else keeps. */
export const counterLines = (sums: readonly Gauge[]): string[] => linesOf(sums, "counter");

const linesOf = (measured: readonly Gauge[], type: "counter" | "gauge"): string[] =>
  measured.flatMap(([name, help, value]) => {
    const values = typeof value === "number" ? [{ labels: {}, value }] : value;
    return [
      ...headOf(name, help, type),
      ...values.map((one) => `toolwright_${name}${labelText(one.labels)} ${one.value}`),
    ];
  });

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${quotedText(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

const quotedText = (value: string): string =>
  value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");

/** What this process takes of the machine. */
export function processLines(): string[] {
  const { user, system } = process.cpuUsage();
  return [
    ...gaugeLines([
      ["memory_bytes", "Memory that the process has in the machine (RSS).", process.memoryUsage.rss()],
    ]),
    ...counterLines([["cpu_seconds_total", "Processor time of the process.", (user + system) / 1_000_000]]),
  ];
}

const headOf = (name: string, help: string, type: "counter" | "gauge"): string[] => [
  `# HELP toolwright_${name} ${help}`,
  `# TYPE toolwright_${name} ${type}`,
];
