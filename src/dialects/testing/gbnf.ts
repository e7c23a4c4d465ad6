/** Test helper: reads grammars in llama.cpp's notation, one rule on a line; says whether they accept a text, and derives texts. */

type GrammarPart =
  | { type: "text"; text: string }
  | { type: "class"; isNegated: boolean; ranges: readonly (readonly [number, number])[] }
  | { type: "rule"; name: string }
  | { type: "choice"; of: readonly (readonly GrammarPart[])[] }
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
  const costs = costsOf(rules);
  return {
    accepts: (text) => endsFrom({ rules, text, known: new Map() }, rule("root"), 0).has(text.length),
    derive: (random, length = 200) => {
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

type Matching = { rules: GrammarRules; text: string; known: Map<string, Map<number, Set<number>>> };

/** Where the part may end if it begins there. */
function endsFrom(matching: Matching, part: GrammarPart, at: number): Set<number> {
  const { text, rules, known } = matching;
  switch (part.type) {
    case "text":
      return new Set(text.startsWith(part.text, at) ? [at + part.text.length] : []);
    case "class": {
      const code = text.codePointAt(at);
      return new Set(code !== undefined && isIn(part, code) ? [at + (code > 0xffff ? 2 : 1)] : []);
    }
    case "choice":
      return new Set(part.of.flatMap((parts) => [...endsOfAll(matching, parts, at)]));
    case "repeat": {
      let reached = new Set([at]);
      const all = new Set(part.least === 0 ? [at] : []);
      for (let count = 1; count <= part.most && reached.size > 0; count += 1) {
        reached = new Set([...reached].flatMap((from) => [...endsFrom(matching, part.part, from)]));
        if (count < part.least) continue;
        for (const end of reached) if (all.has(end)) reached.delete(end);
        for (const end of reached) all.add(end);
      }
      return all;
    }
    case "rule": {
      const places = known.get(part.name) ?? new Map<number, Set<number>>();
      known.set(part.name, places);
      const found = places.get(at);
      if (found) return found;
      const inner = rules.get(part.name);
      if (!inner) throw new Error(`There is no rule ${part.name}.`);
      const ends = endsFrom(matching, inner, at);
      places.set(at, ends);
      return ends;
    }
    default:
      return part satisfies never;
  }
}

function endsOfAll(matching: Matching, parts: readonly GrammarPart[], at: number): Set<number> {
  let reached = new Set([at]);
  for (const part of parts)
    reached = new Set([...reached].flatMap((from) => [...endsFrom(matching, part, from)]));
  return reached;
}

/** How many steps the shortest text of each rule takes. */
function costsOf(rules: GrammarRules): Map<string, number> {
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

function costOf(part: GrammarPart, costs: ReadonlyMap<string, number>): number {
  if (part.type === "text" || part.type === "class") return 1;
  if (part.type === "rule") return costs.get(part.name) ?? Infinity;
  if (part.type === "repeat") return part.least === 0 ? 0 : part.least * costOf(part.part, costs);
  return Math.min(...part.of.map((parts) => costOfAll(parts, costs)));
}

const costOfAll = (parts: readonly GrammarPart[], costs: ReadonlyMap<string, number>): number =>
  parts.reduce((sum, part) => sum + costOf(part, costs), 0);

type Derivation = {
  readonly rules: GrammarRules;
  readonly costs: ReadonlyMap<string, number>;
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
      const cheapest = Math.min(...part.of.map((parts) => costOfAll(parts, costs)));
      const possible =
        state.left > 0 ? part.of : part.of.filter((parts) => costOfAll(parts, costs) === cheapest);
      for (const one of pick(possible, random)) derive(state, one);
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

const edgesOf = ({ isNegated, ranges }: GrammarPart & { type: "class" }): string[] =>
  isNegated ? [] : ranges.flat().map((code) => String.fromCodePoint(code));

function pick<T>(all: readonly T[], random: () => number): T {
  const chosen = all[Math.floor(random() * all.length)];
  if (chosen === undefined) throw new Error("There is nothing to choose from.");
  return chosen;
}
