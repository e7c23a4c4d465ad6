/** The user's rules: first match inside a layer, the stricter layer wins. */
import picomatch from "picomatch";
import type { Verdict } from "../protocol/facts.ts";

/** `tool` is a name or "*"; `path` a glob over workspace-relative paths; `command` a text with `*` for anything. */
export type Rule = { tool: string; path?: string; command?: string; decision: "allow" | "ask" | "deny" };
export type RuleLayer = { name: string; rules: readonly Rule[] };
export type RuleSubject = { tool: string; paths: readonly string[]; command?: string };
export type LayerWord = { layer: string; verdict: Verdict; because: string };

const strictness: Readonly<Record<Verdict, number>> = { allow: 0, ask: 1, "ask-always": 2, deny: 3 };

export const stricter = (a: Verdict, b: Verdict): Verdict => (strictness[a] >= strictness[b] ? a : b);

/** What each layer that has a matching rule says. */
export function wordsOfRules(layers: readonly RuleLayer[], subject: RuleSubject): LayerWord[] {
  return layers.flatMap((layer) => {
    const rule = layer.rules.find((candidate) => matches(candidate, subject));
    if (!rule) return [];
    return [
      {
        layer: `rules (${layer.name})`,
        verdict: rule.decision,
        because: `the rule ${describe(rule)} says so`,
      },
    ];
  });
}

/** A rule that denies the tool outright, whatever its arguments: known before they are read. */
export function deniedOutright(layers: readonly RuleLayer[], tool: string): string | undefined {
  for (const layer of layers) {
    const rule = layer.rules.find((candidate) => candidate.tool === tool || candidate.tool === "*");
    if (rule?.decision === "deny" && rule.path === undefined && rule.command === undefined)
      return `the rule ${describe(rule)} of the ${layer.name} configuration denies it`;
  }
  return undefined;
}

/** An allow must cover every path; a deny or ask holds when it touches any. */
function matches(rule: Rule, subject: RuleSubject): boolean {
  if (rule.tool !== "*" && rule.tool !== subject.tool) return false;
  if (rule.path !== undefined) {
    // Where case does not count, another spelling must not get around a refusal.
    const within = picomatch(rule.path, { dot: true, nocase: rule.decision !== "allow" });
    const fits = (path: string): boolean => within(path);
    const hit = rule.decision === "allow" ? subject.paths.every(fits) : subject.paths.some(fits);
    if (subject.paths.length === 0 || !hit) return false;
  }
  if (rule.command === undefined) return true;
  return subject.command !== undefined && matchesCommand(rule, subject.command);
}

/** An allow's `*` never reaches over a shell operator, so `npm test*` does not allow `npm test; rm -rf .`. */
function matchesCommand(rule: Rule, command: string): boolean {
  const any = rule.decision === "allow" ? "[^;&|<>$`()\\n\\r]*" : "[^]*";
  const pattern = (rule.command ?? "")
    .split("*")
    .map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/gu, "\\$&"));
  return new RegExp(`^${pattern.join(any)}$`, "u").test(command.trim());
}

function describe(rule: Rule): string {
  const what = [rule.tool, rule.path, rule.command].filter((part) => part !== undefined).join(" ");
  return `"${rule.decision} ${what}"`;
}
