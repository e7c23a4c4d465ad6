/** Hooks as other agents keep them: `.claude/settings.json` and `settings.local.json` in the workspace. */

import { join } from "node:path";
import { bounds } from "../../base/bounds.ts";
import { isObject, parseJson } from "../../base/json.ts";
import { readSmallFile } from "../../base/safe-fs/small-file.ts";
import { tools } from "../../tools/index.ts";
import { occasions } from "./asked.ts";
import type { Hook, HookEvent, HookRuns } from "./hook.ts";
import { shortName, uniquely } from "./names.ts";
import { matchedBy } from "./tool-names.ts";

/**
 * Which of our events theirs is, and in whose sessions: a subagent's is one that another session has given its task.
 */
type Event = { on: HookEvent; of?: NonNullable<Hook["of"]> };

const events: Readonly<Record<string, Event>> = {
  SessionStart: { on: "session-start", of: "person" },
  SessionEnd: { on: "session-end", of: "person" },
  UserPromptSubmit: { on: "prompt", of: "person" },
  PreToolUse: { on: "before-call" },
  PostToolUse: { on: "after-call" },
  Notification: { on: "approval-asked" },
  SubagentStart: { on: "session-start", of: "subagent" },
  Stop: { on: "turn-end", of: "person" },
  SubagentStop: { on: "turn-end", of: "subagent" },
  PreCompact: { on: "compaction" },
};

/** Relative to the workspace. */
export const foreignFiles = [".claude/settings.json", ".claude/settings.local.json"];

type Found = { hooks: Hook[]; problems: string[] };

/** What cannot be read has no hooks but those that it had `before`, and people are told. */
export function foreignHooks(workspace: string, before: readonly Hook[] = []): Found {
  const found = foreignFiles.map((where) => {
    const read = readFile(join(workspace, where), where);
    return typeof read === "string" ? unreadable(where, read, before) : read;
  });
  return {
    hooks: found.flatMap(({ hooks }) => hooks),
    problems: found.flatMap(({ problems }) => problems),
  };
}

function unreadable(where: string, why: string, before: readonly Hook[]): Found {
  const hooks = before.filter((hook) => hook.where === where);
  const what = hooks.length > 0 ? "its hooks stay as they were" : "hooks that it may have do not run";
  return { hooks, problems: [`${where} cannot be read${why}: ${what}.`] };
}

/** The text: why it cannot be read, in parentheses where that is known. */
function readFile(path: string, where: string): Found | string {
  const read = readSmallFile(path, bounds.files.configuration.most);
  if (read.ok && read.value === undefined) return { hooks: [], problems: [] };
  const json = read.ok ? parseJson(new TextDecoder().decode(read.value)) : read;
  if (!json.ok) return ` (${json.problem})`;
  if (!isObject(json.value)) return "";
  const { hooks: byEvent, disableAllHooks } = json.value;
  if (disableAllHooks === true || byEvent === undefined) return { hooks: [], problems: [] };
  return hooksIn(byEvent, where);
}

function hooksIn(byEvent: unknown, where: string): Found {
  const problems: string[] = [];
  const skip = (what: string): void => void problems.push(`${where}: ${what}; it does not run.`);
  const hooks: Hook[] = [];
  if (!isObject(byEvent))
    return { hooks, problems: [`${where}: its hooks are not listed by event; none of them runs.`] };
  for (const [name, groups] of Object.entries(byEvent)) {
    const event = Object.hasOwn(events, name) ? events[name] : undefined;
    if (!event) {
      skip(`a hook of the event ${name}, which there is not here`);
      continue;
    }
    if (!Array.isArray(groups)) skip(`what stands under ${name} is no list of hooks`);
    const listed: unknown[] = Array.isArray(groups) ? groups : [];
    for (const written of listed.flatMap((group) => handlersOf(group, name))) {
      const read =
        typeof written === "string" ? written : hookOf(written, { name, event, where, at: hooks.length });
      if (typeof read === "string") skip(read);
      else hooks.push(read);
    }
  }
  if (hooks.length > bounds.hooks.listed.most) skip(`more than ${bounds.hooks.listed.most} hooks`);
  return { hooks: uniquely(hooks.slice(0, bounds.hooks.listed.most)), problems };
}

type Written = { matcher: string; handler: Record<string, unknown> };

/** Each that can be made out, or words for what is wrong with it. */
function handlersOf(group: unknown, name: string): (Written | string)[] {
  if (!isObject(group)) return [`an entry of ${name} that is no object with "matcher" and "hooks"`];
  const { matcher, hooks } = group;
  if (!Array.isArray(hooks)) return [`an entry of ${name} whose "hooks" is no list`];
  if (matcher !== undefined && matcher !== null && typeof matcher !== "string")
    return [`an entry of ${name} whose matcher is no text (${JSON.stringify(matcher).slice(0, 60)})`];
  const listed: unknown[] = hooks;
  return listed.map((handler) =>
    isObject(handler)
      ? { matcher: matcher ?? "", handler }
      : `a hook of ${name} that is no object with "type" and "command"`,
  );
}

/** As in the agents that they were written for. */
const usualSeconds = 60;

/** The problem is in words. */
function hookOf(
  { matcher, handler }: Written,
  { name, event, where, at }: { name: string; event: Event; where: string; at: number },
): Hook | string {
  const { on, of } = event;
  const runs = runsOf(handler);
  if (!runs) return `a hook of ${name} that is neither a command nor an address`;
  const condition = handler["if"];
  // Without it the hook would have a say in calls that its writer never meant.
  if (condition !== undefined && condition !== null && condition !== "")
    return `a hook of ${name} with the condition "if": ${JSON.stringify(condition).slice(0, 60)}, which is not looked at here: leave it out, and look at the arguments in the hook`;
  const isOfTools = on === "before-call" || on === "after-call";
  const calls = isOfTools ? callsOf(matcher) : undefined;
  if (isOfTools && isRule(matcher))
    return `a hook of ${name} whose matcher ${matcher} fits no tool's name, which is all that it is tried on: name the tool alone, and look at its arguments in the hook`;
  const known = isOfTools || of === "subagent" ? undefined : occasions[on];
  const fits = known && fitting(matcher);
  if ((isOfTools && !calls) || (known && !fits))
    return `a hook of ${name} whose matcher cannot be read (${matcher})`;
  if (fits && !known?.some(fits)) return `a hook of ${name} for ${matcher}, which there is not here`;
  const { timeout } = handler;
  const seconds = typeof timeout === "number" && timeout > 0 ? timeout : usualSeconds;
  return {
    name: shortName(runs, { event: name, at }),
    on: [on],
    ...((isOfTools || known) && matcher !== "" ? { tools: [matcher] } : {}),
    ...(fits ? { fits } : {}),
    ...(of === undefined ? {} : { of }),
    calls: calls ?? ((tool) => tool.name),
    runs,
    timeoutMs: Math.min(bounds.hooks.time.most, seconds * 1_000),
    onFailure: "allow",
    foreign: name,
    where,
  };
}

/** `Bash(git:*)` is a rule of permissions. An expression may look like one: then it fits the name of a tool. */
function isRule(matcher: string): boolean {
  if (!/^(?!mcp__)\w+\([^()]*\)$/u.test(matcher)) return false;
  const calls = callsOf(matcher);
  return calls !== undefined && !tools.some((tool) => calls(tool) !== undefined);
}

/** For an event without a call. */
function fitting(matcher: string): Hook["fits"] {
  if (matcher === "" || matcher === "*") return () => true;
  try {
    const expression = new RegExp(`^(?:${matcher})$`, "u");
    return (occasion) => expression.test(occasion);
  } catch {
    return undefined; // no expression at all
  }
}

function callsOf(matcher: string): Hook["calls"] | undefined {
  try {
    return matchedBy(matcher);
  } catch {
    return undefined; // no expression at all
  }
}

function runsOf({ type, command, args, url, headers }: Record<string, unknown>): HookRuns | undefined {
  if (type === "http" && typeof url === "string" && /^https?:\/\/\S+$/u.test(url))
    return { type: "address", url, headers: textsOf(headers) };
  if ((type !== "command" && type !== undefined) || typeof command !== "string" || command.trim() === "")
    return undefined;
  const words: unknown[] = Array.isArray(args) ? args : [];
  const texts = words.filter((word) => typeof word === "string");
  return texts.length > 0
    ? { type: "program", command: [command, ...texts] }
    : { type: "line", line: command };
}

const textsOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(isObject(value) ? value : {}).flatMap(([name, text]) =>
      typeof text === "string" ? [[name, text]] : [],
    ),
  );
