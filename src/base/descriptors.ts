/**
 * Keeps descriptors from leaking into child processes: the system passes on all without close-on-exec, which Node
 * cannot set.
 */

import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";

/** The descriptors to withhold; `nothing` is a descriptor of /dev/null to substitute for each of them. */
type WithheldDescriptors = { numbers: readonly number[]; nothing: number };

let inherited: number[] | undefined;
let nothing: number | undefined;
const opened = new Set<number>();

/** Descriptors above 2 that this process inherited, and those withheld since. */
export function withheldDescriptors(): WithheldDescriptors {
  inherited ??= inheritableDescriptors();
  const numbers = [...new Set([...inherited, ...opened])];
  if (numbers.length > 0) nothing ??= openSync("/dev/null", "r");
  return { numbers, nothing: nothing ?? 0 };
}

/** Withholds the descriptor from child processes until the returned function is called. */
export function withhold(descriptor: number): () => void {
  opened.add(descriptor);
  return () => opened.delete(descriptor);
}

/** Descriptors that Node opens for a thread or an event loop, plus a reserve. */
const needed = 8;

/** Whether so few descriptors are left that Node would abort the process instead of reporting an error. */
export function isShortOfDescriptors(): boolean {
  const taken: number[] = [];
  try {
    while (taken.length < needed) taken.push(openSync(process.execPath, "r"));
    return false;
  } catch {
    return true;
  } finally {
    for (const descriptor of taken) closeSync(descriptor);
  }
}

/** Node sets close-on-exec on its own descriptors and the low inherited ones; higher ones may lead anywhere. */
function inheritableDescriptors(): number[] {
  const closedOnExec = 0o2000000;
  const isInheritable = (name: string): boolean => {
    try {
      const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${name}`, "utf8"))?.[1];
      return flags !== undefined && (Number.parseInt(flags, 8) & closedOnExec) === 0;
    } catch {
      return false;
    }
  };
  try {
    const names = readdirSync("/proc/self/fd").filter((name) => Number(name) > 2 && isInheritable(name));
    return names.map(Number);
  } catch {
    return [];
  }
}
