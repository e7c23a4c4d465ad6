/** Functions of the data: clients of clouds, forges, and of machines that are set up. */

import { isUnknown, type Word, withText } from "../../command-line/word.ts";
import type { WordsDo } from "../data/does.ts";
import { danger, interprets, loads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import type { Use } from "../program.ts";
import { asks, changes, operation, secrets } from "./operations.ts";

/** `gh pr view https://…`, `-R host/owner/name`: the request, with all its words, goes to the host that they name. */
const mayNameHost = (word: Word): boolean =>
  isUnknown(word) ||
  /^(?:--?\w[\w-]*=?)?(?:[a-z][\w+.-]*:\/\/(?!(?:www\.)?(?:github|gitlab)\.com\/)|[^/\s]+\.[^/\s]+(?:\/[^/\s]+){2}$)/iu.test(
    word.text,
  );

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
  operation,
  "own commands": (words) => [
    danger("critical", "it changes its own commands"),
    ...words.map((word) => interprets("shell", withText(word, word.text.replace(/^!/u, "")))),
  ],
  infrastructure: (_, { has }) => [
    asks,
    danger(has("destroy") ? "critical" : "high", "it changes or destroys running infrastructure"),
  ],
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
