/** Clients of clouds, forges and machines: their verbs look, show what is secret, remove, or change. */

import { isUnknown, type Word, withText } from "../../command-line/word.ts";
import { danger, interprets, loads, doesMore } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { filesNamed } from "../file-effect-makers.ts";
import { isThisMachine } from "../parts.ts";
import type { Use, WordsDo } from "../program.ts";

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

const asks: Effect = { type: "fetches", from: undefined };

const secrets: readonly Effect[] = [
  asks,
  { type: "prints", flows: ["secret"] },
  danger("high", "it prints passwords or keys"),
];

const looking =
  /^(?:describe|list|ls|get|head|show|search|lookup|query|scan|view|status|info|inspect|logs?|tail|trace|diff|validate|lint|checks?|version|whoami|estimate|preview|simulate|wait|watch|filter|plan|print|read|explain|verify|history|stats|metrics|top|exists|what|batch-get|output|tree|decrypt|export|reveal|access|browse|compare|apps|regions|ps)(?=$|[-:])/u;
const removing =
  /^(?:batch-)?(?:delete|destroy|remove|rm|rb|terminate|purge|drop|wipe|reset|nuke|schedule-key-deletion)(?=$|[-:])/u;
const changing =
  /^(?:create|put|update|modify|set|add|new|make|deploy|run|start|stop|restart|reboot|scale|enable|disable|attach|import|restore|move|copy|cp|mv|rename|apply|push|upload|publish|submit|invoke|exec|send|promote|rollback|register|grant|revoke|cancel|tag|install|release|merge|close|open|edit|comment|note|review|login|logout|ssh|auth|config|generate|assume|sync|transfer|clone|clear|up|down|use)(?=$|[-:])/u;

/** Things that are lost with all that is in them. */
const whole =
  /(?:stack|cluster|db|pg|database|instance|table|project|group|bucket|volume|file-?system|vault|snapshot|droplet|server|linode|app|account|organization|namespace|domain|repo|key-deletion|site|postgres|redis|environment|workspace|vm|sql|container|storage|disk)/u;
/** `sls remove`, `cdk destroy`: it is about all that the project runs there. */
const ownsAll = /^(?:sls|serverless|sam|sst|amplify|hub) |^\S+ (?:destroy|terminate)$/u;

/** What looks like a verb, and is the name of a thing if something follows: `gh run list`. */
const nouns = /^(?:run|release|apps|auth|config)$/u;

const hidden =
  /secret|password|token|credential|private-?key|access-?key|keys|connection-string|kubeconfig|decrypt|session|\brole$/u;
const revealing =
  /^(?:get|show|access|print|reveal|export|read|decrypt|view|generate|list-keys|assume|create)/u;

/** The first word that says what is done decides; nouns stand in front of it. */
function* operation(operands: readonly Word[], use: Use): Iterable<Effect> {
  const said = operands.slice(0, 5).map(({ text }) => text.replace(/^[a-z]+:(?=[a-z])/u, ""));
  if (said.length === 0 || said.includes("help")) return;
  const here = use.value("endpoint-url");
  if (here && isThisMachine(here)) {
    yield* [{ type: "fetches", from: here }, doesMore];
    return;
  }
  const isNoun = said.length > 1 && nouns.test(said[0] ?? "");
  const at = said.findIndex((text, place) => !(isNoun && place === 0) && isVerb(text));
  const verb = said[at] ?? "";
  const about = [use.name, ...operands.slice(0, at + 1).map(({ text }) => text)].join(" ");
  const isHidden = hidden.test(`${about} ${said[at + 1] ?? ""}`) && !/last-used|policy|usage/u.test(about);
  if ((revealing.test(verb) && isHidden) || use.has("with-decryption")) yield* secrets;
  else if (about.endsWith(" keys list")) yield* secrets;
  else if (looking.test(verb)) yield asks;
  else if (removing.test(verb) && isWhole(about, use))
    yield* [asks, danger("critical", "it destroys something elsewhere, with all that is in it")];
  else yield* changes(operands, use);
}

const isVerb = (text: string): boolean => looking.test(text) || removing.test(text) || changing.test(text);

const isWhole = (about: string, { has }: Use): boolean =>
  ownsAll.test(about) || whole.test(about.replace(/^\S+/u, "")) || has("recursive", "force");

/** What is changed elsewhere is changed for others, too, and no overlay can hold it. */
function* changes([noun, verb]: readonly Word[], { words, input }: Use): Iterable<Effect> {
  const files = filesNamed(words);
  if (files.length > 0 || input.isGiven)
    yield { type: "sends", to: undefined, words, files, input: input.isGiven };
  const isProposal = /^(?:pr|mr|issue|label|extension|ext)$/u.test(noun?.text ?? "");
  const isGrave = !isProposal || /^(?:merge|delete|transfer)$|\0/u.test(verb?.text ?? "");
  yield* [asks, danger(isGrave ? "high" : "medium", "it changes something elsewhere")];
}
