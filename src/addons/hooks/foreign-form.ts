/** Reads hooks in the format of `.claude/settings.json`, which several other agents share. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileBounds } from "../../base/bounds.ts";
import { isObject, parseJson } from "../../base/json.ts";
import { readSmallFile } from "../../base/safe-fs/small-file.ts";
import { fewOf } from "../added-text.ts";
import { hookBounds } from "./bounds.ts";
import { occasions } from "./hook-questions.ts";
import type { Hook, HookEvent, HookRuns } from "./hook.ts";
import { readMatcher } from "./matcher.ts";
import { shortName, uniquely } from "./names.ts";
import { isRule, matchedBy } from "./tool-names.ts";

export type ReadHooks = { hooks: readonly Hook[]; problems: readonly string[] };

/**
 * Our event for each of theirs, limited to one occasion or to one kind of session where theirs is. A "subagent" session
 * is one that another session delegated its task to.
 */
type Event = { on: HookEvent; only?: string; of?: NonNullable<Hook["of"]> };

const events: Readonly<Record<string, Event>> = {
  SessionStart: { on: "session-start", of: "person" },
  SessionEnd: { on: "session-end", of: "person" },
  UserPromptSubmit: { on: "prompt", of: "person" },
  PreToolUse: { on: "before-call" },
  PostToolUse: { on: "after-call", only: "ok" },
  PostToolUseFailure: { on: "after-call", only: "failed" },
  Notification: { on: "approval-asked" },
  SubagentStart: { on: "session-start", of: "subagent" },
  Stop: { on: "turn-end", of: "person" },
  SubagentStop: { on: "turn-end", of: "subagent" },
  PreCompact: { on: "compaction" },
};

/** Relative to the workspace. */
export const foreignFiles = [".claude/settings.json", ".claude/settings.local.json", ".codex/hooks.json"];

/** A file that cannot be read keeps the hooks it had `before`, and people are warned. */
export function foreignHooks(workspace: string, before: readonly Hook[] = []): ReadHooks {
  const found = foreignFiles.map((where) => {
    const read = readFile(where, workspace);
    return typeof read === "string" ? unreadable(where, read, before) : read;
  });
  return {
    hooks: found.flatMap(({ hooks }) => hooks),
    problems: [...found.flatMap(({ problems }) => problems), ...unreadForms(workspace)],
  };
}

function unreadable(where: string, why: string, before: readonly Hook[]): ReadHooks {
  const hooks = before.filter((hook) => hook.where === where);
  const what = hooks.length > 0 ? "its hooks stay as they were" : "hooks that it may have do not run";
  return { hooks, problems: [`${where} cannot be read${why}: ${what}.`] };
}

/** A text says why the file cannot be read, in parentheses, or is empty where the reason is unknown. */
function readFile(where: string, workspace: string): ReadHooks | string {
  const read = readSmallFile(join(workspace, where), fileBounds.configuration.most);
  if (read.ok && read.value === undefined) return { hooks: [], problems: [] };
  const json = read.ok ? parseJson(new TextDecoder().decode(read.value)) : read;
  if (!json.ok) return ` (${json.problem})`;
  if (!isObject(json.value)) return "";
  const { hooks: byEvent, disableAllHooks } = json.value;
  if (disableAllHooks === true || byEvent === undefined) return { hooks: [], problems: [] };
  return hooksIn(byEvent, { where, workspace });
}

type HookFile = { where: string; workspace: string };

function hooksIn(byEvent: unknown, { where, workspace }: HookFile): ReadHooks {
  if (!isObject(byEvent))
    return { hooks: [], problems: [`${where}: its hooks are not listed by event; none of them runs.`] };
  const written = Object.entries(byEvent).flatMap(([name, groups]) => writtenOf(name, groups));
  const most = hookBounds.listed.most;
  const read = written
    .slice(0, most)
    .map((one, at) => (typeof one === "string" ? one : hookOf(one, { where, workspace, at })));
  const skipped = read.filter((one) => typeof one === "string");
  if (written.length > most) skipped.push(`more than ${most} hooks`);
  return {
    hooks: uniquely(read.filter((one) => typeof one !== "string")),
    problems: fewOf(skipped.map((what) => `${where}: ${what}; it does not run.`)),
  };
}

type ForeignHook = { name: string; event: Event; matcher: string; handler: Record<string, unknown> };

/** The hooks of one event: each readable one, or text that says what is wrong with it. */
function writtenOf(name: string, groups: unknown): (ForeignHook | string)[] {
  const event = Object.hasOwn(events, name) ? events[name] : undefined;
  if (!event) return [`a hook of the event ${name}, which there is not here`];
  if (!Array.isArray(groups)) return [`what stands under ${name} is no list of hooks`];
  const listed: unknown[] = groups;
  return listed.flatMap((group) => handlersOf(group, { name, event }));
}

function handlersOf(
  group: unknown,
  { name, event }: Pick<ForeignHook, "name" | "event">,
): (ForeignHook | string)[] {
  if (!isObject(group)) return [`an entry of ${name} that is no object with "matcher" and "hooks"`];
  const { matcher, hooks } = group;
  if (!Array.isArray(hooks)) return [`an entry of ${name} whose "hooks" is no list`];
  if (matcher !== undefined && matcher !== null && typeof matcher !== "string")
    return [`an entry of ${name} whose matcher is no text (${JSON.stringify(matcher).slice(0, 60)})`];
  const listed: unknown[] = hooks;
  return listed.map((handler) =>
    isObject(handler)
      ? { name, event, matcher: matcher ?? "", handler }
      : `a hook of ${name} that is no object with "type" and "command"`,
  );
}

/** The default timeout of the agents that these hooks were written for. */
const usualSeconds = 600;

/** A text is the problem. */
function hookOf(
  { name, event, matcher, handler }: ForeignHook,
  { where, workspace, at }: HookFile & { at: number },
): Hook | string {
  const { on, only, of } = event;
  const runs = runsOf(handler, workspace);
  if (typeof runs === "string") return `a hook of ${name} ${runs}`;
  const condition = handler["if"];
  // Ignoring the condition would run the hook for calls that its author excluded.
  if (condition !== undefined && condition !== null && condition !== "")
    return `a hook of ${name} with the condition "if": ${JSON.stringify(condition).slice(0, 60)}, which is not looked at here: leave it out, and look at the arguments in the hook`;
  const isOfTools = on === "before-call" || on === "after-call";
  if (isOfTools && isRule(matcher))
    return `a hook of ${name} whose matcher ${matcher} fits no tool's name, which is all that it is tried on: name the tool alone, and look at its arguments in the hook`;
  const known = of === "subagent" ? undefined : occasions[on];
  const matches = isOfTools || known ? readMatcher(matcher) : readMatcher("");
  if (!matches) return `a hook of ${name} whose matcher cannot be read (${matcher})`;
  if (known && !matches.isExpression && !known.some((occasion) => matches.fits(occasion)))
    return `a hook of ${name} for ${matcher}, which there is not here`;
  const { timeout } = handler;
  const seconds = typeof timeout === "number" && timeout > 0 ? timeout : usualSeconds;
  const isOnly = (occasion: string): boolean => occasion === only;
  return {
    name: shortName(runs, { event: name, at }),
    on: [on],
    ...((isOfTools || known) && matcher !== "" ? { tools: [matcher] } : {}),
    ...(known ? { fits: (occasion) => matches.fits(occasion) } : only === undefined ? {} : { fits: isOnly }),
    of,
    calls: isOfTools ? matchedBy(matches) : (tool) => tool.name,
    runs,
    timeoutMs: Math.min(hookBounds.time.most, seconds * 1_000),
    onFailure: handler["onFailure"] === "block" ? "block" : "allow",
    ...(handler["async"] === true || handler["asyncRewake"] === true ? { inBackground: true } : {}),
    foreign: name,
    where,
  };
}

/** A text is the problem, worded to follow "a hook of …". */
function runsOf(handler: Record<string, unknown>, workspace: string): HookRuns | string {
  const { type = "command", command, args, url, shell = "bash" } = handler;
  if (type === "http" && typeof url === "string" && /^https?:\/\/\S+$/u.test(url)) {
    const headers = headersOf(handler);
    return typeof headers === "string" ? headers : { type: "address", url, headers };
  }
  if (type !== "command" || typeof command !== "string" || command.trim() === "")
    return "that is neither a command nor an address";
  if (shell !== "bash") return `that is written for ${String(shell)}: lines are run by bash here`;
  if (!Array.isArray(args)) return { type: "line", line: command };
  const words: unknown[] = args;
  const texts = words.filter((word) => typeof word === "string");
  // No shell expands the variable here, so we substitute it as these agents do.
  const place = /\$(?:CLAUDE_PROJECT_DIR\b|\{CLAUDE_PROJECT_DIR\})/gu;
  return {
    type: "program",
    command: [command, ...texts].map((word) => word.replaceAll(place, () => workspace)),
  };
}

/** Only variables listed in `allowedEnvVars` are expanded. A text is the problem, worded as above. */
function headersOf({ headers, allowedEnvVars }: Record<string, unknown>): Record<string, string> | string {
  const listed: unknown[] = Array.isArray(allowedEnvVars) ? allowedEnvVars : [];
  const filled: Record<string, string> = {};
  for (const [header, text] of Object.entries(isObject(headers) ? headers : {})) {
    if (typeof text !== "string") continue;
    const names = Array.from(text.matchAll(variable), ([, braced, bare]) => braced ?? bare);
    const missing = names.find((name) => !listed.includes(name));
    if (missing !== undefined)
      return `whose header ${header} has ${missing} in it, which its allowedEnvVars does not list`;
    filled[header] = text.replaceAll(
      variable,
      (_, braced?: string, bare?: string) => `\${${braced ?? bare}}`,
    );
  }
  return filled;
}

const variable = /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/gu;

/** One line per file, for people. */
function unreadForms(workspace: string): string[] {
  const files = [".cursor/hooks.json", ".gemini/settings.json", ...jsonIn(workspace, ".github/hooks")];
  return files.filter((path) => hasHooks(join(workspace, path))).map(unreadWords);
}

const unreadWords = (path: string): string =>
  `${path}: its hooks are written in a form that is not read here; none of them runs. Write those that you need here, too, into .claude/settings.json or .toolwright/config.jsonc.`;

function jsonIn(workspace: string, folder: string): string[] {
  try {
    const names = readdirSync(join(workspace, folder)).filter((name) => name.endsWith(".json"));
    return names
      .toSorted()
      .slice(0, hookBounds.listed.most)
      .map((name) => `${folder}/${name}`);
  } catch {
    return []; // missing or not readable
  }
}

function hasHooks(path: string): boolean {
  const read = readSmallFile(path, fileBounds.configuration.most);
  const json = read.ok && read.value ? parseJson(new TextDecoder().decode(read.value)) : undefined;
  const hooks = json?.ok && isObject(json.value) ? json.value["hooks"] : undefined;
  return isObject(hooks) && Object.values(hooks).some((listed) => Array.isArray(listed) && listed.length > 0);
}
