/** `policy simulate`: decides the calls of all stored sessions again, by the present rules or by those of a file. */

import { type Expected, refuse } from "../../base/expected.ts";
import { everyTool, sessionTools } from "../../configuration/addon-tools.ts";
import { readConfigText } from "../../configuration/config-text.ts";
import type { Config } from "../../configuration/config.ts";
import { namedRules } from "../../configuration/named-rules.ts";
import { sensitiveFiles } from "../../safety/sensitive-files.ts";
import { pagesOf } from "../../session/pages.ts";
import { openStore } from "../runtime.ts";
import { bestRule, type Suggestion } from "./best-rule.ts";
import { policyHere } from "./judged-command.ts";
import {
  countOutcomes,
  type OutcomeCounts,
  type DecisionOutcome,
  type RecordedCall,
  PastCalls,
  replay,
  type RuleSet,
} from "./simulation.ts";

type ChangedCall = {
  session: string;
  seq: number;
  title: string;
  before: DecisionOutcome;
  after: DecisionOutcome;
  because: string;
};

/** `before`: the decision then, or, with another rule set, the decision of the present one. */
export type Simulation = {
  sessions: number;
  calls: number;
  compared: ["recorded" | "present", "present" | "file"];
  before: OutcomeCounts;
  after: OutcomeCounts;
  changes: ChangedCall[];
  /** The rule that would have saved the most of the remaining questions. */
  suggestion: Suggestion | undefined;
  warnings: string[];
};

export async function simulate(
  settings: Config,
  env: NodeJS.ProcessEnv,
  rulesFile: string | undefined,
): Promise<Expected<Simulation>> {
  const { setup, warnings } = await policyHere(settings, env);
  const { workspace, rules } = setup;
  const present: RuleSet = { rules, workspace, sensitive: sensitiveFiles(...settings.autoApproveEdits) };
  const other = rulesFile === undefined ? undefined : await rulesOf(rulesFile, settings, present);
  if (other && !other.ok) return other;
  const past = await pastOf(settings, setup.home);
  if (!past.ok) return past;
  const { calls, sessions } = past.value;
  const set = other?.value.set ?? present;
  const after = replay(calls, set, setup);
  const before = other
    ? replay(calls, present, setup).map(({ outcome }) => outcome)
    : calls.map(({ recorded }) => recorded.outcome);
  const changes = after.flatMap(({ call, outcome, because }, at): ChangedCall[] => {
    const was = before[at] ?? outcome;
    const { session, seq, title } = call;
    return was === outcome ? [] : [{ session, seq, title, before: was, after: outcome, because }];
  });
  const value: Simulation = {
    sessions,
    calls: calls.length,
    compared: other ? ["present", "file"] : ["recorded", "present"],
    before: countOutcomes(before),
    after: countOutcomes(after.map(({ outcome }) => outcome)),
    changes,
    suggestion: bestRule(after, set, setup),
    warnings: [...warnings, ...(other?.value.warnings ?? [])],
  };
  return { ok: true, value };
}

/** Reads the file as the user's configuration; the workspace's own rules stay. */
async function rulesOf(
  path: string,
  settings: Config,
  present: RuleSet,
): Promise<Expected<{ set: RuleSet; warnings: string[] }>> {
  const text = readConfigText(path);
  if (!text.ok) return text;
  if (text.value === undefined) return refuse(`There is no file ${path}: --rules names a configuration file`);
  const { readConfigFile } = await import("../../configuration/config-file.ts");
  const file = await readConfigFile(path, text.value);
  if (!file.ok) return file;
  if (file.value.rules === undefined && file.value.autoApproveEdits === undefined)
    return refuse(`${path} has neither "rules" nor "autoApproveEdits": there is nothing to try`);
  const { rules, warnings } = namedRules(
    [{ name: "user", rules: file.value.rules ?? [] }],
    [...everyTool, ...sessionTools],
  );
  const [user, own] = settings.autoApproveEdits;
  const kept = present.rules.filter(({ name }) => name !== "user");
  const sensitive = sensitiveFiles(file.value.autoApproveEdits ?? user, own);
  const set = { ...present, rules: [...rules, ...kept], sensitive };
  return { ok: true, value: { set, warnings: [...file.value.warnings, ...warnings] } };
}

/** In chronological order, session by session. */
async function pastOf(
  settings: Config,
  home: string,
): Promise<Expected<{ calls: RecordedCall[]; sessions: number }>> {
  const opened = await openStore(settings);
  if (!opened.ok) return opened;
  const store = opened.value;
  try {
    const sessions = (await store.list()).toSorted((one, other) => one.createdAt - other.createdAt);
    const calls: RecordedCall[] = [];
    for (const { id } of sessions) {
      const past = new PastCalls({ home, own: settings.programs });
      for await (const page of pagesOf(store, id)) for (const entry of page) past.add(entry);
      calls.push(...past.found());
    }
    return { ok: true, value: { calls, sessions: sessions.length } };
  } finally {
    await store.close();
  }
}
