/** A command that is to be given something besides its sandbox profile, or that has been tried in vain. */

import type { Profile } from "../protocol/facts.ts";
import { outsideInWords, readOutside } from "../protocol/outside.ts";
import { aboutProcesses } from "./judge/needs.ts";
import { isAtLeast, type Finding } from "./judgement.ts";
import { refusalsInWords } from "./refusals.ts";
import type { Subject } from "./subject.ts";

/** It may not simply be tried once more: what it wants, or what it did, is more than a trial gives or holds. */
export const wantsMore = ({ outside = [], tried }: Subject): boolean =>
  outside.length > 0 || tried?.refused.some(({ wanted }) => wanted === "room") === true;

/** Its judgement then says so, whatever its words: such a command always asks, and an approval covers no more than this. */
export function asGiven(subject: Subject): Subject {
  const { judgement, outside = [] } = subject;
  if (!judgement || !wantsMore(subject)) return subject;
  const what =
    outside.length > 0 ? givenInWords(outside) : "what it changes is not held until somebody agrees";
  const found: Finding = { severity: "high", because: what };
  const told = triedInWords(subject);
  const because = told === undefined ? what : `${what} (${told})`;
  return {
    ...subject,
    judgement: {
      ...judgement,
      ...(outside.some(isProcesses) ? { uncontainable: aboutProcesses } : {}),
      ...(isAtLeast(judgement.severity, "critical") ? {} : { severity: "high", because }),
      parts: judgement.parts.map((part) => ({
        ...part,
        ...(isAtLeast(part.severity, "high") ? {} : found),
        findings: [...part.findings, found],
      })),
    },
  };
}

/** What no profile gives alone is had by running without limits, and the person is told why. */
function givenInWords(outside: readonly string[]): string {
  const named = outside.join(", ");
  if (outside.some(isProcesses)) return `it may reach ${named}`;
  return profileGiven(outside) === "open"
    ? `it is to reach ${named}, which cannot be given alone`
    : `it is given ${named}`;
}

/** "tried contained: it was refused a connection to registry.example:443, and changed nothing" */
function triedInWords({ tried }: Subject): string | undefined {
  if (!tried) return undefined;
  const changed =
    tried.changed === 0 ? "nothing" : `${tried.changed} ${tried.changed === 1 ? "file" : "files"}`;
  return `tried contained: it was refused ${refusalsInWords(tried.refused)}, and changed ${changed}`;
}

const isProcesses = (words: string): boolean => {
  const read = readOutside(words);
  return read.ok && read.value.type === "processes";
};

/** Programs that can be led through a proxy use these. */
const webPorts = new Set([undefined, 80, 443]);

/** The narrowest profile in which it can be given that; "open" if none can. */
export function profileGiven(outside: readonly string[]): Profile {
  let profile: Profile = "build";
  for (const words of outside) {
    const read = readOutside(words);
    if (!read.ok || read.value.type === "service" || read.value.type === "processes") return "open";
    if (read.value.type === "host") {
      if (!webPorts.has(read.value.port)) return "open";
      profile = "install";
    }
  }
  return profile;
}

/** Whether one of the directories that it is given holds an absolute path. */
export const isGivenPlace = (path: string, { outside = [] }: Subject): boolean =>
  outside.some((words) => {
    const read = readOutside(words);
    return read.ok && read.value.type === "place" && `${path}/`.startsWith(`${outsideInWords(read.value)}/`);
  });
