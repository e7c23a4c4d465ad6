/** Command-line tools for forges: GitHub, GitLab, Gitea, Bitbucket. */

import { flowsOf, isUnknown, literal, unknownWord, type Word } from "../../command-line/word.ts";
import { danger, interprets, loads, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { filesIn } from "../file-effect-makers.ts";
import { addressOf, cloneName } from "../git/address.ts";
import { isHarmlessProgram } from "../git/harmless-programs.ts";
import { namesIn } from "../listed.ts";
import { installsExtension } from "../packages/installing.ts";
import { cutAt } from "../parts.ts";
import { program, type Program, type Use } from "../program.ts";
import { always, asks, tellByVerb, type Telling, type VerbTable, verbTable } from "../verbs.ts";
import { asksForge } from "./forge-queries.ts";
import { secrets } from "./operations.ts";

/** Changes visible to others, which send data in the words and any files given along with them. */
const changes =
  (because: string, severity: "medium" | "high" | "critical" = "medium"): Telling =>
  (use) => [...asks, ...sendsAlong(use), danger(severity, because)];

const bodies = ["body-file", "notes-file", "F", "input", "description-file"];

function* sendsAlong(use: Use): Iterable<Effect> {
  const files = use.values(...bodies).filter(({ text }) => text !== "-");
  const flows = flowsOf(use.words);
  if (files.length > 0 || flows.has("secret") || flows.has("private"))
    yield { type: "sends", to: undefined, words: use.words, files };
}

const publishes = "it publishes what is here";
const looking =
  /^(?:list|ls|l|view|show|status|diff|checks|watch|search|get|logs?|trace|verify|check|whoami|browse|open|checkout|co|get-url|current|compare|lint|stats|history|templates?|events|trusted-root|ports|set-default|for|notes|members)$/u;
const removing = /^(?:delete|del|remove|rm|erase|purge|prune|revoke|transfer|archive|rename|unlink)$/u;
const publishing = /^(?:releases?|deploy|deployments?|packages?|container)$/u;

/** Judges by the second word, whatever noun comes first. A verb not known to be read-only counts as a change. */
const byAnyVerb =
  (nouns: ReadonlySet<string>): Telling =>
  (use) => {
    const [noun, verb] = use.operands;
    if (!noun || !nouns.has(noun.text))
      return always(`it has no command ${noun?.text ?? ""} of its own: it runs an extension`);
    if (!verb || looking.test(verb.text) || verb.text.startsWith("-")) return asksForge(use);
    if (isUnknown(verb)) return always("what it does there is only known when it runs");
    if (removing.test(verb.text)) return always("it removes or moves something that others use");
    const severity = publishing.test(noun.text) ? "high" : "medium";
    return [...asks, ...sendsAlong(use), danger(severity, "it changes something that others see")];
  };

const text = {
  short: "FbtBHalmprT",
  long: ["body-file", "body", "title", "base", "head", "description-file", "description"],
};

const shared: Parameters<typeof verbTable>[0] = [
  ["auth token, auth git-credential", secrets],
  ["auth status", ({ has }) => (has("t", "show-token") ? secrets : asks)],
  [
    "auth login, auth logout, auth refresh, auth switch, auth docker, auth dpop-gen, login add, logout",
    always("it signs in or out"),
  ],
  ["auth setup-git", always("it makes git ask it for passwords from now on", "medium")],
  [
    "repo delete, project delete, repos delete",
    always("it deletes a repository with all that is in it", "critical"),
  ],
  ["repo create, repo new, project create, repos create", createsRepository],
  [
    "repo edit",
    ({ has }) =>
      has("visibility")
        ? always("it changes who sees a repository")
        : always("it changes a repository", "medium"),
    { long: ["visibility"] },
  ],
  ["repo sync", ({ has }) => (has("force") ? always("it overwrites a branch on the host") : changed)],
  ["repo clone, clone, project clone", clones, { short: "u", long: ["upstream-remote-name", "group"] }],
  [
    "pr create, pr new, mr create, mr new, mr for, issue create, issue new, pulls create, issues create",
    changes("it publishes a text and asks others to look"),
    text,
  ],
  [
    `pr comment, issue comment, mr note, issue note, pr review, pr edit, issue edit, mr update,
      issue update, comment`,
    changes("it writes something that others see"),
    { ...text, short: "Fb" },
  ],
  [
    "pr merge, mr merge, mr accept, pulls merge, pr m",
    changes("it merges work into a branch of others", "high"),
    { short: "FbtA", long: ["body-file", "body", "subject"] },
  ],
  [
    "release create, release new, release upload, release edit, releases create, releases edit",
    releases,
    {
      short: "FntarmND",
      long: [
        "notes-file",
        "notes",
        "title",
        "target",
        "notes-start-tag",
        "discussion-category",
        "assets-links",
        "ref",
      ],
    },
  ],
  [
    "release download, run download, ci artifact, job artifact, attestation download, securefile download",
    downloads,
    { short: "DOpnAR", long: ["dir", "output", "pattern", "name", "archive", "path"] },
  ],
  [
    "gist create, gist new, gist edit, snippet create, snippet new",
    sharesFiles,
    { short: "dfat", long: ["desc", "filename", "add", "title", "description", "visibility"] },
  ],
  ["gist clone", clones],
  [
    `workflow run, ci run, ci trigger, ci create, ci run-trig, pipeline run, pipe run, schedule run,
      job play`,
    changes("it starts jobs on the host, which may deploy", "high"),
  ],
  [
    "secret set, variable set, variable update, variable create, secrets create, securefile create",
    storesSecret,
    { short: "bfeorv", long: ["body", "env-file", "env", "org", "repos", "value"] },
  ],
  [
    "ssh-key add, gpg-key add, deploy-key add, repo deploy-key add, ssh-key create",
    always("it lets another key into your account or repository"),
  ],
  ["token create, token rotate", secrets],
  [
    "extension install, ext install, extensions install, extension upgrade, ext upgrade",
    ({ operands }) => [installsExtension(operands.at(-1) ?? literal(""))],
  ],
  ["extension exec, ext exec", always("it runs an extension")],
  [
    "extension remove, ext remove, cache delete, alias delete",
    always("it removes what can be set up again", "medium"),
  ],
  ["alias set", setsAlias, { known: ["shell", "clobber"] }],
  [
    "alias import",
    ({ operands }) => [
      ...always("it takes new commands from a file", "critical"),
      ...operands.map((path) => loads(path)),
    ],
  ],
  ["config set", setsConfig, { short: "h", long: ["host"] }],
  ["search, browse, co, whoami, notifications, open", asksForge],
  [
    `config get, config list, alias list, completion, version, status, help, extension list, ext list,
      extension create`,
    [],
  ],
  [
    "codespace ssh, codespace cp, cs ssh, cs cp, codespace code, cs code, codespace jupyter, cs jupyter",
    always("it opens a session on another machine"),
  ],
  [
    "api",
    api,
    {
      short: "XfFHqtp",
      long: [
        "method",
        "field",
        "raw-field",
        "header",
        "input",
        "jq",
        "template",
        "preview",
        "hostname",
        "cache",
      ],
    },
  ],
];

const changed: readonly Effect[] = [...asks, danger("medium", "it changes something that others see")];

function* createsRepository({ has }: Use): Iterable<Effect> {
  yield* asks;
  const isSeen = has("public", "push", "p");
  yield danger(isSeen ? "high" : "medium", isSeen ? publishes : "it makes a repository on the host");
}

/** `gh repo clone owner/name [directory] [-- options of git]`. */
function* clones({ operands, name }: Use): Iterable<Effect> {
  const [repository, ...more] = operands;
  if (!repository) return;
  const isShort = ["name", "path"].includes(addressOf(repository).type);
  if (!isShort || more.length > 0) {
    yield runs([literal("git"), literal("clone"), isShort ? hosted(repository, name) : repository, ...more]);
    return;
  }
  yield { type: "fetches", from: undefined };
  yield {
    type: "writes",
    path: cloneName(repository),
    how: "creates",
    content: unknownWord(new Set(["network"])),
  };
}

const hosted = (repository: Word, name: string): Word => ({
  ...repository,
  text: `https://${name === "glab" ? "gitlab.com" : "github.com"}/${repository.text}`,
});

function* releases(use: Use): Iterable<Effect> {
  yield* asks;
  const files = filesIn([...use.operands.slice(1), ...use.values("F", "notes-file")]);
  if (files.length > 0) yield { type: "sends", to: undefined, files };
  yield danger("high", publishes);
}

function* downloads({ values }: Use): Iterable<Effect> {
  yield* asks;
  for (const path of values("D", "dir", "O", "output", "path").filter(({ text }) => text !== "-"))
    yield { type: "writes", path, how: "replaces", content: unknownWord(new Set(["network"])) };
}

function* sharesFiles({ operands, values }: Use): Iterable<Effect> {
  const files = filesIn([...operands, ...values("a", "add")]);
  yield { type: "sends", to: undefined, files, input: files.length === 0 };
  yield danger("high", "it puts files where others can read them");
}

function* storesSecret({ operands, values, words, input }: Use): Iterable<Effect> {
  yield { type: "sends", to: undefined, words, files: values("f", "env-file"), input: input.isGiven };
  yield danger(
    "high",
    `it hands the secret or variable ${operands[0]?.text ?? ""} to jobs on the host`.replaceAll("\0", "…"),
  );
}

/** An alias is either arguments for the program itself, or a shell command. */
function* setsAlias({ operands, has }: Use): Iterable<Effect> {
  const [, code] = operands;
  if (!code) return;
  if (!has("s", "shell") && !code.text.startsWith("!") && !isUnknown(code)) {
    yield danger("medium", "it adds a command of its own");
    return;
  }
  yield danger("critical", "it sets a command that runs from now on");
  yield interprets("shell", { ...code, text: code.text.replace(/^!/u, "") });
}

function* setsConfig({ operands: [key, value] }: Use): Iterable<Effect> {
  if (!key || !value) return;
  if (
    /^(?:git_protocol|prompt|prefer_editor_prompt|spinner|color_labels|accessible_\w+|check_update)$/u.test(
      key.text,
    )
  )
    return;
  if (/^(?:editor|pager|browser|visual|glamour_style)$/u.test(key.text) && isHarmlessProgram(value)) return;
  if (!/editor|pager|browser|visual/u.test(key.text) && !isUnknown(key)) {
    yield danger("medium", "it changes its settings");
    return;
  }
  yield danger("critical", "it sets a command that runs from now on");
  yield interprets("shell", value);
}

/** Endpoints where a change affects more than text. */
const grave =
  /(?:keys|hooks|secrets|variables|collaborators|protection|dispatches|merge|releases|transfer|permissions|deployments|invitations|members|runners|installations|rulesets|environments|contents|refs)(?=$|[/?])/u;

function* api(use: Use): Iterable<Effect> {
  const [endpoint] = use.operands;
  const fields = use.values("f", "F", "field", "raw-field");
  yield { type: "fetches", from: endpoint };
  const files = [...use.values("input"), ...fields.flatMap(fileOf)].filter(({ text }) => text !== "-");
  const flows = flowsOf(use.words);
  if (files.length > 0 || flows.has("secret"))
    yield { type: "sends", to: undefined, words: use.words, files };
  if (endpoint?.text === "graphql") {
    yield* asksGraph(fields);
    return;
  }
  const sends = fields.length > 0 || use.has("input");
  const method = (use.value("X", "method")?.text ?? (sends ? "POST" : "GET")).toUpperCase();
  if (method === "GET" || method === "HEAD") return;
  if (method === "DELETE") {
    yield danger("high", "it deletes something on the host");
    return;
  }
  const isGrave = !/^(?:POST|PUT|PATCH)$/u.test(method) || grave.test(endpoint?.text ?? "");
  yield danger(isGrave ? "high" : "medium", "it changes something on the host");
}

/** `-F name=@file` sends the file's content. */
function fileOf(field: Word): Word[] {
  const value = cutAt(field, "=")?.after;
  return value?.text.startsWith("@") ? [{ ...value, text: value.text.slice(1) }] : [];
}

function* asksGraph(fields: readonly Word[]): Iterable<Effect> {
  const query = fields.find((field) => field.text.startsWith("query="));
  if (query && !isUnknown(query) && !/\bmutation\b|^query=@/u.test(query.text)) return;
  const isGrave = /delete|remove|merge|transfer|archive|visibility/iu.test(query?.text ?? "");
  yield danger(isGrave ? "high" : "medium", "it changes something on the host");
}

const githubNouns = new Set(
  namesIn(
    `alias attestation auth browse cache co codespace cs completion config gist gpg-key issue label org pr preview project
  release repo ruleset rs run search secret ssh-key status variable workflow agent-task licenses deploy-key extension`,
  ),
);
const gitlabNouns = new Set(
  namesIn(
    `alias auth changelog check-update ci pipe pipeline cluster completion config deploy-key duo incident issue iteration
  job label milestone mr opentofu release repo project runner schedule securefile snippet ssh-key gpg-key stack token user
  variable version mcp work-items`,
  ),
);
const otherNouns = new Set(
  namesIn(
    `issues issue i pulls pull pr p releases release r repos repo labels label milestones ms times organizations org login
  logins logout whoami clone notifications n open o admin webhooks actions comment branches branch secrets
  pipeline deployments workspace project member reviewers`,
  ),
);

const forge = (names: string, nouns: ReadonlySet<string>): Program => {
  const table: VerbTable = verbTable(shared, { otherwise: byAnyVerb(nouns), form: {} });
  return program(names, (use) => tellByVerb({ ...use, operands: nounFirst(use.operands) }, table), {
    options: { short: "R", long: ["repo", "hostname", "login", "remote"], stopAtOperand: true },
    verbs: 3,
  });
};

/** Reorders `gh pr -R owner/name list` to `gh pr list`. */
function nounFirst([noun, second, third, ...more]: readonly Word[]): readonly Word[] {
  if (!noun || !second) return noun ? [noun] : [];
  const rest = third ? [third, ...more] : more;
  if (/^(?:-R|--repo)$/u.test(second.text)) return [noun, ...more];
  return /^(?:-R.|--repo=)/su.test(second.text) ? [noun, ...rest] : [noun, second, ...rest];
}

const hubTable = verbTable(
  [
    ...shared.filter(([verbs]) => /^(?:release |gist |api|pr |repo delete)/u.test(verbs)),
    ["pull-request", changes("it publishes a text and asks others to look"), text],
    ["create", createsRepository],
    ["fork, sync", changed],
    ["delete", always("it deletes a repository with all that is in it", "critical")],
    ["issue create, issue update, issue labels, pr checkout, pr list, pr show", changed],
    ["browse, compare, ci-status, issue, release, gist show, release show", asks],
  ],
  { otherwise: (use) => [asGit(use)], form: {} },
);

/** Unknown commands are passed on to git. */
const asGit = ({ words }: Use): Effect => runs([literal("git"), ...words]);

export const forges: readonly Program[] = [
  forge("gh", githubNouns),
  forge("glab", gitlabNouns),
  forge("tea", otherNouns),
  program("hub", (use) => (use.options.length > 0 ? [asGit(use)] : tellByVerb(use, hubTable)), {
    options: { short: "Cc", stopAtOperand: true },
    verbs: 2,
  }),
];
