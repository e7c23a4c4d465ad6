/** What servers tell of their work for monitoring: of one process, and of the queues that all of them share. */

import { counterLines, type Gauge, gaugeLines } from "../base/prometheus.ts";

/** `facts`, `signals`: stored, and told, since the start. */
export type HostFigures = {
  open: number;
  working: number;
  followers: number;
  facts: number;
  signals: number;
};

/** A machine: its living workers, the sessions that wait for one or run in one, and the longest wait now. */
type QueueFigures = {
  host: string;
  workers: number;
  waiting: number;
  running: number;
  oldestWaitMs: number;
};
/** `limit`: how many of its sessions may run at once. */
type TenantFigures = { tenant: string; waiting: number; running: number; limit: number | undefined };
export type EngineFigures = { queues: QueueFigures[]; tenants: TenantFigures[] };

export const hostLines = ({ open, working, facts, signals }: HostFigures): string[] => [
  ...gaugeLines([
    ["sessions_open", "Sessions that are open here.", open],
    ["sessions_working", "Sessions in which something runs.", working],
  ]),
  ...counterLines([
    ["facts_total", "Facts of sessions that run here.", facts],
    ["signals_total", "Signals of them: words as they come, among others.", signals],
  ]),
];

/** Undefined: nobody could be asked. */
export function engineLines(figures: EngineFigures | undefined): string[] {
  const { queues, tenants } = figures ?? { queues: [], tenants: [] };
  const ofHost = (value: (one: QueueFigures) => number) =>
    queues.map((one) => ({ labels: { host: one.host }, value: value(one) }));
  const ofTenant = (value: (one: TenantFigures) => number | undefined) =>
    tenants.flatMap((one) => {
      const known = value(one);
      return known === undefined ? [] : [{ labels: { tenant: one.tenant }, value: known }];
    });
  const gauges: Gauge[] = [
    ["workers", "Workers that live, by machine.", ofHost((one) => one.workers)],
    ["queue_waiting", "Sessions that wait for a worker, by machine.", ofHost((one) => one.waiting)],
    ["queue_running", "Sessions that workers run, by machine.", ofHost((one) => one.running)],
    [
      "queue_oldest_wait_seconds",
      "How long the oldest that waits has waited, by machine.",
      ofHost((one) => one.oldestWaitMs / 1_000),
    ],
    ["tenant_waiting", "Sessions that wait for their turn, by tenant.", ofTenant((one) => one.waiting)],
    ["tenant_running", "Sessions that have their turn, by tenant.", ofTenant((one) => one.running)],
    ["tenant_limit", "How many may have it at once, by tenant.", ofTenant((one) => one.limit)],
  ];
  return gaugeLines(gauges.filter(([, , value]) => typeof value === "number" || value.length > 0));
}
