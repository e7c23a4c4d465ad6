/** Functions of the data: clients of clouds, forges, and of machines that are set up. */

import { isUnknown, literal, type Word, withText } from "../../command-line/word.ts";
import type { WordsDo } from "../data/does.ts";
import { danger, interprets, loads, reads, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import type { Use } from "../program.ts";
import { fetched } from "./fetched.ts";
import { asks, changes, operation, secrets } from "./operations.ts";

const isElsewhere = ({ text }: Word): boolean => /^(?:[\w.+ -]+:|:\w|[\w-]+@[^/]+:)/u.test(text);

/** Copies between here and a store: the last operand is the target. */
function* transfer(operands: readonly Word[], { has }: Use, moves = false): Iterable<Effect> {
  const target = operands.at(-1);
  if (!target || operands.length < 2) return;
  const sources = operands.slice(0, -1);
  const files = sources.filter((word) => !isElsewhere(word));
  for (const from of sources.filter(isElsewhere)) yield { type: "fetches", from };
  yield* reads(files);
  if (moves) for (const path of files) yield { type: "deletes", path, deep: true };
  if (has("delete", "delete-removed", "remove", "delete-unmatched-destination-objects"))
    yield danger("high", "it removes from the target what the source does not have");
  if (target.text === "-") yield { type: "prints", flows: ["network"] };
  else if (!isElsewhere(target)) yield { type: "writes", path: target, how: "replaces", content: fetched };
  else if (files.length > 0) yield { type: "sends", to: target, files };
  else yield danger("high", "it changes what is stored elsewhere");
}

/** `gh pr view https://…`, `-R host/owner/name`: the request, with all its words, goes to the host that they name. */
const mayNameHost = (word: Word): boolean =>
  isUnknown(word) ||
  /^(?:--\w[\w-]*=|-\w=?)?[a-z][\w+.-]*:\/\/(?!(?:www\.)?(?:github|gitlab)\.com\/)/iu.test(word.text) ||
  /^(?:--repo=|-R=?)?[^/\s]+\.[^/\s]+\/[^/\s]+\/[^/\s]+$/u.test(word.text);

/** Programs in jq and templates can show every variable, and so every key. */
const showsVariables = (words: readonly Word[]): boolean =>
  words.some(({ text }) => /^(?:-[a-zA-Z]*[qt]|--(?:jq|template|output|format)\b)/u.test(text)) &&
  words.some((word) => isUnknown(word) || /\benv\b|\$ENV\b|\binput_filename\b/u.test(word.text));

function* forge(operands: readonly Word[], use: Use): Iterable<Effect> {
  for (const from of use.words.filter(mayNameHost)) yield { type: "fetches", from };
  if (showsVariables(use.words)) yield* secrets;
  yield* operands[0]?.text === "api" ? request(operands.slice(1), use) : operation(operands, use);
}

/** A request with a method and an address: `gh api -X DELETE repos/a/b`. */
function request(operands: readonly Word[], use: Use): Iterable<Effect> {
  const fields = use.values("f", "F", "field", "raw-field", "body", "input");
  const isQuery = operands[0]?.text === "graphql" && fields.every(({ text }) => !/mutation|@/u.test(text));
  const method = use.value("X", "method", "m")?.text ?? (fields.length > 0 && !isQuery ? "POST" : "GET");
  if (/^(?:get|head)$/iu.test(method)) return [asks];
  return changes(operands, { ...use, words: use.words.filter((word) => word !== operands[0]) });
}

export const elsewhere: Readonly<Record<string, WordsDo>> = {
  forge,
  request,
  operation,
  "transfers there": transfer,
  "transfers and deletes": (words, use) => transfer(words, use, true),
  "fetches repository": ([from, path]) =>
    from ? [runs([literal("git"), literal("clone"), address(from), ...(path ? [path] : [])])] : [],
  "own commands": (words) => [
    danger("critical", "it changes its own commands"),
    ...words.map((word) => interprets("shell", withText(word, word.text.replace(/^!/u, "")))),
  ],
  "fetched files": (_, { value }) => [
    {
      type: "writes",
      path: value("D", "dir", "O", "output") ?? literal("."),
      how: "replaces",
      content: fetched,
    },
  ],
  infrastructure: (_, { has }) => [
    asks,
    has("destroy")
      ? danger("critical", "it destroys running infrastructure")
      : danger("high", "it changes running infrastructure"),
  ],
  "backs up": (words, { value }) => {
    const to = value("r", "repo") ?? words[0];
    const files = words.filter((word) => word !== to);
    const place = to && withText(to, to.text.replace(/::.*$/su, ""));
    const isHere = place && !isElsewhere(place);
    return [
      ...reads(files),
      isHere ? { type: "writes", path: place, how: "edits" } : { type: "sends", to, files },
    ];
  },
  "managed machines": (words, { has, value, name }) => {
    const [hosts] = words;
    if (!hosts || has("list-hosts", "syntax-check", "list-tasks", "list-tags")) return [];
    const isLooking =
      has("C", "check") || /(?:^|\.)(?:ping|setup)$/u.test(value("m", "module-name")?.text ?? "");
    const changed = isLooking ? [] : [danger("high", "it changes machines that it reaches")];
    const books = name === "ansible" ? [] : words.map((path) => loads(path));
    return [...books, { type: "fetches", from: hosts }, ...changed];
  },
};

const address = (from: Word): Word =>
  /^[\w.-]+\/[\w.-]+$/u.test(from.text) ? withText(from, `https://github.com/${from.text}`) : from;
