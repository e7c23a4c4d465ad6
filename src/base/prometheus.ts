/** Counters and gauges, and their text for monitoring (Prometheus exposition format 0.0.4). */

/** Every label's value must be one of a limited set, and safe between quotes. */
type Labels = Readonly<Record<string, string>>;

/** `described`: the help text of every counter, by its name without "toolwright_". */
export class Counters<Name extends string> {
  readonly #described: Readonly<Record<Name, string>>;
  /** By name, then by labels. */
  readonly #sums = new Map<string, Map<string, number>>();

  constructor(described: Readonly<Record<Name, string>>) {
    this.#described = described;
  }

  add(name: Name, by: number, labels: Labels = {}): void {
    const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    const key = pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
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

type Gauge = readonly [name: string, help: string, value: number];

export const gaugeLines = (gauges: readonly Gauge[]): string[] =>
  gauges.flatMap(([name, help, value]) => [...headOf(name, help, "gauge"), `toolwright_${name} ${value}`]);

/** What this process takes of the machine. */
export function processLines(): string[] {
  const { user, system } = process.cpuUsage();
  return [
    ...gaugeLines([
      ["memory_bytes", "Memory that the process has in the machine (RSS).", process.memoryUsage.rss()],
    ]),
    ...headOf("cpu_seconds_total", "Processor time of the process.", "counter"),
    `toolwright_cpu_seconds_total ${(user + system) / 1_000_000}`,
  ];
}

const headOf = (name: string, help: string, type: "counter" | "gauge"): string[] => [
  `# HELP toolwright_${name} ${help}`,
  `# TYPE toolwright_${name} ${type}`,
];
