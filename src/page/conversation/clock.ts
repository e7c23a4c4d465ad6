/** A shared clock for running durations; it ticks only while a component uses it. */

import { computed, signal, type ReadonlySignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

const now = signal(Date.now());
let lookers = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** Milliseconds since 1970, updated every second while `isRunning`. */
export function useClock(isRunning: boolean): ReadonlySignal<number> {
  useEffect(() => {
    if (!isRunning) return undefined;
    lookers += 1;
    now.value = Date.now();
    timer ??= setInterval(() => {
      now.value = Date.now();
    }, 1_000);
    return () => {
      lookers -= 1;
      if (lookers > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }, [isRunning]);
  return now;
}

const minuteMs = 60_000;
const minute = computed(() => Math.ceil(now.value / minuteMs) * minuteMs);

/** The same in whole minutes, for what says how long ago something was. */
export function useMinute(): ReadonlySignal<number> {
  useClock(true);
  return minute;
}
