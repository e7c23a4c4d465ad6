/** The user's rules: first match inside a layer, the stricter layer wins. */

import { posix } from "node:path";
import picomatch from "picomatch";
import { isAtLeast, type CommandPart, type Judgement, type Touched } from "./judgement.ts";
import { type LayerWord, strictestOf } from "./lattice.ts";
import { mayMeet, relativeTo } from "./path-pattern.ts";

/**
 * `tool` is a name, or one with `*` for anything ("mcp__github__*"); `path` a glob over workspace-relative paths, or
 * one that begins with "/" or "~/"; `command` a text with `*` for anything; `host` a host, with its port if that is
 * none of the usual ones, or "*." and one for all below. `upTo`: the highest risk that an allow covers; high unless
 * told, critical never.
 */
export type Rule = {
  tool: string;
  path?: string;
  command?: string;
  host?: string;
  upTo?: "medium" | "high";
  decision: "allow" | "ask" | "deny";
};
export type RuleLayer = { name: string; rules: readonly Rule[] };

type RuleSubject = {
  tool: string;
  /** Another tool whose rules hold for it, too. */
  as?: string;
  paths: readonly string[];
  command?: string;
  hosts?: readonly string[];
  judgement?: Judgement;
  /** Absolute: paths that a command touches are taken as relative to it. */
  workspace: string;
  /** Absolute: what "~/" stands for. */
  home: string;
};

/** What each layer that has a matching rule says. */
export function wordsOfRules(layers: readonly RuleLayer[], subject: RuleSubject): LayerWord[] {
  return layers.flatMap(({ name, rules }) => {
    const names = [subject.tool, ...(subject.as === undefined ? [] : [subject.as])];
    const own = rules
      .filter(({ tool }) => names.some((one) => fits(tool, one)))
      .filter((rule) => meetsHosts(rule, subject));
    const rule = subject.command === undefined ? ruleForPaths(own, subject) : ruleForCommand(own, subject);
    if (!rule) return [];
    return [
      { layer: `rules (${name})`, verdict: rule.decision, because: `the rule ${describe(rule)} says so` },
    ];
  });
}

/** A rule that denies the tool outright, whatever its arguments: known before they are read. */
export function deniedOutright(layers: readonly RuleLayer[], tool: string): string | undefined {
  for (const layer of layers) {
    const rule = layer.rules.find((candidate) => fits(candidate.tool, tool));
    if (
      rule?.decision === "deny" &&
      rule.path === undefined &&
      rule.command === undefined &&
      rule.host === undefined
    )
      return `the rule ${describe(rule)} of the ${layer.name} configuration denies it`;
  }
  return undefined;
}

/** An allow must cover every host; a deny or ask holds when it reaches any. What names no hosts no such rule meets. */
function meetsHosts({ host, decision }: Rule, { hosts = [] }: RuleSubject): boolean {
  if (host === undefined) return true;
  const pattern = host.toLowerCase().replace(/:(?:80|443)$/u, "");
  const isMeant = (each: string): boolean =>
    pattern === each || (pattern.startsWith("*.") && each.endsWith(pattern.slice(1)));
  return hosts.length > 0 && (decision === "allow" ? hosts.every(isMeant) : hosts.some(isMeant));
}

/** An allow must cover every path; a deny or ask holds when it touches any. */
function ruleForPaths(rules: readonly Rule[], subject: RuleSubject): Rule | undefined {
  const { paths } = subject;
  return rules.find((rule) => {
    const { command, decision } = rule;
    if (command !== undefined) return false;
    const glob = globOf(rule, subject);
    if (glob === undefined) return true;
    // Where case does not count, another spelling must not get around a refusal.
    const within = picomatch(glob, { dot: true, nocase: decision !== "allow" });
    const fits = (each: string): boolean => within(each);
    return paths.length > 0 && (decision === "allow" ? paths.every(fits) : paths.some(fits));
  });
}

/**
 * A path as people write it, as a glob: "./a", "a/" and "~/a" mean what they do in a shell. Where a name is refused or
 * asked about, all that lies below it is, too: it may be a directory.
 */
function globOf({ path, decision }: Rule, { workspace, home }: RuleSubject): string | undefined {
  if (path === undefined) return undefined;
  const absolute = path.startsWith("~/") ? posix.join(home, path.slice(2)) : path;
  const glob = relativeTo(workspace, absolute).replace(/^(?:\.\/+)+(?=.)/u, "");
  if (glob.endsWith("/")) return `${glob.replace(/\/+$/u, "")}/**`;
  const last = glob.split("/").at(-1) ?? "";
  return decision === "allow" || picomatch.scan(last).isGlob || last === "." ? glob : `${glob}/**`;
}

/** Each part that could run has its own first match: all must be allowed, one that is not decides. */
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

/** What only the run tells is covered by no allow, nor is what the rule's words did not see. */
function allowsPart(rule: Rule, part: CommandPart, subject: RuleSubject): boolean {
  const { judgement, workspace } = subject;
  const { argv, severity } = part;
  if (argv === undefined || !isAtLeast(rule.upTo ?? "high", severity)) return false;
  const glob = globOf(rule, subject);
  if (glob !== undefined) {
    // Nobody knows all that a command touches: its words must be allowed, too.
    const within = picomatch(glob, { dot: true });
    const touched = judgement?.touched ?? [];
    const fits = ({ path }: Touched): boolean => within(relativeTo(workspace, path));
    if (rule.command === undefined || touched.length === 0 || !touched.every(fits)) return false;
  }
  return rule.command === undefined || matches(rule.command, textToAllow(part, argv.join(" ")));
}

/** With the variables in front of it, which may change all that it does. People are shown no more than a beginning. */
const textToAllow = ({ words }: CommandPart, text: string): string =>
  words === text || (words.endsWith("…") && text.startsWith(words.slice(0, -1))) ? text : words;

/** Also where a pattern of its words or a directory that it takes whole may mean such a file. */
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

/** As it is written, with the program's bare name, and as people are shown it. */
function textsOf({ argv, words }: CommandPart): string[] {
  if (argv === undefined) return [words];
  const [program = "", ...rest] = argv;
  return [argv.join(" "), [program.split("/").at(-1) ?? "", ...rest].join(" "), words];
}

/** A last ` *` also stands for no words at all: "npm test *" means `npm test`, too. */
function matches(pattern: string, text: string): boolean {
  return [pattern, pattern.trim().replaceAll(/\s+/gu, " ")].some(
    (each) => fits(each, text) || (each.endsWith(" *") && fits(each.slice(0, -2), text)),
  );
}

/** Piece by piece, each at the first place where it stands: no pattern takes longer than its text is long. */
function fits(pattern: string, text: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at <= end;
}

function describe(rule: Rule): string {
  const limit = rule.upTo === undefined ? undefined : `(up to ${rule.upTo} risk)`;
  const what = [rule.tool, rule.path, rule.command, rule.host, limit]
    .filter((part) => part !== undefined)
    .join(" ");
  return `"${rule.decision} ${what}"`;
}
