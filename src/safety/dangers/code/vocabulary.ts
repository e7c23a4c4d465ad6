/** The words of the data about calls in code, and what they stand for. */

import { risks } from "../../../protocol/fact-words.ts";
import type { Flow } from "../../command-line/word.ts";
import { danger, loads } from "../effect-makers.ts";
import { fromEnvironment } from "./environment.ts";
import {
  copies,
  deletes,
  gets,
  moves,
  opens,
  opensAsPerl,
  opensAsRuby,
  opensReceiver,
  permits,
  reads,
  type Whose,
  writes,
} from "./file-meanings.ts";
import {
  argument,
  type Call,
  evaluate,
  fetches,
  imports,
  isAddress,
  isUnclear,
  line,
  loadsCode,
  type Meaning,
  positional,
  posts,
  rest,
  runsShell,
  starts,
} from "./meaning.ts";
import { type Fact, isPlainText, noteFlows, tell } from "./notes.ts";
import {
  carrying,
  concatenated,
  listOf,
  mixed,
  named,
  nothing,
  said,
  texted,
  type Value,
  wordOf,
  wordsOf,
} from "./value.ts";

const first = (call: Call): Value => argument(call, 0) ?? nothing;

/** The text of a value, if it is known. */
const plain = ({ text }: Value): string | undefined => (text && isPlainText(text) ? text.text : undefined);

const evaluates =
  (code: (call: Call) => Value | undefined): Meaning =>
  (call) => {
    evaluate(call, code(call) ?? rest(call));
    return rest(call);
  };

/** Text decoded from other text, which a reviewer could not read. */
const decodes: Meaning = (call) => ({
  ...rest(call),
  carries: new Set<Flow>([...rest(call).carries, "decoded"]),
});

const sameArgument: Meaning = (call) => ({ ...first(call), path: "" });

/** `", ".join(words)`, `words.join(", ")` and `join(", ", words)`. */
const joins = (receiver: Value, given: Value): Value => {
  const [list, between] = receiver.items
    ? [receiver, given.text?.text ?? ","]
    : [given, receiver.text?.text ?? ""];
  return list.items ? concatenated(wordsOf(list).map(texted), between) : mixed([receiver, given]);
};

/** The parts of a path. */
function joinsPath(parts: readonly Value[]): Value {
  const from = parts.findLastIndex(({ text }) => text?.text.startsWith("/") === true);
  return concatenated(parts.slice(Math.max(from, 0)), "/");
}

/** `"rm -rf x".split(" ")`. */
const splits: Meaning = (call) => {
  const text = plain(call.receiver);
  const between = first(call).text?.text ?? " ";
  if (text === undefined) return mixed([call.receiver]);
  return listOf(
    text
      .split(between)
      .filter((part) => part !== "" || between !== " ")
      .map(said),
  );
};

/** A member by its name as text: `getattr(os, "system")`, `os.__getattribute__("system")`. */
function member(call: Call, owner: Value, name: Value | undefined): Value {
  const text = name && plain(name);
  if (text !== undefined && owner.path !== "") return named(`${owner.path}.${text}`);
  if (text === undefined) isUnclear(call);
  return mixed([owner, name ?? nothing]);
}

/** Calls the function that a text names, with the remaining arguments: `send(:system, "ls")`. */
const callsByName: Meaning = (call) => {
  const name = first(call);
  const more = call.given.slice(1);
  const text = plain(name);
  if (name.path !== "" && !name.text) return call.invoke(name.path, more);
  if (text === undefined) return isUnclear(call);
  const direct = call.invoke(text, more);
  return direct.path.endsWith("()") && call.receiver.path !== ""
    ? call.invoke(`${call.receiver.path}.${text}`, more)
    : direct;
};

/** `array_map("system", $lines)`: a function named by text, with arguments that are unknown. */
const callsAt =
  (at: number): Meaning =>
  (call) => {
    const text = argument(call, at)?.text;
    if (text) call.invoke(text.text, call.given.filter((_, index) => index !== at).slice(0, 1));
    return nothing;
  };

/** File names that match a pattern. */
const globs: Meaning = (call) => {
  const text = first(call).text;
  const below = call.receiver.text;
  if (!text) return rest(call);
  return texted({ ...text, text: below ? `${below.text}/${text.text}` : text.text, isPattern: true });
};

/** `Buffer.from(text, "base64")` decodes; without an encoding it only copies. */
const buffers: Meaning = (call) =>
  /^(?:base64|hex)/iu.test(argument(call, 1)?.text?.text ?? "") || first(call).items
    ? decodes(call)
    : sameArgument(call);

/** `curl_setopt($c, CURLOPT_URL, "…")`; form fields are sent. */
const setsRequest: Meaning = (call) => {
  const value = argument(call, 2) ?? nothing;
  const given = [{ name: "", value }];
  const name = argument(call, 1)?.path ?? "";
  if (name === "CURLOPT_URL") return fetches()({ ...call, given });
  if (name === "CURLOPT_POSTFIELDS")
    return posts({ ...call, given: [{ name: "", value: nothing }, ...given] });
  return nothing;
};

/** With the `e` flag the replacement is code. */
const replacesPattern: Meaning = (call) => {
  if (/[^\w\s\\][a-df-z]*e[a-z]*$/iu.test(first(call).text?.text ?? ""))
    tell(call.notes, danger("high", "what it replaces text with is run as code"));
  return nothing;
};

/** `require "./x"` loads a file; a plain name is a library. */
const requires: Meaning = (call) => {
  const text = plain(first(call));
  if (text === undefined) return call.language === "perl" ? nothing : imports(call);
  if (call.language !== "perl") call.importing(text);
  else if (/[./]/u.test(text) && !/^v?[\d.]+$/u.test(text))
    tell(call.notes, loads(wordOf(first(call)), "perl"));
  return nothing;
};

const environment: Meaning = (call) => {
  const value = fromEnvironment(first(call));
  noteFlows(call.notes, value.carries);
  return value;
};

/** A common name (`get`) that means network access only if it is given an address. */
const fetchesAddress: Meaning = (call) =>
  isAddress(argument(call, 0)) || /LWP|HTTP|Mechanize|Net/u.test(call.path)
    ? fetches()(call)
    : mixed([call.receiver]);

const vocabulary: Readonly<Record<string, Meaning>> = {
  line,
  "line receiver": ({ notes, receiver }) =>
    runsShell(notes, receiver.items ? { ...receiver, text: wordOf(receiver) } : receiver),
  starts: starts(),
  "starts renamed": starts({ renamed: true }),
  "starts renamed second": starts({ renamed: true, skip: 1 }),
  evaluates: evaluates((call) => argument(call, 0)),
  "evaluates last": evaluates((call) => positional(call).at(-1)),
  // `eval "text"` runs text; `eval { … }` only runs its block.
  "evaluates given": (call) => (call.given.length === 0 ? nothing : evaluates(first)(call)),
  loads: loadsCode,
  imports,
  requires,
  fetches: fetches(),
  "fetches second": fetches(1),
  "fetches address": fetchesAddress,
  "sets request": setsRequest,
  posts,
  moves: moves("first"),
  "moves receiver": moves("receiver"),
  copies,
  gets,
  opens,
  "opens receiver": opensReceiver,
  "opens perl": opensAsPerl,
  "opens ruby": opensAsRuby,
  permits: permits("first", 1),
  "permits receiver": permits("receiver", 0),
  "permits behind": permits("behind", 0),
  owns: permits("first", undefined),
  "owns behind": permits("behind", undefined),
  decodes,
  buffers,
  "looks up": (call) => member(call, first(call), argument(call, 1)),
  "names member": (call) => member(call, call.receiver, argument(call, 0)),
  "names constant": (call) => {
    const text = plain(first(call));
    return text === undefined ? isUnclear(call) : named(text);
  },
  "calls by name": callsByName,
  "calls first": callsAt(0),
  "calls second": callsAt(1),
  "replaces pattern": replacesPattern,
  home: () => said("~"),
  here: () => said("."),
  input: () => carrying("input"),
  secret: () => carrying("secret"),
  environment,
  globs,
  itself: first,
  same: sameArgument,
  "same receiver": ({ receiver }) => ({ ...receiver, path: "" }),
  joins: (call) => joins(call.receiver, first(call)),
  "joins first": ({ given: [between, ...more] }) => {
    const items = more.flatMap(({ name, value }) => value.items ?? [{ name, value }]);
    return joins(between?.value ?? nothing, { ...nothing, items });
  },
  "joins path": (call) => joinsPath(call.given.map(({ value }) => value)),
  "joins receiver": ({ receiver, given }) =>
    concatenated([receiver, ...given.map(({ value }) => value)], "/"),
  concatenates: ({ receiver, given }) => {
    const values = [receiver, ...given.map(({ value }) => value)];
    return receiver.items
      ? listOf(values.flatMap((value) => value.items?.map((item) => item.value) ?? [value]))
      : concatenated(values);
  },
  splits,
};

const noted: Readonly<Record<string, readonly [Fact, Value]>> = {
  forks: ["forks", nothing],
  streams: ["streams", nothing],
  posts: ["posts", nothing],
  starts: ["starts", nothing],
  fetches: ["fetches", carrying("network")],
  socket: ["socket", carrying("network")],
};

const ways: readonly (readonly [string, (whose: Whose) => Meaning])[] = [
  ["deletes", (whose) => deletes(whose, false)],
  ["deletes deep", (whose) => deletes(whose, true)],
  ["replaces", (whose) => writes(whose, "replaces")],
  ["appends", (whose) => writes(whose, "appends")],
  ["edits", (whose) => writes(whose, "edits")],
  ["creates", (whose) => writes(whose, "creates")],
  ["reads", reads],
];
const whose: readonly Whose[] = ["first", "second", "behind", "receiver"];

const ofFiles = new Map<string, Meaning>(
  ways.flatMap(([way, make]) => {
    const [verb = "", deep = ""] = way.split(" ");
    const all = whose.map((who) => [`${verb} ${who} ${deep}`.trim(), make(who)] as const);
    return [...all, [way, make("all")] as const];
  }),
);

/** What a phrase of the data stands for; undefined if it is not understood. */
export function meant(phrase: string): Meaning | undefined {
  const parts = phrase.split("; ");
  if (parts.length === 1) return one(phrase);
  const all = parts.map(one);
  return (call) => {
    let result: Value | undefined;
    for (const meaning of all) result = meaning?.(call) ?? result;
    return result;
  };
}

function one(phrase: string): Meaning | undefined {
  const [, given] = /^given (.+)$/u.exec(phrase) ?? [];
  const inner = given === undefined ? undefined : one(given);
  // Of common names only those count that are given a text.
  if (inner) return (call) => (argument(call, 0)?.text ? inner(call) : undefined);
  const fact = noted[/^notes (\w+)$/u.exec(phrase)?.[1] ?? ""];
  if (fact)
    return ({ notes }) => {
      notes.facts.add(fact[0]);
      return fact[1];
    };
  const [, word, because = ""] = /^(\w+) ((?:its|it|what) .+)$/u.exec(phrase) ?? [];
  const risk = risks.find((each) => each === word);
  if (risk)
    return (call) => {
      tell(call.notes, danger(risk, because));
      return rest(call);
    };
  return (Object.hasOwn(vocabulary, phrase) ? vocabulary[phrase] : undefined) ?? ofFiles.get(phrase);
}
