/** What the words of a command that only asks a forge lead to besides: another host, variables, work of others. */

import { isUnknown, type Word } from "../../command-line/word.ts";
import { danger } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import type { Use } from "../program.ts";
import { secrets } from "./operations.ts";

/** `gh pr view https://…`, `-R host/owner/name`: the request, with all its words, goes to the host that they name. */
export function* besidesAsking(use: Use): Iterable<Effect> {
  for (const from of use.words.filter(mayNameHost)) yield { type: "fetches", from };
  const [, verb] = use.operands;
  if (verb && /^(?:checkout|co)$/u.test(verb.text))
    yield danger("medium", "it puts the work of others into the working tree");
  if (formats(use.words)) yield* secrets;
}

const mayNameHost = (word: Word): boolean =>
  isUnknown(word) ||
  isElsewhere.test(word.text) ||
  /^(?:--repo=|-R=?)?[^/\s]+\.[^/\s]+\/[^/\s]+\/[^/\s]+$/u.test(word.text);

const isElsewhere = /^(?:--\w[\w-]*=|-\w=?)?[a-z][\w+.-]*:\/\/(?!(?:www\.)?(?:github|gitlab)\.com\/)/iu;

/** Programs in jq and templates can show every variable, and so every key. */
const formats = (words: readonly Word[]): boolean =>
  words.some(({ text }) => /^(?:-[a-zA-Z]*[qt]|--(?:jq|template|output|format)\b)/u.test(text)) &&
  words.some((word) => isUnknown(word) || /\benv\b|\$ENV\b|\binput_filename\b/u.test(word.text));
