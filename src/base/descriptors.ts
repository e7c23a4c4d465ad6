/**
 * Open files that no program of ours may be given: the system hands on whatever is not marked, and Node cannot mark.
 */

import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";

/** `nothing`: a descriptor of /dev/null, to be put in their places. */
type Withheld = { numbers: readonly number[]; nothing: number };

let inherited: number[] | undefined;
let nothing: number | undefined;
const opened = new Set<number>();

/** Those above 2 that we were started with, and those that were withheld since. */
export function withheldDescriptors(): Withheld {
  inherited ??= inheritableDescriptors();
  const numbers = [...new Set([...inherited, ...opened])];
  if (numbers.length > 0) nothing ??= openSync("/dev/null", "r");
  return { numbers, nothing: nothing ?? 0 };
}

/** From now on, until what it returns is called. */
export function withhold(descriptor: number): () => void {
  opened.add(descriptor);
  return () => opened.delete(descriptor);
}

/** What Node opens for a thread or an event loop of its own, and some more. */
const needed = 8;

/** Whether so few can still be opened that Node would end the process rather than say so. */
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

/** Node marks its own as not to be inherited, and the low ones that it found; a higher one may be a way to anywhere. */
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
