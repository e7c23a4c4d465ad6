/** What is found in a piece of code, and the effects that follow from all of it together. */

import { type Flow, type Word, literal, unknownWord } from "../../command-line/word.ts";
import { compiledCalls } from "../../commands/code/compiled.ts";
import { danger, doesMore, loads, reads } from "../effect-makers.ts";
import type { Effect, Language } from "../effect.ts";
import { namesIn } from "../parts.ts";
import type { CodeLanguage } from "./strings.ts";

export const unclear = danger("high", "what its code calls is only known when it runs");

export const hiddenDeletion = danger("high", "its code deletes files that only the run tells");

/** Whatever stands behind may do anything. */
export const overlong = danger("high", "its code has more parts than can be looked at");

type CodeFact =
  /** It opens a connection of its own. */
  | "socket"
  | "fetches"
  /** It sends more than the address. */
  | "posts"
  | "starts"
  /** It evaluates or starts what only the run tells. */
  | "evaluates"
  | "forks"
  | "decodes"
  | "secret";

export type Notes = {
  readonly effects: Effect[];
  readonly facts: Set<CodeFact>;
  readonly filesRead: Word[];
  readonly hosts: Word[];
};

export const newNotes = (): Notes => ({ effects: [], facts: new Set(), filesRead: [], hosts: [] });

export function noteFlows({ facts }: Notes, flows: ReadonlySet<Flow>): void {
  if (flows.has("network")) facts.add("fetches");
  if (flows.has("decoded")) facts.add("decodes");
  if (flows.has("secret")) facts.add("secret");
}

export function noteReading(paths: readonly Word[], { effects, filesRead }: Notes): void {
  filesRead.push(...paths);
  effects.push(...reads(paths));
}

const secretName = /token|secret|passw|credential|api_?key|access_?key|private|auth|^.*_key$/iu;

/** Whether a variable of that name usually holds a secret. */
export const isSecretName = (name: string): boolean => secretName.test(name);

export function variableNamed(name: string): Word {
  if (name === "HOME" || name === "USERPROFILE") return literal("~");
  if (name === "PWD") return literal(".");
  return unknownWord(isSecretName(name) ? new Set(["secret"]) : undefined);
}

const endlessly = /\b(?:while|until|loop|redo|repeat|forever)\b|\bfor\s*\(\s*;\s*;/u;

/** All effects of the code, without duplicates. */
export function conclude({ effects, facts, filesRead, hosts }: Notes, code: string): Effect[] {
  const isSecret = facts.has("secret");
  const talks = facts.has("fetches") || facts.has("socket");
  const tellsMore = facts.has("posts") || facts.has("socket");
  const all = [...together(facts, endlessly.test(code)), ...effects];
  if (talks && (isSecret || (tellsMore && filesRead.length > 0)))
    all.push({
      type: "sends",
      to: hosts.length === 1 ? hosts[0] : undefined,
      files: filesRead,
      ...(isSecret ? { words: [unknownWord(new Set<Flow>(["secret"]))] } : {}),
    });
  const flows: Flow[] = [
    ...(talks ? (["network"] as const) : []),
    ...(facts.has("decodes") ? (["decoded"] as const) : []),
    ...(isSecret ? (["secret"] as const) : []),
  ];
  if (flows.length > 0) all.push({ type: "prints", flows });
  return once(all);
}

function* together(facts: ReadonlySet<CodeFact>, isEndless: boolean): Iterable<Effect> {
  if (facts.has("starts")) yield danger("high", "its code starts programs");
  if (facts.has("socket")) yield danger("high", "its code opens connections of its own");
  if (facts.has("forks")) yield danger("high", "its code starts copies of itself");
  if (facts.has("forks") && isEndless)
    yield danger("critical", "its code starts copies of itself without end");
  if (facts.has("socket") && facts.has("starts"))
    yield danger("critical", "its code gives another machine a shell here");
  if (!facts.has("evaluates")) return;
  yield danger("high", "its code runs text that only the run tells");
  if (facts.has("fetches") || facts.has("socket"))
    yield danger("critical", "its code runs text from the network");
  if (facts.has("decodes")) yield danger("critical", "its code decodes text and runs it");
}

function once(effects: readonly Effect[]): Effect[] {
  const seen = new Set<string>();
  return effects.filter((effect) => {
    const key = JSON.stringify(effect, (_, value: unknown) => (value instanceof Set ? [...value] : value));
    return !seen.has(key) && seen.add(key);
  });
}

/** A module's first name, except in Perl and PHP, whose names are whole. */
export function isTold(language: Language, module: string): boolean {
  if (language === "shell" || language === "awk" || language === "sed" || language === "other") return true;
  const name = language === "perl" || language === "php" ? module : module.replace(/[./].*$/su, "");
  return namesIn(compiledCalls[language].modules).includes(name);
}

/** Records the import of a module and returns the name by which the data knows it. */
export function noteModule(language: CodeLanguage, { effects, facts }: Notes, module: string): string {
  if (/^https?:/u.test(module)) {
    effects.push(danger("critical", "its code runs text from the network"));
    return "";
  }
  if (language !== "python" && /^(?:\.{0,2}\/|~\/|file:)/u.test(module)) {
    effects.push(loads(literal(module.replace(/^file:(?:\/\/)?/u, "")), language));
    return "";
  }
  const path = module.replace(/^node:/u, "").replaceAll(/::|\//gu, ".");
  if (namesIn(compiledCalls[language].starting ?? "").includes(path)) facts.add("starts");
  if (!isTold(language, path)) effects.push(doesMore);
  return path;
}
