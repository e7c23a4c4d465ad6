/** A launcher that was started while the model or a command before it ran: its namespaces are made, and it waits for an order. */

import { feedWaiting, isWaiting, startWaiting, type WaitingProcess } from "../../base/start-process.ts";
import { fileText } from "../on-disk.ts";
import { waitingLauncherMs } from "./bounds.ts";
import { withoutComplaints } from "./launcher.ts";
import type { StartedCommand } from "./lifeline.ts";

type Launching = Pick<StartedCommand, "command" | "feeds">;

export type WaitingLauncher = {
  /** The next one is to be started as one for this command. */
  learn(launching: Launching): void;
  /** Starts one, unless one waits or no command was prepared yet. */
  start(): void;
  /** Feeds the one that waits; undefined if there is none, or the command needs another. The next one is started. */
  take(launching: Launching, feeds: readonly Uint8Array[]): WaitingProcess | undefined;
};

/** At most one waits. It ends with us, with `closing`, and when it has waited for too long. */
export function waitingLauncher(closing: AbortSignal | undefined): WaitingLauncher {
  let learned: Launching | undefined;
  let waits: { process: WaitingProcess; as: string; timer: NodeJS.Timeout } | undefined;
  const dismiss = (): void => {
    if (waits) clearTimeout(waits.timer);
    waits?.process.child.kill("SIGKILL");
    waits = undefined;
  };
  closing?.addEventListener("abort", dismiss, { once: true });
  const start = (): void => {
    if (!learned || closing?.aborted || (waits && isWaiting(waits.process))) return;
    dismiss();
    const { command, feeds } = learned;
    const process = startWaiting({ command, env: withoutComplaints }, feeds.length);
    if (process)
      waits = { process, as: kindOf(learned), timer: setTimeout(dismiss, waitingLauncherMs).unref() };
  };
  return {
    learn(launching) {
      learned = launching;
    },
    start,
    take(launching, feeds) {
      setImmediate(start).unref(); // once this command has begun
      if (waits?.as !== kindOf(launching)) return undefined;
      const { process, timer } = waits;
      clearTimeout(timer);
      waits = undefined;
      return isWaiting(process) && !hasDied(process) ? feedWaiting(process, feeds) : undefined;
    },
  };
}

/** Node has not heard of it yet. */
const hasDied = ({ child }: WaitingProcess): boolean =>
  /.*\) [ZX] /s.test(fileText(`/proc/${child.pid}/stat`));

const kindOf = ({ command, feeds }: Launching): string => [feeds.length, ...command].join("\0");
