/** Matches calls against the user's rules: within a layer the first match counts, across layers the strictest. */

import { posix } from "node:path";
import type { PathMatcher } from "../base/glob.ts";
import { fitsPattern } from "../base/star-pattern.ts";
import { isAtLeast, type CommandPart, type Judgement, type TouchedPath } from "./judgement.ts";
import { type LayerWord, strictestOf } from "./lattice.ts";
import { globMatcher, isGlob, mayMeet, relativeTo } from "./path-pattern.ts";

/**
 * `tool`: a name, with `*` as a wildcard ("mcp__github__*"). `path`: a glob over workspace-relative paths, or one that
 * begins with "/" or "~/". `command`: text with `*` as a wildcard. `host`: a host, with its port unless that is 80 or
 * 443, or "*." and a domain for all its subdomains. `upTo`: the highest risk that an allow covers; high by default,
 * never critical.
 */
export type Rule = {
  tool: string;
  path?: string;
  command?: string;
  host?: string;
  upTo?: "medium" | "high";
  decision: "allow" | "ask" | "deny";
};
export type RuleLevel = { name: string; rules: readonly Rule[] };

type RuleSubject = {
  tool: string;
  /** Another tool whose rules apply as well. */
  as?: string;
  /** The tool that reads files: its rules with a path may object, but allow nothing. */
  reader?: string;
  paths: readonly string[];
  command?: string;
  hosts?: readonly string[];
  judgement?: Judgement;
  /** Absolute; the base for the paths that a command touches. */
  workspace: string;
  /** Absolute; what "~/" expands to. */
  home: string;
};

/** The verdict of each layer that has a matching rule. */
export function wordsOfRules(levels: readonly RuleLevel[], subject: RuleSubject): LayerWord[] {
  return levels.flatMap(({ name, rules }) => {
    const names = [subject.tool, ...(subject.as === undefined ? [] : [subject.as])];
    const own = rules
      .filter(({ tool }) => names.some((one) => fitsPattern(tool, one)))
      .filter((rule) => meetsHosts(rule, subject));
    const rule = subject.command === undefined ? ruleForPaths(own, subject) : ruleForCommand(own, subject);
    const found = new Set([rule, objectionToReading(rules, subject)].filter((one) => one !== undefined));
    return [...found].map((one) => ({
      layer: `rules (${name})`,
      verdict: one.decision,
      because: `the rule ${describe(one)} says so`,
    }));
  });
}

/** Whoever closes a place to the tool that reads files closes it to all tools that read or change files. */
function objectionToReading(rules: readonly Rule[], subject: RuleSubject): Rule | undefined {
  const { reader } = subject;
  if (reader === undefined) return undefined;
  const about = rules.filter(({ tool, path }) => path !== undefined && fitsPattern(tool, reader));
  if (subject.command !== undefined)
    return about.find(
      (one) => one.decision !== "allow" && one.command === undefined && touches(one, subject),
    );
  const rule = ruleForPaths(about, subject);
  return rule?.decision === "allow" ? undefined : rule;
}

/** The reason if a rule denies the tool whatever its arguments, which is known before they are read. */
export function deniedOutright(levels: readonly RuleLevel[], tool: string): string | undefined {
  for (const level of levels) {
    const rule = level.rules.find((candidate) => fitsPattern(candidate.tool, tool));
    if (
      rule?.decision === "deny" &&
      rule.path === undefined &&
      rule.command === undefined &&
      rule.host === undefined
    )
      return `the rule ${describe(rule)} of the ${level.name} configuration denies it`;
  }
  return undefined;
}

/** An allow must cover every host; a deny or ask applies if any host matches. Without hosts no host rule matches. */
function meetsHosts({ host, decision }: Rule, { hosts = [] }: RuleSubject): boolean {
  if (host === undefined) return true;
  const pattern = host.toLowerCase().replace(/:(?:80|443)$/u, "");
  const isMeant = (each: string): boolean =>
    pattern === each || (pattern.startsWith("*.") && each.endsWith(pattern.slice(1)));
  return hosts.length > 0 && (decision === "allow" ? hosts.every(isMeant) : hosts.some(isMeant));
}

/** An allow must cover every path; a deny or ask applies if any path matches. */
function ruleForPaths(rules: readonly Rule[], subject: RuleSubject): Rule | undefined {
  const { paths } = subject;
  return rules.find((rule) => {
    const { command, decision } = rule;
    if (command !== undefined) return false;
    if (rule.path === undefined) return true;
    const fits = matcherOf(rule, subject);
    return paths.length > 0 && (decision === "allow" ? paths.every(fits) : paths.some(fits));
  });
}

const matchers = new WeakMap<Rule, Map<string, PathMatcher>>();

/** Kept, since a search decides about every file of the workspace. */
function matcherOf(rule: Rule, subject: RuleSubject): PathMatcher {
  const known = matchers.get(rule) ?? new Map<string, PathMatcher>();
  matchers.set(rule, known);
  const around = `${subject.workspace}\0${subject.home}`;
  const kept = known.get(around);
  if (kept) return kept;
  // On case-insensitive file systems, another spelling must not get around a refusal.
  const isObjection = rule.decision !== "allow";
  const matcher = globMatcher(globOf(rule, subject) ?? "**", {
    ignoresCase: isObjection,
    unusable: isObjection,
  });
  known.set(around, matcher);
  return matcher;
}

/**
 * Turns a path as people write it into a glob: "./a", "a/" and "~/a" mean what they do in a shell. A deny or ask for a
 * name also covers everything below it, since it may be a directory.
 */
function globOf({ path, decision }: Rule, { workspace, home }: RuleSubject): string | undefined {
  if (path === undefined) return undefined;
  const absolute = path.startsWith("~/") ? posix.join(home, path.slice(2)) : path;
  const glob = relativeTo(workspace, absolute).replace(/^(?:\.\/+)+(?=.)/u, "");
  if (glob.endsWith("/")) return `${glob.replace(/\/+$/u, "")}/**`;
  const last = glob.split("/").at(-1) ?? "";
  return decision === "allow" || isGlob(last) || last === "." ? glob : `${glob}/**`;
}

/** Finds the first matching rule of each part: all must be allowed, otherwise the strictest objection decides. */
function ruleForCommand(rules: readonly Rule[], subject: RuleSubject): Rule | undefined {
  const parts = subject.judgement?.parts ?? [];
  const found = parts.map((part) => rules.findIndex((rule) => meetsPart(rule, part, subject)));
  const isAllowed = parts.length > 0 && found.every((at) => rules[at]?.decision === "allow");
  const whole = rules.findIndex((rule) => rule.decision !== "allow" && meetsLine(rule, subject));
  const isShielded = isAllowed && found.every((at) => at < whole);
  const objections = [...found, isShielded ? -1 : whole]
    .flatMap((at) => rules[at] ?? [])
    .filter(({ decision }) => decision !== "allow");
  const strictest = strictestOf(
    objections.map((rule) => ({ layer: "", because: "", verdict: rule.decision })),
  );
  const objection = objections.find(({ decision }) => decision === strictest?.verdict);
  return objection ?? (isAllowed ? rules[found[0] ?? -1] : undefined);
}

function meetsPart(rule: Rule, part: CommandPart, subject: RuleSubject): boolean {
  if (rule.decision === "allow") return allowsPart(rule, part, subject);
  if (!touches(rule, subject)) return false;
  return rule.command === undefined || textsOf(part).some((text) => matches(rule.command ?? "", text));
}

/** No allow covers words known only at run time, or variables set in front that its pattern does not mention. */
function allowsPart(rule: Rule, part: CommandPart, subject: RuleSubject): boolean {
  const { judgement, workspace } = subject;
  const { argv, severity } = part;
  if (argv === undefined || !isAtLeast(rule.upTo ?? "high", severity)) return false;
  const glob = globOf(rule, subject);
  if (glob !== undefined) {
    // The known touched paths may be incomplete, so the command's words must be allowed as well.
    const within = globMatcher(glob, { unusable: false });
    const touched = judgement?.touched ?? [];
    const fits = ({ path }: TouchedPath): boolean => within(relativeTo(workspace, path));
    if (rule.command === undefined || touched.length === 0 || !touched.every(fits)) return false;
  }
  return rule.command === undefined || matches(rule.command, textToAllow(part, argv.join(" ")));
}

/** Includes variables set in front, which may change everything the command does. Truncated `words` are for display. */
const textToAllow = ({ words }: CommandPart, text: string): string =>
  words === text || (words.endsWith("…") && text.startsWith(words.slice(0, -1))) ? text : words;

/** Also matches if a pattern in the command, or a directory that it deletes, may include such a path. */
function touches(rule: Rule, subject: RuleSubject): boolean {
  const { judgement, paths, workspace } = subject;
  const path = globOf(rule, subject);
  if (path === undefined) return true;
  const touched = judgement?.touched ?? [];
  return (
    paths.some((each) => mayMeet(each, path, { deep: false })) ||
    touched.some((each) =>
      mayMeet(relativeTo(workspace, each.path), path, { deep: each.access === "delete" }),
    )
  );
}

function meetsLine(rule: Rule, subject: RuleSubject): boolean {
  return (
    touches(rule, subject) &&
    (rule.command === undefined || matches(rule.command, subject.command?.trim() ?? ""))
  );
}

/** The command as written, with the program's bare name, and as displayed. */
function textsOf({ argv, words }: CommandPart): string[] {
  if (argv === undefined) return [words];
  const [program = "", ...rest] = argv;
  return [argv.join(" "), [program.split("/").at(-1) ?? "", ...rest].join(" "), words];
}

/** A trailing ` *` also matches no arguments at all: "npm test *" matches `npm test`. */
function matches(pattern: string, text: string): boolean {
  return [pattern, pattern.trim().replaceAll(/\s+/gu, " ")].some(
    (each) => fitsPattern(each, text) || (each.endsWith(" *") && fitsPattern(each.slice(0, -2), text)),
  );
}

function describe(rule: Rule): string {
  const limit = rule.upTo === undefined ? undefined : `(up to ${rule.upTo} risk)`;
  const what = [rule.tool, rule.path, rule.command, rule.host, limit]
    .filter((part) => part !== undefined)
    .join(" ");
  return `"${rule.decision} ${what}"`;
}
