/** What build tools do besides running the workspace's own code, and which uses of them only tell something. */

import { type Word, isUnknown, withText } from "../../command-line/word.ts";
import { statementsOfInput } from "../databases/clients.ts";
import { danger, interprets, loads, replaces } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { interpretsInput } from "../interpreting.ts";
import { publishes } from "../packages/installing.ts";
import type { Use, WordsDo } from "../program.ts";

const losesData = danger("high", "it deletes data of a database");

const outward =
  /^(?:.*:)?(?:deploy|gh-deploy|deploy-file|site-deploy|publish(?!ToMavenLocal|Local)\w*|unpublish|upload\w*|push|release|release:\w+|login|logout|signin|bintrayUpload|closeAndRelease\w*|.*nexus-staging.*:release|gitPublishPush)$/u;

/** Verbs of the tool itself, not names of the project's tasks. */
const releases: WordsDo = (operands, { has }) =>
  operands.some(({ text }) => outward.test(text)) && !has("dry-run", "n", "snapshot", "local")
    ? publishes
    : [];

/** `manage.py shell -c code`, `manage.py flush`. */
export function* managesDjango([verb, ...rest]: readonly Word[]): Iterable<Effect> {
  if (/^(?:flush|reset_db|reset_schema|clean_database)$/u.test(verb?.text ?? "")) yield losesData;
  if (!/^shell(?:_plus)?$/u.test(verb?.text ?? "")) return;
  const at = rest.findIndex(({ text }) => /^(?:-c|--command)$/u.test(text));
  const inline = rest.find(({ text }) => text.startsWith("--command="));
  const code = at >= 0 ? rest[at + 1] : inline && withText(inline, inline.text.slice("--command=".length));
  yield code ? interprets("python", code) : interpretsInput("python");
}

/** Tasks and commands that say of themselves that data is lost: `db:drop`, `migrate reset`. */
const losing =
  /^(?:.*:)?(?:drop|drop-all|dropAll|reset|resetdb|purge|fresh|force|force-reset|wipe|truncate_all|rollback.*|revert|undo|down|down-to|downgrade|database-drop|clean-db|db-clean)(?::\w+)*(?:\[.*)?$/u;

export const tools: Readonly<Record<string, WordsDo>> = {
  django: managesDjango,
  released: releases,
  "runs operands": (words) => runsOutside(words),
  tasks: (words, { has }) =>
    has("n", "q", "dry", "dry-run", "just-print", "summary", "show", "s") ? [] : tasksThatReachOut(words),
  "data lost": (words, { has }) =>
    words.slice(0, 3).some(({ text }) => losing.test(text)) || has("force-reset", "accept-data-loss")
      ? [losesData]
      : [],
};

const namedOutward = /(?:^|[:_-])(?:deploy|publish)(?:$|[:_-])/u;
const tried = /(?:^|[:_-])(?:dry|check|test|lint|build|preview|local|types?|docs?:build)(?:$|[:_-])/u;

/** `npm run deploy`, `make publish`: names that projects give to tasks visible to others. */
export const tasksThatReachOut = (tasks: readonly Word[]): Effect[] =>
  tasks.some(({ text }) => namedOutward.test(text) && !tried.test(text))
    ? [danger("high", "its task is named for what reaches other machines")]
    : [];

/** Options that give a command, a program in place of the tool's own, or more rights to what runs. */
const options =
  /^-(?:exec|toolexec|vettool)(?:=|$)|^--?(?:run_under|wrapper|eval|Z?=?shell-escape|enable-write18|d?NOSAFER|dDELAYSAFER|bind|container-options|container-daemon-socket|filesystem|init-hook|build\.cmd|post-run-command|raw-command|script-shell|B[./~].*)(?:=|$)/u;
/** Settings that do: `SHELL=./x`, `build.rustc-wrapper=x`, `CC='sh -c id'`. */
const settings =
  /^(?:SHELL|MAKE)=(?!(?:\/(?:usr\/)?bin\/)?(?:ba|da|z)?sh$)|(?:^|[.\w-])(?:wrapper|runner|linker|[A-Z_]+_LAUNCHER|[A-Z_]*RULE_LAUNCH\w*)=(?!["']?(?:s?ccache|distcc|(?:rust-)?lld|clang|gcc|cc|mold|ld)$)|^--plugin=.*=[/~]|=(?:\S*\/)?(?:(?:ba|da|z)?sh|python\d?|perl|node) -|\$\(shell/u;
/** Documents and descriptions that are code. */
const documents = /^\||^(?:msl|mvg|ephemeral|pipe):|\\(?:immediate\s*)?\\?write18|\\directlua|%pipe%/u;

const runsOther = danger("high", "it is told to run other code than that of the workspace");

function* otherCode(words: readonly Word[]): Iterable<Effect> {
  const end = words.findIndex(({ text }) => text === "--");
  for (const word of end < 0 ? words : words.slice(0, end))
    if (options.test(word.text) || settings.test(word.text) || documents.test(word.text)) yield runsOther;
  if (words.some(({ text }) => text === "install"))
    for (const word of words) {
      const [, path = ""] = /^(?:DESTDIR|prefix)=(.+)$/iu.exec(word.text) ?? [];
      if (path !== "") yield { type: "writes", path: withText(word, path), how: "creates" };
    }
}

/** Operands that a tool runs, rather than reads, from outside the workspace. */
const runsOutside = (operands: readonly Word[]): Effect[] =>
  operands
    .filter(
      (word) => /^(?:[/~]|\.\.(?:\/|$))/u.test(word.text) && !/^\/\w+:/u.test(word.text) && !isUnknown(word),
    )
    .map((path) => ({ type: "loads", path, language: "other" }));

/** Verbs that open a prompt of the tool itself, or of its database: `sbt "project x" console`, `airflow db shell`. */
const prompt = /(?:^|[ .:])(?:(?:db-?)?(?:shell|console)|repl|ghci|utop)$/u;
/** Behind such a verb: the code is given, or it only tells how it is used. */
const answered = /^(?:-[ceh]|--(?:command|eval|exec|execute|help))(?:=|$)/u;

/** At a prompt each line that comes in is run. */
export function readsAtPrompt(operands: readonly Word[], use: Use): Effect[] {
  const at = operands.slice(0, 3).findIndex(({ text }) => prompt.test(text));
  const verb = operands[at];
  if (!verb) return [];
  if (use.words.slice(use.words.indexOf(verb)).some(({ text }) => answered.test(text))) return [];
  const isOfDatabase = verb.text.startsWith("db") || operands[at - 1]?.text === "db";
  return isOfDatabase ? statementsOfInput(use) : [interpretsInput("other")];
}

const output =
  /^-{1,2}(?:o|d|B|O|[\w-]*(?:out|dest|report|junit|log|xml|html|cache|target|profile)[\w-]*|[\w-]*(?:Out|Dir|File)[\w-]*|basetemp|site-dir|graphviz)$/u;
const included = /^(?:-(?:I|L|D|i|n)|--python|--destination)$/u;

export function* buildEffects(use: Use): Iterable<Effect> {
  const { words, input } = use;
  yield* otherCode(words);
  yield* readsAtPrompt(use.operands, use);
  const end = words.findIndex(({ text }) => text === "--");
  const before = end < 0 ? words : words.slice(0, end);
  for (const [at, word] of before.entries()) {
    const [, option = "", sign = "", attached = ""] =
      /^(-[A-Za-z](?=[./~])|--?[A-Za-z][\w.-]*)([=:]?)(.*)$/su.exec(word.text) ?? [];
    const value = sign === "" && attached === "" ? words[at + 1] : withText(word, attached);
    if (option === "" || !value || value.text.startsWith("--")) continue;
    if (
      input.isGiven &&
      /^(?:-|\/dev\/stdin)$/u.test(value.text) &&
      /^(?:-c|-f|--config|--file)$/u.test(option)
    )
      yield danger("high", "it runs what comes in on its standard input");
    if (!isOutside(value) || included.test(option)) continue;
    if (output.test(option)) yield* replaces([value]);
    else yield loads(value);
  }
}

const isOutside = (value: Word): boolean =>
  !/^\/dev\/(?:null|stdout|stderr)$/u.test(value.text) &&
  (/^(?:[/~]|\.\.(?:\/|$)|[A-Za-z]:[\\/])/u.test(value.text) ||
    (isUnknown(value) && value.text.includes("/")));

/** Complete uses that only print information and run no code of the workspace, and of which programs. */
const questions: readonly { readonly names: RegExp; readonly asked: RegExp }[] = [
  { names: /^/u, asked: /^(?:--(?:version|help)|-version)$/u },
  {
    names:
      /^(?:npm|yarn|pnpm|node|mvn|gradle|tsc|make|gmake|rustc|cargo|clang|gcc|pip3?|composer|bundle|rails|jest|vitest)$/u,
    asked: /^-[vV]$/u,
  },
  {
    names: /^(?:go|cargo|npm|dotnet|zig|bazel|poetry|hugo|flutter|dart)$/u,
    asked: /^(?:version|help(?: [\w-]+)*|--info|--list-sdks)$/u,
  },
  { names: /^go$/u, asked: /^(?:env(?: [A-Z0-9]+)*|doc(?: -\w+)*(?: [\w./]+){1,2}|version -m [\w./-]+)$/u },
  {
    names: /^npm$/u,
    asked:
      /^(?:(?:ls|list|ll|la|explain|why)(?: -g| --(?:depth[= ]\d|all|json|prod|global|omit=dev)| @?[\w./-]+)*|root(?: -g)?|prefix(?: -g)?|pkg get(?: [\w.]+)*|config get \w+)$/u,
  },
  {
    names: /^pip3?$/u,
    asked:
      /^(?:list|freeze|check|(?:list|freeze)(?: --(?:user|local|not-required|format[= ]\w+))+|show(?: -f)?(?: [\w.-]+)+)$/u,
  },
  { names: /^gem$/u, asked: /^(?:list|which|environment)(?: [\w-]+)*$/u },
];

export function onlyRequests(name: string, words: readonly Word[]): boolean {
  if (words.length > 12) return false;
  const asked = words.map(({ text }) => text).join(" ");
  return questions.some((question) => question.names.test(name) && question.asked.test(asked));
}
