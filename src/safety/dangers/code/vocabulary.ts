/** The words of the data about calls in code, and what they stand for. */

import { risks } from "../../../protocol/fact-words.ts";
import { joinWords, unknownWord } from "../../command-line/word.ts";
import { danger, doesMore } from "../effect-makers.ts";
import { noteFlows, type Notes, unclear, variableNamed } from "./notes.ts";
import { evaluates, fetches, imports, line, loadsCode, posts, starts } from "./running.ts";
import {
  all,
  copies,
  deletes,
  first,
  moves,
  notesRead,
  opens,
  permits,
  reads,
  receiver,
  second,
  writes,
} from "./touching.ts";
import {
  argument,
  type CodeCall,
  concatenation,
  isInput,
  literalValue,
  type Meaning,
  nothing,
  positional,
  textOf,
  textValue,
  type Value,
  valueNamed,
  wordsOf,
} from "./value.ts";

/** A member whose name is a text: `getattr(os, "system")`. */
const names: Meaning = (call) => {
  const values = positional(call);
  const name = values.map(textOf).find((text) => text !== undefined);
  const owner = [...values, call.receiver].find(({ path }) => path !== "");
  if (name === undefined) call.notes.effects.push(unclear);
  return name === undefined ? nothing : valueNamed(owner ? `${owner.path}.${name}` : name);
};

const environment: Meaning = (call) => {
  const word = variableNamed(textOf(argument(call, 0)) ?? "secret");
  noteFlows(call.notes, word.carries);
  return textValue(word);
};

const notes =
  (...facts: readonly Parameters<Notes["facts"]["add"]>[0][]): Meaning =>
  (call) => {
    for (const fact of facts) call.notes.facts.add(fact);
    return undefined;
  };

const ifGiven =
  (meaning: Meaning): Meaning =>
  (call) =>
    argument(call, 0).words ? meaning(call) : undefined;

/** What it is given. */
const same: Meaning = (call) => {
  const {
    receiver,
    given: [first],
  } = call;
  const value = [receiver, first?.value].find((each) => each?.words !== undefined) ?? first?.value ?? nothing;
  return { ...value, isInput: isInput(call) };
};

const vocabulary: Readonly<Record<string, Meaning>> = {
  line,
  starts,
  evaluates,
  "evaluates text": ifGiven(evaluates),
  loads: loadsCode,
  imports,
  fetches,
  posts,
  reads,
  "reads receiver": (call) => notesRead(call, call.receiver.words ?? []),
  opens,
  "opens receiver": (call) => opens({ ...call, given: [{ name: "", value: call.receiver }, ...call.given] }),
  permits,
  moves,
  copies,
  deletes: deletes(all),
  "deletes receiver": deletes(receiver),
  "deletes all": deletes(all, true),
  writes: writes(first),
  "writes second": writes(second),
  "writes receiver": writes(receiver),
  creates: writes(first, "creates"),
  "creates receiver": writes(receiver, "creates"),
  more: ({ notes: { effects } }) => void effects.push(doesMore),
  socket: notes("socket"),
  forks: notes("forks"),
  sends: notes("fetches", "posts"),
  secret: notes("secret"),
  decodes: notes("decodes"),
  // Without an encoding it only copies.
  "decodes buffer": (call) => {
    const isCoded = /^(?:base64|hex)/iu.test(textOf(argument(call, 1)) ?? "") || argument(call, 0).fields;
    return isCoded ? notes("decodes")(call) : same(call);
  },
  environment,
  names,
  hides: ({ notes: { effects } }) => void effects.push(unclear),
  home: () => literalValue("~"),
  here: () => literalValue("."),
  input: () => ({ path: "", isInput: true }),
  same,
  joins: ({ receiver: owner, given: list }) => {
    const values = [owner, ...list.map(({ value }) => value)].filter(({ words }) => words !== undefined);
    const between = values.find(({ words }) => words?.length === 1);
    const words = values.filter((value) => value !== between).flatMap(wordsOf);
    const isHidden = list.some(({ value }) => value.words === undefined || value.isInput === true);
    return isHidden ? undefined : textValue(joinWords(words, between?.words?.[0]?.text));
  },
  "joins path": joinsPath,
  globs: (call) => {
    const { words = [unknownWord()] } = joinsPath(call);
    return textValue(...words.map((word) => ({ ...word, isPattern: true })));
  },
};

/** The parts of a path, from the last that is absolute. */
function joinsPath({ receiver, given: parts }: CodeCall): Value {
  const all = [...(receiver.words ? [receiver] : []), ...parts.map(({ value }) => value)];
  const from = all.findLastIndex((value) => value.words?.[0]?.text.startsWith("/") === true);
  return concatenation(all.slice(Math.max(from, 0)), "/");
}

/** What a phrase of the data stands for; undefined if it is not understood. */
export function meaningOf(phrase: string): Meaning | undefined {
  const [, word, because = ""] = /^(\w+) (its .+)$/u.exec(phrase) ?? [];
  const risk = risks.find((each) => each === word);
  if (risk) return ({ notes: { effects } }) => void effects.push(danger(risk, because));
  return Object.hasOwn(vocabulary, phrase) ? vocabulary[phrase] : undefined;
}
