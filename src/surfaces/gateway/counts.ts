/** Counters of a gateway's activity, and their format for monitoring. */

import type { Figures } from "../../runtime/hosting/session-host.ts";

/** Every counter, with its Prometheus help text. */
const counted = {
  requests_total: "Requests over HTTP that were let in.",
  refused_total: "Requests and upgrades that were refused, by reason.",
  sockets_total: "Sockets that were opened.",
  frames_total: "Frames from clients.",
  events_total: "Facts and signals sent to clients.",
  event_bytes_total: "Bytes of them.",
  commands_total: "Commands, by kind and outcome.",
  closed_total: "Connections that were closed from here, by reason.",
} as const;
type CountName = keyof typeof counted;

export class Counts {
  /** By name, then by labels. */
  readonly #sums = new Map<string, Map<string, number>>();

  add(name: CountName, by: number, labels: Readonly<Record<string, string>> = {}): void {
    const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    const key = pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
    const sums = this.#sums.get(name) ?? new Map<string, number>();
    sums.set(key, (sums.get(key) ?? 0) + by);
    this.#sums.set(name, sums);
  }

  one(name: CountName, labels?: Readonly<Record<string, string>>): void {
    this.add(name, 1, labels);
  }

  lines(): string[] {
    return Object.entries(counted).flatMap(([name, help]) => {
      const sums = [...(this.#sums.get(name) ?? new Map([["", 0]]))];
      return [
        ...headOf(name, help, "counter"),
        ...sums.map(([key, sum]) => `toolwright_${name}${key} ${sum}`),
      ];
    });
  }
}

type Gauges = { figures: Figures; connections: number; sockets: number; uptimeMs: number };

/** Prometheus text (exposition format 0.0.4). */
export function metricsText(counts: Counts, { figures, connections, sockets, uptimeMs }: Gauges): string {
  const { user, system } = process.cpuUsage();
  const gauges: [string, string, number][] = [
    ["sessions_open", "Sessions that are open here.", figures.open],
    ["sessions_working", "Sessions in which something runs.", figures.working],
    ["followers", "Sessions followed, counted for each client.", figures.followers],
    ["connections", "Connections that are open, sockets among them.", connections],
    ["sockets", "Sockets that are open.", sockets],
    ["uptime_seconds", "Since the gateway was started.", uptimeMs / 1_000],
    ["memory_bytes", "Memory that the process has in the machine (RSS).", process.memoryUsage.rss()],
  ];
  const lines = [
    ...counts.lines(),
    ...gauges.flatMap(([name, help, value]) => [
      ...headOf(name, help, "gauge"),
      `toolwright_${name} ${value}`,
    ]),
    ...headOf("cpu_seconds_total", "Processor time of the process.", "counter"),
    `toolwright_cpu_seconds_total ${(user + system) / 1_000_000}`,
  ];
  return `${lines.join("\n")}\n`;
}

const headOf = (name: string, help: string, type: "counter" | "gauge"): string[] => [
  `# HELP toolwright_${name} ${help}`,
  `# TYPE toolwright_${name} ${type}`,
];
