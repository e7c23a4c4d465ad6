/** The table of all meaningful marks in running text, indexed by first character: openers, thoughts, turns, layout. */

import type { Dialect, MarkedDialect, Opener, ThoughtMarks, WholeDialect } from "../dialect.ts";
import { type LeftoverMarks, leftoverMarks } from "./leftovers.ts";
import type { OfferedTools } from "./reader.ts";
import { proseStops } from "./scan.ts";

export type TextMark = {
  readonly text: string;
  /**
   * `line`: only at the beginning of a line. `start`: only at the very beginning of the answer. `end`: only if nothing
   * but other such marks follows.
   */
  readonly where: "anywhere" | "line" | "start" | "end";
  readonly means: MarkMeaning;
};

type MarkMeaning =
  | { type: "call"; dialect: MarkedDialect; opener: Opener }
  | { type: "whole"; dialect: WholeDialect; opener: Opener }
  | { type: "thought"; close: string; isPaired: boolean }
  | { type: "thought-end" }
  | { type: "turn" }
  | { type: "result" }
  | { type: "layout" }
  | { type: "leftover" };

export type MarkTable = {
  /** The marks that occur, or may be beginning, at a position of a text. */
  at(text: string, place: number): readonly TextMark[];
  /** The characters at which a line of prose may become anything else, or one of the marks that count within it. */
  readonly stops: RegExp;
  /** The marks that count inside a thought: openers of calls. */
  readonly thought: readonly TextMark[];
  readonly thoughts: readonly ThoughtMarks[];
  /** Closing tags that must not be left over (N19). */
  readonly leftovers: LeftoverMarks;
  /** Closing tags that may follow a value whose opening tag was lost. */
  readonly loneClosers: readonly string[];
  /** The part of the prompt's end that is an open block; empty if there is none. */
  given(prefix: string): string;
};

type TableOptions = { known: Dialect | undefined; offered: OfferedTools };

/**
 * The last table per list of dialects and known one: every answer of a model needs the same one, beside those of other
 * models, and building it takes milliseconds.
 */
const lastTables = new WeakMap<readonly Dialect[], Map<Dialect | undefined, MadeTable>>();

type MadeTable = { offered: OfferedTools; marks: string; fixed: FixedMarks; table: MarkTable };

/** A model's own dialect comes first if several share an opener; `known` is also among `dialects`. */
export function markTable(dialects: readonly Dialect[], { known, offered }: TableOptions): MarkTable {
  const tables = lastTables.get(dialects) ?? new Map<Dialect | undefined, MadeTable>();
  lastTables.set(dialects, tables);
  const last = tables.get(known);
  if (last && areSameTools(last.offered, offered)) return last.table;
  const fixed = last?.fixed ?? fixedMarks(dialects, known);
  const { ordered } = fixed;
  // The only parts that depend on the tools on offer.
  const leftovers = [...new Set(ordered.flatMap((dialect) => leftoversOf(dialect, offered)))];
  const named = new Map(ordered.map((dialect) => [dialect, dialect.namedOpeners?.(offered) ?? []]));
  const names = [...named.values()].flatMap((openers) => openers.map(({ mark }) => mark));
  const marks = JSON.stringify([leftovers, names]);
  const table = last?.marks === marks ? last.table : newTable(fixed, { known, leftovers, named });
  tables.set(known, { offered, marks, fixed, table });
  return table;
}

/** A schema is the same object from prompt to prompt. */
const areSameTools = ({ tools: some }: OfferedTools, { tools: others }: OfferedTools): boolean =>
  some.length === others.length &&
  some.every(({ name, schema }, at) => others[at]?.name === name && others[at].schema === schema);

/** Marks that belong to no family: servers and fine-tuned models use them too. */
const commonThoughts: readonly ThoughtMarks[] = [
  { open: "<think>", close: "</think>" },
  { open: "<thought>", close: "</thought>", isPaired: true },
  { open: "<reasoning>", close: "</reasoning>", isPaired: true },
];

/** Whether a chat template has marks of thoughts in it; those of Harmony stand in channels of messages. */
export function showsThoughts(template: string, dialects: readonly Dialect[]): boolean {
  const all = [...commonThoughts, ...dialects.flatMap(({ thoughts = [] }) => thoughts)];
  return ["<|channel|>", ...all.map(({ open }) => open.trim())].some((mark) => template.includes(mark));
}

/** What a table has whatever tools are on offer: most of it. */
type FixedMarks = {
  readonly ordered: readonly Dialect[];
  readonly thoughts: readonly ThoughtMarks[];
  readonly openers: ReadonlyMap<Dialect, readonly TextMark[]>;
  /** All marks but those of calls. */
  readonly others: readonly TextMark[];
};

function fixedMarks(dialects: readonly Dialect[], known: Dialect | undefined): FixedMarks {
  const on = dialects.filter((dialect) => dialect.tier !== "taught" || dialect === known);
  const ordered = known ? [known, ...on.filter((dialect) => dialect !== known)] : on;
  const thoughts = distinct(
    [...commonThoughts, ...ordered.flatMap((dialect) => dialect.thoughts ?? [])],
    ({ open, close }) => `${open} ${close}`,
  );
  // Dialects that differ only in what they write share their openers: the first of them reads.
  const own = new Map(ordered.toReversed().flatMap(({ openers, name }) => openers.map((one) => [one, name])));
  const openersOf = (dialect: Dialect): TextMark[] =>
    dialect.openers
      .filter((opener) => own.get(opener) === dialect.name)
      .map((opener) => openerMark(dialect, opener, known));
  const ends = thoughts.flatMap((thought) => {
    const isKnown = known?.thoughts?.includes(thought) === true;
    return thoughtMarks(thought).filter(({ text }) => isKnown || !isWords(text));
  });
  const openers = new Map(ordered.map((dialect) => [dialect, openersOf(dialect)]));
  return { ordered, thoughts, openers, others: distinct([...ends, ...plainMarks(ordered, known)], keyOf) };
}

type TableParts = {
  known: Dialect | undefined;
  leftovers: readonly string[];
  named: ReadonlyMap<Dialect, readonly Opener[]>;
};

function newTable(
  { ordered, thoughts, openers, others }: FixedMarks,
  { known, leftovers, named }: TableParts,
): MarkTable {
  const calls = ordered.flatMap((dialect) => [
    ...(openers.get(dialect) ?? []),
    ...(named.get(dialect) ?? []).map((opener) => openerMark(dialect, opener, known)),
  ]);
  // A longer mark precedes its own prefix; calls keep the order of the dialects.
  const rest = [...others, ...leftovers.map(leftoverMark)];
  const marks = [...calls, ...rest.toSorted((one, other) => other.text.length - one.text.length)];
  return {
    at: lookUp(marks),
    stops: anyOf([...proseStops, ...marks.filter(countsInLine).map(({ text }) => text.charCodeAt(0))]),
    thought: calls.filter((mark) => mark.means.type === "call"),
    thoughts,
    leftovers: leftoverMarks(leftovers),
    loneClosers: [...new Set(ordered.flatMap((dialect) => dialect.loneClosers ?? []))],
    given: (prefix) =>
      ordered.map((dialect) => dialect.continues?.(prefix) ?? "").find((text) => text !== "") ?? "",
  };
}

function openerMark(dialect: Dialect, opener: Opener, known: Dialect | undefined): TextMark {
  const text = opener.mark;
  if (dialect.tier !== "whole") {
    const where = opener.where === "start" && dialect === known ? "line" : opener.where;
    return { text, where: where ?? "anywhere", means: { type: "call", dialect, opener } };
  }
  const where = known ? "line" : (opener.where ?? "start");
  return { text, where, means: { type: "whole", dialect, opener } };
}

/** A tag could occur in prose, so it counts only at the beginning of a line; a special token counts anywhere. */
function thoughtMarks({ open, close, isPaired = false }: ThoughtMarks): TextMark[] {
  const where = isWords(open) ? "start" : /^<[a-z]/i.test(open) ? "line" : "anywhere";
  const end: TextMark = { text: close, where: "anywhere", means: { type: "thought-end" } };
  return [{ text: open, where, means: { type: "thought", close, isPaired } }, ...(isPaired ? [] : [end])];
}

const isWords = (text: string): boolean => /^\w/.test(text);

function plainMarks(dialects: readonly Dialect[], known: Dialect | undefined): TextMark[] {
  return dialects.flatMap((dialect) => [
    ...(dialect.turns ?? []).map(turn),
    ...(dialect.results ?? []).map((text) => resultMark(text, "anywhere")),
    ...(dialect === known ? (dialect.plainResults ?? []) : []).map((text) => resultMark(text, "line")),
    ...(dialect.layout ?? []).filter((text) => dialect === known || isToken(text)).map(layout),
    ...(dialect.remains ?? []).map((text): TextMark => ({ text, where: "end", means: { type: "layout" } })),
  ]);
}

const resultMark = (text: string, where: TextMark["where"]): TextMark => ({
  text,
  where,
  means: { type: "result" },
});

const turn = (text: string): TextMark => ({
  text,
  where: isTag.test(text) ? "end" : "anywhere",
  means: { type: "turn" },
});

/** A closing tag may occur anywhere; opening tags and words only at the beginning of the answer. */
const layout = (text: string): TextMark => ({
  text,
  where: /^<?\p{L}/u.test(text) ? "start" : "anywhere",
  means: { type: "layout" },
});

function leftoversOf(dialect: Dialect, offered: OfferedTools): readonly string[] {
  if (dialect.tier === "whole") return [];
  const { leftovers = [] } = dialect;
  return typeof leftovers === "function" ? leftovers(offered) : leftovers;
}

const leftoverMark = (text: string): TextMark => ({ text, where: "anywhere", means: { type: "leftover" } });

/** Also valid HTML: `</s>` ends struck-through text. */
const isTag = /^<\/?[a-z]{1,3}>$/;

/** Prose never contains these characters together. */
const isToken = (text: string): boolean => /^[<\]][|｜‖<]|^\[[A-Z_]{5,}/.test(text);

const keyOf = ({ text, where, means }: TextMark): string =>
  `${means.type} ${where} ${text} ${"close" in means ? means.close : ""}`;

function distinct<Item>(items: readonly Item[], keyOfItem: (item: Item) => string): Item[] {
  const seen = new Map<string, Item>();
  for (const item of items) {
    const key = keyOfItem(item);
    if (!seen.has(key)) seen.set(key, item);
  }
  return [...seen.values()];
}

/** Indexes marks by their first two characters. */
function lookUp(marks: readonly TextMark[]): MarkTable["at"] {
  const byFirst = Map.groupBy(marks, ({ text }) => text.charCodeAt(0));
  const byTwo = new Map<number, readonly TextMark[]>();
  return (text, place) => {
    const first = text.charCodeAt(place);
    const some = byFirst.get(first);
    if (!some || place + 1 >= text.length) return some ?? none;
    const key = first * 65_536 + text.charCodeAt(place + 1);
    const known = byTwo.get(key);
    if (known) return known;
    const fitting = some.filter((mark) => mark.text.length === 1 || mark.text[1] === text[place + 1]);
    byTwo.set(key, fitting);
    return fitting;
  };
}

const none: readonly TextMark[] = [];

const anyOf = (codes: readonly number[]): RegExp =>
  new RegExp(
    `[${[...new Set(codes)].map((code) => `\\u${code.toString(16).padStart(4, "0")}`).join("")}]`,
    "g",
  );

/** Whether a mark counts at other places than the beginning of a line. */
export const countsInLine = ({ where, means }: TextMark): boolean =>
  where === "anywhere" || where === "end" || (where === "line" && means.type === "thought");
