/** Test helper: reads grammars in llama.cpp's notation, one rule on a line; says whether they accept a text, and derives texts. */

type GrammarPart =
  | { type: "text"; text: string }
  | { type: "class"; isNegated: boolean; ranges: readonly (readonly [number, number])[] }
  | { type: "rule"; name: string }
  | { type: "choice"; of: Alternatives }
  | { type: "repeat"; part: GrammarPart; least: number; most: number };

type GrammarRules = ReadonlyMap<string, GrammarPart>;

type Gbnf = {
  readonly accepts: (text: string) => boolean;
  /** A text of the grammar; `random` gives numbers from 0 up to 1. Past `length` it comes to an end. */
  readonly derive: (random: () => number, length?: number) => string;
};

export function readGbnf(grammar: string): Gbnf {
  const rules = new Map<string, GrammarPart>();
  for (const line of grammar.split("\n")) {
    const [, name = "", body = ""] = /^([a-zA-Z0-9-]+) ::= (.*)$/s.exec(line) ?? [];
    if (name === "") throw new Error(`Not a rule: ${line}`);
    const reading: Reading = { body, at: 0 };
    rules.set(name, readChoice(reading));
    if (reading.at < body.length) throw new Error(`Not read: ${body.slice(reading.at)}`);
  }
  let costs: Costs | undefined;
  return {
    accepts: (text) => accepts(rules, text),
    derive: (random, length = 200) => {
      costs ??= costsOf(rules);
      const state: Derivation = { rules, costs, random, left: length, pieces: [] };
      derive(state, rule("root"));
      return state.pieces.join("");
    },
  };
}

const rule = (name: string): GrammarPart => ({ type: "rule", name });

type Reading = { readonly body: string; at: number };

function readChoice(reading: Reading): GrammarPart {
  const of = [readSequence(reading)];
  while (take(reading, /\s*\|\s*/y) !== undefined) of.push(readSequence(reading));
  return { type: "choice", of };
}

function readSequence(reading: Reading): GrammarPart[] {
  const parts: GrammarPart[] = [];
  for (;;) {
    take(reading, /\s*/y);
    const part = readPart(reading);
    if (!part) return parts;
    parts.push(withCount(part, reading));
  }
}

function take(reading: Reading, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = reading.at;
  const found = pattern.exec(reading.body) ?? undefined;
  reading.at += found?.[0].length ?? 0;
  return found;
}

function readPart(reading: Reading): GrammarPart | undefined {
  const name = take(reading, /[a-zA-Z0-9-]+/y);
  if (name) return rule(name[0]);
  const text = take(reading, /"((?:\\.|[^"\\])*)"/y);
  if (text) return { type: "text", text: characters(text[1] ?? "").join("") };
  const among = take(reading, /\[(\^?)((?:\\.|[^\]\\])*)\]/y);
  if (among) return { type: "class", isNegated: among[1] === "^", ranges: rangesIn(among[2] ?? "") };
  if (!take(reading, /\(/y)) return undefined;
  const inner = readChoice(reading);
  if (!take(reading, /\s*\)/y)) throw new Error(`No end of a group: ${reading.body}`);
  return inner;
}

function withCount(part: GrammarPart, reading: Reading): GrammarPart {
  const found = take(reading, /[*+?]|\{(\d+)(?:,(\d*))?\}/y);
  if (!found) return part;
  const [sign, from = "0", to] = found;
  if (sign === "*" || sign === "+")
    return { type: "repeat", part, least: sign === "*" ? 0 : 1, most: Infinity };
  if (sign === "?") return { type: "repeat", part, least: 0, most: 1 };
  const most = to === undefined ? Number(from) : to === "" ? Infinity : Number(to);
  return { type: "repeat", part, least: Number(from), most };
}

const named: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** The characters of a literal; a range's hyphen stays as it is. */
const characters = (written: string): string[] =>
  [...written.matchAll(/\\x([0-9a-f]{2})|\\(.)|([^])/gu)].map(([, hex, escape, plain = ""]) =>
    hex === undefined
      ? escape === undefined
        ? plain
        : (named[escape] ?? escape)
      : String.fromCharCode(Number.parseInt(hex, 16)),
  );

const codeOf = (one: string): number => characters(one)[0]?.codePointAt(0) ?? 0;

function rangesIn(written: string): [number, number][] {
  const pattern = /(\\x[0-9a-f]{2}|\\.|[^])(?:-(\\x[0-9a-f]{2}|\\.|[^]))?/gu;
  return [...written.matchAll(pattern)].map(([, from = "", to = from]) => [codeOf(from), codeOf(to)]);
}

const isIn = ({ isNegated, ranges }: GrammarPart & { type: "class" }, code: number): boolean =>
  ranges.some(([from, to]) => from <= code && code <= to) !== isNegated;

/** What is still to come: a part, and what comes behind it. Equal ones are one object, so that a set holds each once. */
type Rest = { readonly part: GrammarPart; readonly behind: Rest | undefined; readonly before: RestsByPart };
type RestsByPart = Map<GrammarPart, Rest>;

/** Follows all ways through the grammar side by side, in time linear in the text. */
function accepts(rules: GrammarRules, text: string): boolean {
  const last: RestsByPart = new Map();
  const reached = Array.from({ length: text.length + 1 }, () => new Set<Rest | undefined>());
  const put = (part: GrammarPart, behind: Rest | undefined): Rest => {
    const known = behind?.before ?? last;
    const rest = known.get(part) ?? { part, behind, before: new Map() };
    known.set(part, rest);
    return rest;
  };
  const step = ({ part, behind }: Rest, at: number): void => {
    switch (part.type) {
      case "text":
        if (text.startsWith(part.text, at)) reached[at + part.text.length]?.add(behind);
        return;
      case "class": {
        const code = text.codePointAt(at);
        if (code !== undefined && isIn(part, code)) reached[at + (code > 0xffff ? 2 : 1)]?.add(behind);
        return;
      }
      case "choice":
        for (const parts of part.of)
          reached[at]?.add(parts.reduceRight<Rest | undefined>((rest, one) => put(one, rest), behind));
        return;
      case "repeat":
        if (part.least === 0) reached[at]?.add(behind);
        if (part.most > 0) reached[at]?.add(put(part.part, put(onceLess(part), behind)));
        return;
      case "rule":
        reached[at]?.add(put(ruleNamed(part.name, rules), behind));
        return;
      default:
        part satisfies never;
    }
  };
  reached[0]?.add(put(rule("root"), undefined));
  for (const [at, rests] of reached.entries()) for (const rest of rests) if (rest) step(rest, at);
  return reached.at(-1)?.has(undefined) === true;
}

type Repeat = GrammarPart & { type: "repeat" };
const less = new WeakMap<Repeat, Repeat>();

function onceLess(part: Repeat): Repeat {
  if (part.least === 0 && part.most === Infinity) return part;
  const known = less.get(part) ?? { ...part, least: Math.max(0, part.least - 1), most: part.most - 1 };
  less.set(part, known);
  return known;
}

function ruleNamed(name: string, rules: GrammarRules): GrammarPart {
  const part = rules.get(name);
  if (!part) throw new Error(`There is no rule ${name}.`);
  return part;
}

type Costs = ReadonlyMap<string, number>;

/** How many steps the shortest text of each rule takes. */
function costsOf(rules: GrammarRules): Costs {
  const costs = new Map<string, number>();
  for (let changed = true; changed;) {
    changed = false;
    for (const [name, part] of rules) {
      const cost = costOf(part, costs) + 1;
      if (cost < (costs.get(name) ?? Infinity)) {
        costs.set(name, cost);
        changed = true;
      }
    }
  }
  return costs;
}

function costOf(part: GrammarPart, costs: Costs): number {
  if (part.type === "text" || part.type === "class") return 1;
  if (part.type === "rule") return costs.get(part.name) ?? Infinity;
  if (part.type === "repeat") return part.least === 0 ? 0 : part.least * costOf(part.part, costs);
  return Math.min(...part.of.map((parts) => costOfAll(parts, costs)));
}

const costOfAll = (parts: readonly GrammarPart[], costs: Costs): number =>
  parts.reduce((sum, part) => sum + costOf(part, costs), 0);

type Derivation = {
  readonly rules: GrammarRules;
  readonly costs: Costs;
  readonly random: () => number;
  left: number;
  readonly pieces: string[];
};

const samples = Array.from("abcXYZ019 .,:;_-+*/=<>&|'\"\\{}[]()\n\tä東🚀");

function derive(state: Derivation, part: GrammarPart): void {
  const { random, pieces, costs, rules } = state;
  switch (part.type) {
    case "text":
      pieces.push(part.text);
      return;
    case "class":
      state.left -= 1;
      pieces.push(
        pick(
          samples.concat(edgesOf(part)).filter((one) => isIn(part, one.codePointAt(0) ?? 0)),
          random,
        ),
      );
      return;
    case "repeat": {
      for (let count = 0; count < part.least; count += 1) derive(state, part.part);
      for (let count = part.least; count < part.most && state.left > 0 && random() < 0.7; count += 1)
        derive(state, part.part);
      return;
    }
    case "choice": {
      for (const one of pick(state.left > 0 ? part.of : cheapest(part.of, costs), random)) derive(state, one);
      return;
    }
    case "rule": {
      state.left -= 1;
      const inner = rules.get(part.name);
      if (inner) derive(state, inner);
      return;
    }
    default:
      part satisfies never;
  }
}

type Alternatives = readonly (readonly GrammarPart[])[];

function cheapest(all: Alternatives, costs: Costs): Alternatives {
  const each = all.map((parts) => costOfAll(parts, costs));
  return all.filter((_, at) => each[at] === Math.min(...each));
}

const edgesOf = ({ isNegated, ranges }: GrammarPart & { type: "class" }): string[] =>
  isNegated ? [] : ranges.flat().map((code) => String.fromCodePoint(code));

function pick<T>(all: readonly T[], random: () => number): T {
  const chosen = all[Math.floor(random() * all.length)];
  if (chosen === undefined) throw new Error("There is nothing to choose from.");
  return chosen;
}
