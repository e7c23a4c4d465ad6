/** Reads hooks in the format of our own configuration. */

import { hookEvents } from "../../protocol/fact-words.ts";
import { hookBounds } from "./bounds.ts";
import type { Hook, HookEvent, HookRuns } from "./hook.ts";
import { shortName, uniquely } from "./names.ts";
import type { HookSettings } from "./settings.ts";
import { namedBy } from "./tool-names.ts";

/** The default timeout. */
export const usualMs = 10_000;

/** `where`: the workspace file that defines them; absent for the user's own. */
export function hooksOf(settings: readonly HookSettings[], where?: string): Hook[] {
  return uniquely(settings.slice(0, hookBounds.listed.most).map((one, at) => hookOf(one, at, where)));
}

function hookOf(settings: HookSettings, at: number, where?: string): Hook {
  const { on, name, tools, timeout, onFailure, ...rest } = settings;
  const runs = runsOf(rest);
  const events = [...new Set([on].flat().map(eventOf))];
  return {
    name: name ?? shortName(runs, { event: events[0] ?? "no event", at }),
    on: events,
    ...(tools ? { tools } : {}),
    calls: namedBy(tools),
    runs,
    timeoutMs: Math.min(hookBounds.time.most, timeout === undefined ? usualMs : timeout * 1_000),
    onFailure: onFailure ?? "allow",
    where,
  };
}

/** Other agents' names for some of the events (B15). */
const aliases: Readonly<Record<string, HookEvent>> = {
  "on-session-start": "session-start",
  "on-session-end": "session-end",
  "on-file-write": "after-change",
};

const eventOf = (word: string): HookEvent =>
  hookEvents.find((event) => event === word) ?? aliases[word] ?? "after-change";

function runsOf({ command, url, headers }: Pick<HookSettings, "command" | "url" | "headers">): HookRuns {
  if (typeof command === "string") return { type: "line", line: command };
  if (command) return { type: "program", command };
  return { type: "address", url: url ?? "", headers: headers ?? {} };
}
