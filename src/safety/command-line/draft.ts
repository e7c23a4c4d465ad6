/** What was found so far about one part of a line, while that part is being traced. */

import type { Risk } from "../../protocol/facts.ts";
import type { Effect, Variable } from "../dangers/effect.ts";
import { type Program, checksWith } from "../dangers/program.ts";
import { mayLookOutside } from "../judge/look-outside.ts";
import { type CommandPart, type Finding, gravest } from "../judgement.ts";
import { aroundOf, type Output } from "./shell.ts";
import type { Walk } from "./walking.ts";
import { type Flow, isLiteral, joinWords, unknown, type Word } from "./word.ts";

export type Draft = {
  readonly words: readonly Word[];
  readonly variables: readonly Variable[];
  readonly walk: Walk;
  readonly findings: Finding[];
  /** The types of its effects so far. */
  readonly effects: Set<string>;
  /** What the output carries. */
  readonly flows: Set<Flow>;
  /** The output, if it is exactly known. */
  text: Word | undefined;
  usesNetwork: boolean;
  /** Its own words say which host that is. */
  namesHost: boolean;
  /** It only concerns processes that the line has started. */
  isAboutOwn: boolean;
  /** Files that it makes, collected until their content is known. */
  readonly made: {
    path: string;
    content: Word | undefined;
    how: Extract<Effect, { type: "writes" }>["how"];
    isBuilt?: boolean;
  }[];
  /** The content of the files that it reads or moves, if the line has written them. */
  readonly sources: (Output | undefined)[];
  /** The paths of what it reads. */
  readonly opened: Set<string>;
  /** It reads what it may not read outside of the sandbox without a question. */
  readsBeyond: boolean;
  /** It moves files that stand for many. */
  movesMany: boolean;
  /** What it asks of other machines, if its words let nothing else out. */
  requests: readonly string[] | undefined;
};

export const openDraft = (words: readonly Word[], variables: readonly Variable[], walk: Walk): Draft => ({
  words,
  variables,
  walk,
  findings: [],
  effects: new Set(),
  flows: new Set<Flow>(),
  text: undefined,
  usesNetwork: false,
  namesHost: false,
  isAboutOwn: false,
  made: [],
  sources: [],
  opened: new Set(),
  readsBeyond: false,
  movesMany: false,
  requests: undefined,
});

export function note(draft: Draft, found: Finding | undefined): void {
  if (!found) return;
  if (!draft.findings.some(({ because }) => because === found.because))
    draft.findings.push({ range: draft.walk.range, ...found });
  if (found.severity !== "none") draft.walk.report.doesMore = true;
}

/** The same, of what the commands before it have printed: they take part in it. */
export function noteOfInput(draft: Draft, found: Finding | undefined): void {
  const { range, input } = draft.walk;
  if (!found || !range || !input.range) return note(draft, found);
  return note(draft, { range: { from: input.range.from, to: range.to }, ...found });
}

export const outputOf = ({ text, flows }: Draft): Output => ({ text, flows });

type PartEnd = { isPlain: boolean; row: Program | undefined };

/** Turns the draft into the finished part. */
export function partOf(draft: Draft, { isPlain, row }: PartEnd): CommandPart {
  const { words, variables, findings, effects, isAboutOwn, requests, namesHost, walk } = draft;
  const worst = gravest(findings);
  const argv = words.every(isLiteral) ? words.map(({ text }) => text) : undefined;
  return {
    words: shownCommand(words, variables),
    ...(argv ? { argv } : {}),
    severity: worst?.severity ?? noRisk,
    because: worst?.because ?? "",
    ...(worst?.range ? { range: worst.range } : {}),
    findings: findings.filter(({ severity }) => severity !== "none"),
    isPlain: isPlain && variables.length === 0,
    ...(isAboutOwn ? { isAboutOwn } : {}),
    ...(walk.remote !== undefined ||
    // A part with a danger asks anyway; what does more than read has a danger without a severity.
    (worst === undefined &&
      !effects.has("danger") &&
      !draft.readsBeyond &&
      mayLookOutside({ words, variables, row }, aroundOf(walk.shell)))
      ? { mayLookOutside: true }
      : {}),
    ...(requests ? { requests } : {}),
    ...(namesHost ? { namesHost } : {}),
    ...(row?.kind !== "builds" && row && [...effects].every(isOwnWork) ? { startsNothing: true } : {}),
    ...(row?.kind ? { kind: row.kind } : {}),
    ...(row?.from ? { row: row.from } : {}),
    ...(checksWith(
      row?.checks,
      words
        .map(({ text }) => text)
        .join(" ")
        .replace(/^\S*\//u, ""),
    )
      ? { checks: true }
      : {}),
    verbs: row?.verbs ?? 1,
  };
}

/** Effects that a program has itself. What sed and awk are told to run is an effect of its own. */
const isOwnWork = (effect: string): boolean =>
  /^(?:reads|writes|deletes|prints|danger|interprets (?:sed|awk))$/u.test(effect);

const noRisk: Risk = "none";

function shownCommand(words: readonly Word[], variables: readonly Variable[]): string {
  const all = [...variables.map(({ name, value }) => `${name}=${value.text}`), joinWords(words, " ").text];
  const text = all.join(" ").replaceAll(unknown, "…");
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
