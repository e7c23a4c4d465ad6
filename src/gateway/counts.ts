/** Counters of a gateway's activity, and their format for monitoring. */

import { Counters, gaugeLines, processLines } from "../base/prometheus.ts";
import { type EngineFigures, engineLines, type HostFigures, hostLines } from "../hosting/figures.ts";

/** Every counter, with its Prometheus help text. */
const counted = {
  requests_total: "Requests over HTTP that were let in.",
  refused_total: "Requests and upgrades that were refused, by reason.",
  sockets_total: "Sockets that were opened.",
  frames_total: "Frames from clients.",
  events_total: "Facts and signals sent to clients, by type.",
  event_bytes_total: "Bytes of them.",
  commands_total: "Commands, by kind and outcome.",
  closed_total: "Connections that were closed from here, by reason.",
} as const;

export class GatewayCounts extends Counters<keyof typeof counted> {
  constructor() {
    super(counted);
  }
}

type Gauges = {
  figures: HostFigures;
  queues: EngineFigures | undefined;
  isReady: boolean;
  connections: number;
  sockets: number;
  uptimeMs: number;
};

export function metricsText(counts: GatewayCounts, gauges: Gauges): string {
  const { figures, queues, isReady, connections, sockets, uptimeMs } = gauges;
  const lines = [
    ...counts.lines(),
    ...hostLines(figures),
    ...gaugeLines([
      ["ready", "Whether it can work now: 1, or 0.", isReady ? 1 : 0],
      ["followers", "Sessions followed, counted for each client.", figures.followers],
      ["connections", "Connections that are open, sockets among them.", connections],
      ["sockets", "Sockets that are open.", sockets],
      ["uptime_seconds", "Since the gateway was started.", uptimeMs / 1_000],
    ]),
    ...engineLines(queues),
    ...processLines(),
  ];
  return `${lines.join("\n")}\n`;
}
