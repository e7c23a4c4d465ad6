/**
 * Ranks the ways to ask a model: the usual one first, unless measurements or sessions show that another does better.
 */

import type { CallCounts, DialectRecord, DialectMeasurement } from "../protocol/dialect-record.ts";
import { inWords, type ModelWay, type ModelWays } from "./ways.ts";

/**
 * Whether a measurement says how a model uses tools. One that did hardly anything right, in no format, says only that it
 * does not: which format was a task or two ahead is chance.
 */
export const isEvidence = (measured: readonly Pick<DialectMeasurement, "right" | "tasks">[]): boolean =>
  measured.some(({ right, tasks }) => right >= tasks * leastShare);

const leastShare = 0.25;

/** Measurements count only if the usual way was measured too; a difference of one task is chance. */
export function rankWays(usual: ModelWays, records: readonly DialectRecord[]): ModelWays {
  const known = new Map(records.map((record) => [record.dialect, record]));
  const measured = byMeasure(usual, known);
  const good = measured.ways.filter(({ name }) => !isFailing(known.get(name)?.counts));
  const bad = measured.ways.filter((way) => !good.includes(way));
  const [first] = measured.ways;
  if (good.length === 0 || first === good[0]) return { ways: [...good, ...bad], because: measured.because };
  return { ways: [...good, ...bad], because: seenInSessions(first, known) };
}

type DialectRecords = ReadonlyMap<string, DialectRecord>;

function byMeasure(usual: ModelWays, known: DialectRecords): ModelWays {
  const [first] = usual.ways;
  const measureOf = ({ name }: ModelWay): DialectMeasurement | undefined => known.get(name)?.measured;
  const measured = first && measureOf(first);
  if (!first || !measured || !isEvidence(usual.ways.flatMap((way) => measureOf(way) ?? []))) return usual;
  const rate = (way: ModelWay): number => rateOf(measureOf(way));
  const best = Math.max(...usual.ways.map(rate));
  const chosen = usual.ways.find((way) => rate(way) >= best - 1.5 / measured.tasks) ?? first;
  const others = usual.ways.filter((way) => way !== chosen).toSorted((one, other) => rate(other) - rate(one));
  const because = chosen === first ? whyUsual(usual, measured) : whyOther(measureOf(chosen), measured);
  return { ways: [chosen, ...others], because };
}

/** Unmeasured ways rank behind measured ones. */
const rateOf = (measured: DialectMeasurement | undefined): number =>
  measured === undefined ? -1 : measured.right / measured.tasks;

const whyUsual = ({ because }: ModelWays, { right, tasks }: DialectMeasurement): string | undefined =>
  because === undefined ? undefined : `${because} (measured: ${right} of ${tasks} tasks right)`;

const whyOther = (chosen: DialectMeasurement | undefined, usual: DialectMeasurement): string =>
  `When it was measured on ${dayOf(usual.at)}, it did ${chosen?.right ?? 0} of ${usual.tasks} tasks right with ${inWords(chosen?.dialect ?? "")} and ${usual.right} with ${inWords(usual.dialect)}`;

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** At least two calls were unreadable, and at least one in five. */
export const isFailing = (counts: CallCounts | undefined): boolean =>
  counts !== undefined && counts.refusals >= 2 && counts.refusals * 4 >= counts.calls;

function seenInSessions(first: ModelWay | undefined, known: DialectRecords): string {
  const name = first?.name ?? "";
  const { calls, refusals } = known.get(name)?.counts ?? { calls: 0, refusals: 0 };
  return `In earlier sessions ${refusals} of its ${calls + refusals} calls with ${inWords(name)} could not be read`;
}
