/** Test helpers for decisions: handmade judgements, and the policy to decide by. */

import type { Risk } from "../../protocol/facts.ts";
import { gravest, type CommandPart, type Judgement, type TouchedPath } from "../judgement.ts";
import type { RuleLevel, Rule } from "../rules.ts";
import { sensitiveFiles } from "../sensitive-files.ts";
import type { Policy, SandboxState, Subject } from "../subject.ts";

export const around = { home: "/home/dev", workspace: "/home/dev/proj" };

/** Makes a part from words split at blanks; with "…" among them they are known only at run time. */
export function part(
  words: string,
  over: Partial<CommandPart> & { finding?: [Risk, string] } = {},
): CommandPart {
  const { finding, ...more } = over;
  const [severity, because] = finding ?? ["none", ""];
  return {
    words,
    ...(words.includes("…") ? {} : { argv: words.split(" ") }),
    severity,
    because,
    findings: finding ? [{ severity, because }] : [],
    isPlain: true,
    verbs: 1,
    ...more,
  };
}

export function judgement(parts: readonly CommandPart[], over: Partial<Judgement> = {}): Judgement {
  const worst = gravest(parts);
  return {
    severity: worst?.severity ?? "none",
    because: worst?.because ?? "",
    parts,
    touched: [],
    onlyReads: false,
    onlyGit: false,
    onlyInstalls: false,
    usesOpenGit: false,
    usesNetwork: false,
    destroysOutside: false,
    usesService: false,
    leavesWorkspace: false,
    needs: [],
    ...over,
  };
}

/** The call of a command with these parts, joined by `;` unless `command` is given. */
export function commandOf(
  judged: Judgement,
  command = judged.parts.map(({ words }) => words).join("; "),
): Subject {
  return { tool: "run", does: "execute", paths: [], command, judgement: judged };
}

export const touchedPaths = (access: TouchedPath["access"], ...paths: readonly string[]): TouchedPath[] =>
  paths.map((path) => ({ path: path.startsWith("/") ? path : `${around.workspace}/${path}`, access }));

const builtin = sensitiveFiles();

/** A sandbox that can hold what a command changes until it is decided on. */
export const holding: SandboxState = { isOn: true };
/** One that cannot: only the words of a command tell what it would do. */
export const withoutOverlays: Policy["sandbox"] = {
  isOn: true,
  overlays: { works: false, because: "overlays cannot be mounted here" },
};

/** The default policy, with a sandbox but without layers. */
export const policy = (over: Partial<Policy> = {}): Policy => ({
  mode: "ask",
  rules: [],
  sensitive: builtin,
  grants: [],
  sandbox: withoutOverlays,
  around,
  interactive: true,
  ...over,
});

export const level = (name: string, ...rules: Rule[]): RuleLevel => ({ name, rules });

export const off = { isOn: false, because: "bubblewrap is missing" };
