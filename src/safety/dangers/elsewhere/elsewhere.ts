/** Functions of `clouds.yaml`: clients of clouds, forges, stores of passwords and of machines that are set up. */

import { flowsOf, isUnknown, literal, type Word, withText } from "../../command-line/word.ts";
import type { WordsDo } from "../data/does.ts";
import { danger, interprets, loads, reads, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { isThisMachine } from "../parts.ts";
import type { Use } from "../program.ts";
import { fetched } from "./fetched.ts";
import { besidesAsking } from "./forge-queries.ts";
import { operation, secrets } from "./operations.ts";

const asks: Effect = { type: "fetches", from: undefined };
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

function* amazon(operands: readonly Word[], use: Use): Iterable<Effect> {
  const files = use.words.flatMap((word) => {
    const [, path] = /(?:^|=)fileb?:\/\/([^,]+)/u.exec(word.text) ?? [];
    return path === undefined ? [] : [withText(word, path)];
  });
  yield* reads(files);
  if (use.has("dry-run", "dryrun", "generate-cli-skeleton")) return;
  const endpoint = use.value("endpoint-url");
  const isHere = use.name === "awslocal" || (endpoint !== undefined && isThisMachine(endpoint));
  for (const effect of amazonOperation(operands, use))
    if (!isHere || (effect.type !== "danger" && effect.type !== "sends")) yield effect;
}

function amazonOperation(operands: readonly Word[], use: Use): Iterable<Effect> {
  const [service, verb, ...rest] = operands;
  const said = `${service?.text} ${verb?.text}`;
  if (/^s3 (?:cp|mv|sync)$/u.test(said)) return transfer(rest, use, verb?.text === "mv");
  if (/^s3 r[mb]$/u.test(said)) {
    const isWhole = rest.some(({ text }) => /^s3:\/\/[^/]*\/?$/u.test(text));
    const severe = verb?.text === "rb" ? use.has("force") : use.has("recursive") && isWhole;
    return [danger(severe ? "critical" : "high", "it removes what a bucket holds")];
  }
  if (said === "s3 presign" || said === "s3 mb" || said === "s3 website")
    return [danger("high", "it makes a bucket or shows it to others")];
  if (said === "s3api get-object")
    return [
      asks,
      ...rest
        .slice(0, 1)
        .map((path): Effect => ({ type: "writes", path, how: "replaces", content: fetched })),
    ];
  if (said.startsWith("ssm get-parameter")) return use.has("with-decryption") ? secrets : [asks];
  if (/^(?:sts (?:get-caller|decode)|configure list)/u.test(said)) return [asks];
  if (
    /^(?:kms decrypt|ecr get-login|sts assume-role|configure export-credentials|iam create-access-key)/u.test(
      said,
    )
  )
    return secrets;
  if (/^configure get$/u.test(said)) return /key|token|secret/u.test(rest[0]?.text ?? "") ? secrets : [asks];
  return operation(operands);
}

const forgeLooking =
  /^(?:list|ls|l|view|show|status|diff|checks|watch|search|get|logs?|trace|verify|check|whoami|browse|open|checkout|co|current|compare|lint|stats|history|templates?|events|ports|set-default|for|notes|members)$/u;
const forgeRemoving =
  /^(?:delete|del|remove|rm|erase|purge|prune|revoke|transfer|archive|rename|unlink|cancel)$/u;
const nouns =
  /^(?:alias|api|attestation|auth|browse|cache|ci|clone|co|codespace|completion|config|copilot|deploy-key|extension|ext|gist|gpg-key|help|issue|issues|job|label|labels|milestones?|mr|notifications|org|packages?|pipe|pipeline|pr|preview|project|pulls|push|release|releases|repo|repos|ruleset|run|schedule|search|secret|secrets|securefile|snippet|ssh-key|status|tag|times|token|user|variable|version|whoami|workflow|login|logout|open|comment|branches|fork|delete|create|pull-request|sync|fetch|pull|merge|checkout|cherry-pick|am|apply|compare)$/u;
const outward =
  /^(?:releases?|packages?|deploy.*|workflow|ci|pipe|pipeline|schedule|job|secrets?|variable|securefile|ssh-key|gpg-key|deploy-key|snippet|gist)$/u;

/** What a command about a forge takes along: named files, and secrets in its words. */
function* sendsAlong({ words, values }: Use): Iterable<Effect> {
  const files = values("body-file", "notes-file", "F", "input", "description-file").filter(
    ({ text }) => text !== "-" && !text.includes("="),
  );
  const flows = flowsOf(words);
  if (files.length > 0 || flows.has("secret") || flows.has("private"))
    yield { type: "sends", to: undefined, words, files };
}

function* forge(operands: readonly Word[], use: Use): Iterable<Effect> {
  const [noun, verb, ...rest] = operands;
  if (!noun) return;
  if (use.name === "hub" && /^(?:push|fetch|pull|merge|checkout|cherry-pick|am|apply)$/u.test(noun.text)) {
    yield runs([literal("git"), ...use.words]);
    return;
  }
  if (!nouns.test(noun.text)) {
    yield danger("high", `it has no command ${noun.text} of its own: it runs an extension`);
    return;
  }
  yield* forgeVerb(use, { noun, verb, rest });
}

type Said = { noun: Word; verb: Word | undefined; rest: readonly Word[] };

function* forgeVerb(use: Use, { noun, verb, rest }: Said): Iterable<Effect> {
  const said = `${noun.text} ${verb?.text ?? ""}`.trim();
  yield asks;
  if (noun.text === "api") yield* request([verb ?? literal(""), ...rest], use);
  else if (/^auth (?:token|git-credential)|^token (?:create|rotate)/u.test(said) || use.has("show-token"))
    yield* secrets;
  else if (said === "auth status") return;
  else if (/^(?:auth|login|logout)\b/u.test(said)) yield danger("high", "it changes who is signed in");
  else if (/^(?:repos?|project) (?:delete|rm)|^delete\b/u.test(said))
    yield danger("critical", "it deletes a repository with all that is in it");
  else if (/^(?:alias set|config set)$/u.test(said)) yield* interpretsLast(use);
  else if (/^alias import$/u.test(said)) yield danger("critical", "it takes new commands from a file");
  else if (said.replace(/ \S+\/.*$/u, "").endsWith("clone"))
    yield* clones(verb?.text === "clone" ? rest : [...(verb ? [verb] : []), ...rest]);
  else if (/^(?:release|run|attestation) download$|artifact$/u.test(said))
    yield {
      type: "writes",
      path: use.value("D", "dir", "O", "output") ?? literal("."),
      how: "replaces",
      content: fetched,
    };
  else if (/^ext(?:ension)? (?:install|upgrade)$/u.test(said))
    yield danger("medium", "it installs an extension, which runs code of its own");
  else if (
    !verb ||
    forgeLooking.test(verb.text) ||
    /^(?:search|browse|status|whoami|version|notifications|help|co|completion)$/u.test(noun.text)
  )
    yield* besidesAsking(use);
  else yield* published(use, { noun, verb, rest });
}

const interpretsLast = ({ words: all, has }: Use): Effect[] => {
  const words = all.filter(({ text }) => !text.startsWith("-")).slice(2);
  const [, code] = words;
  if (!code) return [];
  const isShell = code.text.startsWith("!") || has("s", "shell");
  return isShell || words.length === 2
    ? [
        danger(isShell ? "critical" : "medium", "it changes its own commands or settings"),
        ...(isShell || /pager|editor|browser/u.test(words[0]?.text ?? "")
          ? [interprets("shell", withText(code, code.text.replace(/^!/u, "")))]
          : []),
      ]
    : [];
};

function* clones([from, path, ...more]: readonly Word[]): Iterable<Effect> {
  if (!from) return;
  const address = /^[\w.-]+\/[\w.-]+$/u.test(from.text)
    ? withText(from, `https://github.com/${from.text}`)
    : from;
  yield runs([literal("git"), literal("clone"), address, ...(path ? [path] : []), ...more]);
}

function* published(use: Use, { noun, verb, rest }: Said): Iterable<Effect> {
  yield* sendsAlong(use);
  if (use.input.isGiven) yield { type: "sends", to: undefined, input: true };
  if (/^(?:release|gist|snippet|securefile)/u.test(noun.text)) {
    const isTagged = noun.text.startsWith("release") && /^(?:create|upload|edit)$/u.test(verb?.text ?? "");
    const files = rest.slice(isTagged ? 1 : 0).filter(({ text }) => /[./]/u.test(text));
    if (files.length > 0) yield { type: "sends", to: undefined, files };
  }
  const isOpen = use.has("public") || /public/u.test(use.value("visibility")?.text ?? "");
  if (verb && isUnknown(verb)) {
    yield danger("high", "what it does there is only known when it runs");
    return;
  }
  const isHigh =
    forgeRemoving.test(verb?.text ?? "") ||
    outward.test(noun.text) ||
    /^(?:merge|accept)$/u.test(verb?.text ?? "") ||
    isOpen ||
    (verb?.text === "sync" && use.has("force"));
  const isOwn =
    /^(?:cache|alias|ext(?:ension)?|label)$/u.test(noun.text) ||
    (noun.text === "run" && verb?.text !== "delete");
  yield danger(isHigh && !isOwn ? "high" : "medium", "it changes something that others see");
}

/** A request with a method and an address: `gh api -X DELETE repos/a/b`. */
function* request([address]: readonly Word[], use: Use): Iterable<Effect> {
  const fields = use.values("f", "F", "field", "raw-field", "body", "input");
  const method = use.value("X", "method", "m")?.text ?? (fields.length > 0 ? "POST" : "GET");
  const files = fields.flatMap((word) => {
    const [, path] = /(?:^|=)@(.+)$/su.exec(word.text) ?? [];
    return path === undefined || path === "-" ? [] : [withText(word, path)];
  });
  if (address?.text === "graphql") {
    if (fields.every(({ text }) => !/mutation|@/u.test(text))) return;
    yield danger(
      fields.some(({ text }) => /delete|remove|transfer|archive/iu.test(text)) ? "high" : "medium",
      "it changes something that others see",
    );
    return;
  }
  if (/^(?:get|head)$/iu.test(method)) return;
  yield { type: "sends", to: address, words: fields, files };
  const isHigh =
    !/^(?:post|put|patch)$/iu.test(method) ||
    /keys|hooks|collaborators|secrets|transfer|invitations|permissions/u.test(address?.text ?? "");
  yield danger(isHigh ? "high" : "medium", "it changes something that others see");
}

function* passwords(operands: readonly Word[], use: Use): Iterable<Effect> {
  const [verb, second] = operands;
  if (!verb) return;
  const end = use.words.findIndex(({ text }) => text === "--");
  if (/^(?:run|exec)$/u.test(verb.text)) {
    yield danger("high", "it gives stored passwords to a command");
    const command = end < 0 ? operands.slice(use.name === "aws-vault" ? 2 : 1) : use.words.slice(end + 1);
    if (command.length > 0) yield runs(command);
    for (const line of use.values("command")) yield interprets("shell", line);
  } else if (
    /^(?:ls|list|find|search|help|version|status|whoami|me|sync|list-keychains)$/u.test(verb.text) ||
    second?.text === "list"
  )
    yield asks;
  else if (
    /^(?:rm|remove|delete.*|insert|add|edit|generate|mv|cp|rename|init|login|logout|signin|signout|unlock|lock|put|write|set|clear|enable|disable|server|agent|store|create)$/u.test(
      verb.text,
    ) ||
    /^(?:delete|put|destroy|create|enable|disable)$/u.test(second?.text ?? "")
  )
    yield danger("high", "it changes stored passwords or opens their store");
  else yield* secrets;
}

const salted =
  /^(?:test|grains|sys|pillar|status|pkg\.(?:list|version)|service\.(?:status|get)|disk|network)/u;

function* managed(operands: readonly Word[], use: Use): Iterable<Effect> {
  const [hosts] = operands;
  if (!hosts || use.has("list-hosts", "syntax-check", "list-tasks", "list-tags")) return;
  if (use.name === "ansible-playbook") yield* operands.map((path) => loads(path));
  yield { type: "fetches", from: use.name === "ansible" ? hosts : undefined };
  const module = use.value("m", "module-name")?.text ?? "command";
  if (
    use.has("C", "check") ||
    (use.name === "ansible" && /(?:^|\.)(?:ping|setup|gather_facts|debug|stat|slurp)$/u.test(module))
  )
    return;
  yield danger("high", "it changes machines that it reaches");
  const code = use.value("a", "args");
  if (use.name === "ansible" && code && /(?:^|\.)(?:shell|command|raw|script)$/u.test(module))
    yield { type: "interprets", language: "shell", code, remote: !isThisMachine(hosts) };
}

export const elsewhere: Readonly<Record<string, WordsDo>> = {
  amazon,
  forge,
  passwords,
  request,
  operation: (words, { name }) => operation(words, name),
  "transfers there": transfer,
  "transfers and deletes": (words, use) => transfer(words, use, true),
  "sends named": (_, { values }) => {
    const files = values("source", "f", "file", "source-path", "s");
    return [...reads(files), { type: "sends", to: undefined, files }];
  },
  "changes of infrastructure": (_, { has }) => [
    has("destroy")
      ? danger("critical", "it destroys running infrastructure")
      : danger("high", "it changes running infrastructure"),
  ],
  "backs up": (words, { value, name }) => {
    const given = value("r", "repo");
    const isFirst = given === undefined && name.startsWith("borg");
    const named = isFirst ? words[0] : given;
    const files = isFirst ? words.slice(1) : words;
    const to = named && withText(named, named.text.replace(/::.*$/su, ""));
    return [
      ...reads(files),
      to && !isElsewhere(to) ? { type: "writes", path: to, how: "edits" } : { type: "sends", to, files },
    ];
  },
  "loads settings": (words) => words.filter(({ text }) => !text.includes("=")).map((path) => loads(path)),
  kustomized: (words) =>
    words.map((path) => (/^https?:/u.test(path.text) ? { type: "fetches", from: path } : loads(path))),
  inventories: (words) => [
    ...words.filter(({ text }) => !/,|\.(?:ini|ya?ml|json|toml|cfg)$/u.test(text)).map((path) => loads(path)),
    ...reads(words.filter(({ text }) => !text.includes(","))),
  ],
  "managed machines": managed,
  *"managed by salt"(operands, { name }) {
    const [does, code] = /^salt(?:-ssh)?$/u.test(name) ? operands.slice(1) : operands;
    yield asks;
    if (does && salted.test(does.text)) return;
    yield danger("high", "it changes machines that it reaches");
    if (code && does?.text.startsWith("cmd."))
      yield { type: "interprets", language: "shell", code, remote: name !== "salt-call" };
  },
  "secrets of ansible": ([verb, ...files]) =>
    /^(?:view|decrypt)$/u.test(verb?.text ?? "")
      ? [{ type: "prints", flows: ["secret"] }, danger("high", "it decrypts secrets")]
      : files.map((path) => ({ type: "writes", path, how: "edits" })),
  decrypting: ([verb, , ...rest], { has, operands, name }) => [
    ...(verb?.text === "decrypt"
      ? [danger("high", "it decrypts secrets"), { type: "prints", flows: ["secret"] } as const]
      : []),
    ...(verb?.text.startsWith("exec")
      ? [
          danger("high", "it gives stored passwords to a command"),
          ...rest.map((code) => interprets("shell", code)),
        ]
      : []),
    ...(name === "sops" && has("i", "in-place")
      ? operands.map((path): Effect => ({ type: "writes", path, how: "edits" }))
      : []),
  ],
};
