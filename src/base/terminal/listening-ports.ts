/**
 * Finds ports on which a terminal's programs listen in a network namespace of their own, unreachable from outside
 * (proc_net(5)).
 */

import { readFileSync, readlinkSync } from "node:fs";
import { attempt } from "../expected.ts";
import { familyAt } from "./reader.ts";

/** Searches below the first process on the terminal; empty if it shares our network, or if the system does not tell. */
export function hiddenPorts(leader: number): number[] {
  const ours = networkOf("self");
  const apart = familyAt(leader).find((pid) => ![ours, undefined].includes(networkOf(pid)));
  if (apart === undefined || ours === undefined) return [];
  const ports = ["tcp", "tcp6"].flatMap((table) => listeningIn(`/proc/${apart}/net/${table}`));
  return [...new Set(ports)].toSorted((one, other) => one - other);
}

const networkOf = (pid: number | "self"): string | undefined =>
  attempt(() => readlinkSync(`/proc/${pid}/ns/net`));

const listening = "0A";
const mostPorts = 20;

/** A line is "0: 0100007F:0BB8 00000000:0000 0A …": local address and port, remote ones, state. */
function listeningIn(path: string): number[] {
  try {
    const lines = readFileSync(path, "latin1").matchAll(
      /^\s*\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:[0-9A-F]{4} ([0-9A-F]{2}) /gm,
    );
    return [...lines]
      .filter(([, , state]) => state === listening)
      .map(([, port = "0"]) => Number.parseInt(port, 16))
      .slice(0, mostPorts);
  } catch {
    return [];
  }
}
