/** Facts collected while code is read, and the effects that follow from their combination. */

import { type Flow, isLiteral, unknownWord, type Word } from "../../command-line/word.ts";
import { danger } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";

export type Fact =
  /** The code opens a raw socket. */
  | "socket"
  | "fetches"
  /** The code redirects its standard streams, or creates a terminal. */
  | "streams"
  | "starts"
  | "forks"
  | "loops"
  | "decodes"
  /** The code evaluates text known only at run time. */
  | "evaluates"
  | "secret"
  | "posts";

export type Notes = {
  readonly effects: Effect[];
  readonly facts: Set<Fact>;
  readonly filesRead: Word[];
  readonly hosts: Word[];
};

export const newNotes = (): Notes => ({ effects: [], facts: new Set(), filesRead: [], hosts: [] });

export const tell = ({ effects }: Notes, ...more: readonly Effect[]): void => {
  effects.push(...more);
};

export function noteFlows({ facts }: Notes, flows: ReadonlySet<Flow>): void {
  if (flows.has("network")) facts.add("fetches");
  if (flows.has("decoded")) facts.add("decodes");
  if (flows.has("secret")) facts.add("secret");
}

/** All effects of the code, without duplicates. */
export function conclude(notes: Notes): Effect[] {
  const { facts } = notes;
  const all = [...notes.effects, ...together(facts)];
  if (facts.has("starts")) all.unshift(danger("high", "its code starts programs"));
  const networks = facts.has("fetches") || facts.has("socket");
  const tellsMore = facts.has("posts") || facts.has("socket");
  if (networks && (facts.has("secret") || (tellsMore && notes.filesRead.length > 0)))
    all.push({
      type: "sends",
      to: notes.hosts.length === 1 ? notes.hosts[0] : undefined,
      files: notes.filesRead,
      ...(facts.has("secret") ? { words: [unknownWord(new Set<Flow>(["secret"]))] } : {}),
    });
  const flows: Flow[] = [
    ...(facts.has("fetches") || facts.has("socket") ? (["network"] as const) : []),
    ...(facts.has("decodes") ? (["decoded"] as const) : []),
    ...(facts.has("secret") ? (["secret"] as const) : []),
  ];
  if (flows.length > 0) all.push({ type: "prints", flows });
  return once(all);
}

function* together(facts: ReadonlySet<Fact>): Iterable<Effect> {
  const networks = facts.has("fetches") || facts.has("socket");
  if (facts.has("socket") && (facts.has("starts") || facts.has("streams")))
    yield danger("critical", "its code gives another machine a shell here");
  if (networks && facts.has("evaluates")) yield danger("critical", "its code runs text from the network");
  if (facts.has("decodes") && facts.has("evaluates"))
    yield danger("critical", "its code decodes text and runs it");
  if (facts.has("forks") && facts.has("loops"))
    yield danger("critical", "its code starts copies of itself without end");
  else if (facts.has("forks")) yield danger("high", "its code starts copies of itself");
  if (facts.has("socket")) yield danger("high", "its code opens connections of its own");
}

function once(effects: readonly Effect[]): Effect[] {
  const seen = new Set<string>();
  return effects.filter((effect) => {
    const key = JSON.stringify(effect, (_, value: unknown) => (value instanceof Set ? [...value] : value));
    return !seen.has(key) && seen.add(key);
  });
}

/** Whether the text is exactly what will be executed. */
export const isPlainText = (word: Word): boolean => isLiteral({ ...word, isPattern: false });
