/** Finds the one rule that would have saved the most approvals: derived from past questions, tested on all calls. */

import { posix } from "node:path";
import type { Rule } from "../../safety/rules.ts";
import type { PolicySetup } from "../policy.ts";
import { replay, type ReplayedCall, type RuleSet } from "./simulation.ts";

export type Suggestion = { rule: Rule; saves: number };

/** Only the candidates that match the most questions are tried. */
const mostTried = 25;

/** Undefined if no single rule saves any. Critical risks, sensitive files and denials are unaffected. */
export function bestRule(
  replayed: readonly ReplayedCall[],
  set: RuleSet,
  setup: Pick<PolicySetup, "home" | "sandbox">,
): Suggestion | undefined {
  const asked = replayed.filter(({ outcome }) => outcome === "asked");
  const candidates = new Map<string, { rule: Rule; count: number }>();
  for (const each of asked)
    for (const rule of candidatesFor(each)) {
      const key = JSON.stringify(rule);
      candidates.set(key, { rule, count: (candidates.get(key)?.count ?? 0) + 1 });
    }
  const likely = [...candidates.values()].sort((one, other) => other.count - one.count).slice(0, mostTried);
  const calls = replayed.map(({ call }) => call);
  let best: Suggestion | undefined;
  for (const { rule, count } of likely) {
    if (best && best.saves >= count * mostParts) break;
    const left = replay(calls, { ...set, rules: withRule(set, rule) }, setup);
    const saves = asked.length - left.filter(({ outcome }) => outcome === "asked").length;
    if (saves > (best?.saves ?? 0)) best = { rule, saves };
  }
  return best;
}

/** Assumed bound that lets the search stop early: a rule saves at most this many times the questions it came from. */
const mostParts = 8;

/** Appended to the user's own rules, where a user would write it. */
function withRule({ rules }: RuleSet, rule: Rule): RuleSet["rules"] {
  const isUsers = rules.some(({ name }) => name === "user");
  const levels = rules.map((level) =>
    level.name === "user" ? { ...level, rules: [...level.rules, rule] } : level,
  );
  return isUsers ? levels : [{ name: "user", rules: [rule] }, ...levels];
}

/** The command prefix that a wider approval would cover, up to the risk seen; or a directory's changes. */
function candidatesFor({ call, covers }: ReplayedCall): Rule[] {
  const { tool, does, paths, judgement } = call.subject;
  if (does === "change")
    return paths.flatMap((path): Rule[] => {
      const directory = posix.dirname(path);
      const [top = "."] = path.split("/");
      const globs = directory === "." ? [path] : [`${directory}/**`, `${top}/**`];
      return globs.map((glob) => ({ tool, path: glob, decision: "allow" }));
    });
  if (covers?.type === "line" && !covers.command.includes("*"))
    return [{ tool, command: covers.command, decision: "allow" }];
  if (covers?.type !== "uses") return [];
  const upTo = judgement?.severity === "high" ? "high" : "medium";
  return covers.uses.map(({ words }) => ({ tool, command: `${words.join(" ")} *`, upTo, decision: "allow" }));
}
