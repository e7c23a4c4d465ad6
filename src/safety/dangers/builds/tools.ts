/** Functions of `builds.yaml`: what build tools do besides running the workspace's own code. */

import { isUnknown, literal, type Word, withText } from "../../command-line/word.ts";
import type { WordsDo } from "../data/does.ts";
import { sqlEffects } from "../databases/sql-effects.ts";
import { danger, interprets, loads, reads, replaces, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { interpretsAll, loadsLibraries, runsInstead, scriptOrInput } from "../interpreting.ts";
import { namesIn } from "../listed.ts";
import { installing, publishes, removing, runsLocal, trustsSource } from "../packages/installing.ts";
import { cutAt } from "../parts.ts";
import type { Use } from "../program.ts";
import { tasksThatReachOut } from "./tasks.ts";

const lost =
  /^(?:.*:)?db:(?:drop|reset|purge|truncate_all|seed:replant|schema:load|structure:load|migrate:reset|rollback)(?::\w+)*(?:\[.*)?$/u;
const losesData = danger("high", "it deletes data of a database");
const installsMade = danger("medium", "it installs what it made");
const text = (word: Word | undefined): string => word?.text ?? "";

const readsPlain = (words: readonly Word[]): Effect[] =>
  reads(words.filter((word) => word.text !== "-" && !/^https?:/u.test(word.text)));

function* rails([verb, code, ...rest]: readonly Word[], { name }: Use): Iterable<Effect> {
  if ([verb, code, ...rest].some((word) => lost.test(text(word)))) yield losesData;
  if (name !== "rails" && name !== "rake") return;
  if (/^release(?:$|:)/u.test(text(verb))) yield* publishes;
  if (/^(?:runner|r)$/u.test(text(verb)) && code)
    yield !isUnknown(code) && /^[\w./-]+\.rb$/u.test(code.text)
      ? loads(code, "ruby")
      : interprets("ruby", code);
  if (/^(?:console|c)$/u.test(text(verb))) yield { type: "interprets-input", language: "ruby" };
  if (/^(?:destroy|d)$/u.test(text(verb))) yield danger("medium", "it deletes files that it made before");
  if (/^(?:credentials|secrets|encrypted):(?:show|edit)/u.test(text(verb)))
    yield danger("high", "it shows secrets");
}

function* makes(operands: readonly Word[], { words, values, input }: Use): Iterable<Effect> {
  const isDry = words.some((word) => /^-[kBs]*[nq]|^--(?:dry-run|just-print|question)$/u.test(word.text));
  const targets = operands.filter((word) => !word.text.includes("="));
  if (values("f", "file", "makefile").some((word) => /^(?:-|\/dev\/stdin)$/u.test(word.text)))
    yield* input.text ? madeBy(input.text) : [danger("high", "it runs what comes in on its standard input")];
  for (const code of values("eval")) yield* madeBy(code);
  if (!isDry) yield* tasksThatReachOut(targets);
  for (const word of operands) {
    const assigned = cutAt(word, "=");
    if (!assigned) continue;
    const [, command] = /\$\((?:shell\s+)?([^()]+)\)/u.exec(assigned.after.text) ?? [];
    const isProgram =
      /^[A-Z]+$/u.test(assigned.before.text) &&
      /^\S*(?:sh|python\d?|perl|node|env) /u.test(assigned.after.text);
    const isShell = /^(?:\/(?:usr\/)?bin\/)?(?:ba|da|z)?sh$/u.test(assigned.after.text);
    if (
      isProgram ||
      (!isShell && /^(?:SHELL|\.SHELLFLAGS|MAKE|MAKEFILES)$/u.test(assigned.before.text)) ||
      command !== undefined
    )
      yield* runsInstead(assigned.before.text, withText(word, command ?? assigned.after.text));
    if (
      /^(?:DESTDIR|prefix)$/iu.test(assigned.before.text) &&
      assigned.after.text !== "" &&
      targets.some((word) => word.text === "install")
    )
      yield { type: "writes", path: assigned.after, how: "creates" };
  }
  if (!isDry && targets.some((word) => /^(?:un)?install$/u.test(word.text))) yield installsMade;
}

function* madeBy(code: Word): Iterable<Effect> {
  yield danger("high", "it is given rules with commands");
  const recipes = code.text
    .replaceAll(/^[^\s:;]*:+[^;\n]*(?:;|$)/gmu, "")
    .replaceAll(/\$\(shell ([^)]*)\)/gu, "$1");
  yield interprets("shell", withText(code, recipes.replaceAll(/^\s*[@+-]*/gmu, "")));
}

const portable: Readonly<Record<string, string>> = {
  remove: "rm",
  rm: "rm",
  remove_directory: "rm -r",
  copy: "cp",
  copy_directory: "cp -r",
  copy_if_different: "cp",
  rename: "mv",
  touch: "touch",
  make_directory: "mkdir -p",
  create_symlink: "ln -s",
  tar: "tar",
  cat: "cat",
  env: "env",
};

function* cmake(_: readonly Word[], { words, has, values }: Use): Iterable<Effect> {
  if (has("install") || values("target", "t").some((word) => word.text === "install"))
    yield* [
      installsMade,
      ...values("prefix").map((path): Effect => ({ type: "writes", path, how: "creates" })),
    ];
  const at = words.findIndex((word) => word.text === "-E");
  const [verb, ...rest] = at < 0 ? [] : words.slice(at + 1);
  if (verb && Object.hasOwn(portable, verb.text))
    yield runs([...namesIn(portable[verb.text] ?? "").map(literal), ...rest]);
  else if (verb?.text === "chdir") yield runs(rest.slice(1), rest[0] ? { directory: rest[0] } : {});
  else if (verb?.text === "time") yield runs(rest);
  for (const word of at < 0 ? words : []) {
    const [, name = "", value = ""] = /^(?:-D)?(CMAKE_\w+)(?::\w+)?=(.*)$/su.exec(word.text) ?? [];
    if (/TOOLCHAIN_FILE$|PROJECT_.*INCLUDE|MODULE_PATH/u.test(name)) yield loads(withText(word, value));
    if (/_LAUNCHER$|RULE_LAUNCH/u.test(name) && !/^(?:ccache|sccache|distcc|buildcache)$/u.test(value))
      yield* runsInstead(name, withText(word, value));
  }
}

const jvmPublishes =
  /^(?:.*:)?(?:deploy|site-deploy|release:perform|release:prepare|publish(?!ToMavenLocal|Local)\w*|uploadArchives|bintrayUpload|.*nexus-staging.*:release|deploy-file|closeAndRelease\w*|sonatype\w*|gitPublishPush)$/iu;

function* jvm(operands: readonly Word[], use: Use): Iterable<Effect> {
  const { name, words } = use;
  if (operands.some((word) => jvmPublishes.test(word.text)) && !use.has("dry-run", "m")) yield* publishes;
  if (
    operands.some((word) =>
      /exec:exec|exec-maven-plugin.*:exec$|antrun:run|groovy.*:execute/u.test(word.text),
    )
  ) {
    yield danger("high", "its task runs a command");
    const [command, given] = ["-Dexec.executable=", "-Dexec.args="].map((option) =>
      words
        .filter((word) => word.text.startsWith(option))
        .flatMap((word) =>
          word.text
            .slice(option.length)
            .split(" ")
            .map((part) => withText(word, part)),
        ),
    );
    if (command?.[0]) yield runs([...command, ...(given ?? [])]);
  }
  if (/^(?:lein|boot)$/u.test(name)) {
    const at = words.findIndex((word) => /^(?:-e|--eval)$/u.test(word.text));
    const code = at < 0 ? undefined : words[at + 1];
    if (code) yield* interpretsAll("other", [code]);
    if (text(operands[0]) === "deploy") yield* publishes;
  }
  for (const path of use.values("I", "init-script", "include-build", "s", "settings", "gs"))
    yield loads(path);
}

function* dotnet([verb, second, ...rest]: readonly Word[], use: Use): Iterable<Effect> {
  const said = `${text(verb)} ${text(second)}`.trim();
  yield* replaces(use.values("o", "output"));
  if (
    /^(?:restore|add package|package add|add|new install|tool (?:install|update|restore)|workload (?:install|update|restore))\b/u.test(
      said,
    ) &&
    !/^add reference|^add \S+ reference/u.test(said)
  )
    yield* installing;
  else if (/^(?:remove package|package remove|tool uninstall|workload uninstall)/u.test(said))
    yield* removing;
  else if (/^nuget (?:push|delete|sign)/u.test(said)) yield* publishes;
  else if (/^nuget (?:add|update|enable)/u.test(said)) yield* trustsSource;
  else if (/^(?:nuget config|user-secrets)/u.test(said) && !/list/u.test(said))
    yield danger("high", "it changes settings that decide which code is fetched and run");
  else if (/^(?:nuget|package search)/u.test(said)) yield { type: "fetches", from: undefined };
  else if (said.startsWith("script eval")) yield* interpretsAll("other", rest.slice(0, 1));
  else if (/^(?:fsi|script|exec)\b/u.test(said)) yield* scripts([...(second ? [second] : []), ...rest], use);
  else if (verb && /[./]/u.test(verb.text)) yield loads(verb);
}

function* scripts(operands: readonly Word[], { words, values }: Use): Iterable<Effect> {
  const given = words.flatMap((word, at) => {
    const [, path] = /^-(?:-use|-load|-reference|r|-exec):(.+)$/su.exec(word.text) ?? [];
    const next = words[at + 1];
    if (path !== undefined) return [withText(word, path)];
    return word.text === "--exec" && next ? [next] : [];
  });
  yield* loadsLibraries([...given, ...values("use", "load", "reference", "r")], "other");
  yield* scriptOrInput(operands, "other");
}

function* compiles(_: readonly Word[], { words: given, name }: Use): Iterable<Effect> {
  const words = given.filter((word) => word.text !== "-Xclang");
  for (const [at, word] of words.entries()) {
    const next = words[at + 1];
    const attached = (length: number): Word[] =>
      word.text.length > length ? [withText(word, word.text.slice(length))] : next ? [next] : [];
    if (word.text.startsWith("@")) yield { type: "reads", path: withText(word, word.text.slice(1)) };
    else if (/^-o(?!penmp|bj)/u.test(word.text))
      yield* replaces(attached(2).filter((path) => path.text !== "-"));
    else if (word.text === "-MF" && next) yield* replaces([next]);
    else if (/^-B(?![sd])/u.test(word.text)) yield* attached(2).map((path) => loads(path));
    else if (/^-(?:-?specs|fplugin|fpass-plugin|-config|fuse-ld)=/u.test(word.text)) {
      const path = withText(word, word.text.replace(/^[^=]*=/u, ""));
      if (/[./]/u.test(path.text)) yield loads(path);
    } else if (/^-(?:specs|load|-?plugin|pgm[a-zA-Z]|pp|ppx)$/u.test(word.text) && next) yield loads(next);
    else if (word.text === "-wrapper" && next)
      yield* runsInstead("-wrapper", withText(next, next.text.replaceAll(",", " ")));
    else if (/^(?:-C|--codegen=?)?linker=/u.test(word.text)) yield* linker(word);
    else if (/^--?(?:output|Map)=/u.test(word.text))
      yield* replaces([withText(word, word.text.replace(/^[^=]*=/u, ""))]);
    else if (word.text === "-e" && name === "ghc") yield danger("high", "its option -e runs code");
    else if (!word.text.startsWith("-") && /\.\w+$/u.test(word.text)) yield { type: "reads", path: word };
  }
  if (words.some((word) => word.text === "-run"))
    yield* scriptOrInput(
      words.filter((word) => !word.text.startsWith("-")),
      "other",
    );
}

function linker(word: Word): Effect[] {
  const path = word.text.replace(/^.*linker=/u, "");
  return /^(?:(?:rust-)?lld|clang|gcc|cc|mold|ld|[\w-]+-gcc)$/u.test(path)
    ? []
    : runsInstead("-C linker", withText(word, path));
}

function* documents(operands: readonly Word[], { name, words }: Use): Iterable<Effect> {
  if (words.some((word) => /^-{1,2}(?:shell-escape|enable-write18|Z=?shell-escape)$/u.test(word.text)))
    yield danger("high", "it lets documents run commands");
  if (operands.some((word) => /\\(?:immediate\s*)?\\?write18|\\directlua|\\ShellEscape|^\\/u.test(word.text)))
    yield danger("high", "it runs code that is given as a document");
  if (/^(?:gh-)?deploy$|^publish$/u.test(text(operands[0]))) yield* publishes;
  const at = name === "latexmk" ? words.findIndex((word) => word.text === "-e") : -1;
  const code = at < 0 ? undefined : words[at + 1];
  if (code) yield* [danger("high", "its option -e runs code"), interprets("perl", code)];
  const isLastWritten =
    /^(?:wkhtmlto|weasyprint|epstopdf|ps2pdf|qpdf|sphinx-build)/u.test(name) && operands.length > 1;
  yield* readsPlain(
    (isLastWritten ? operands.slice(0, -1) : operands).filter((word) => /[./]/u.test(word.text)),
  );
  if (isLastWritten) yield* replaces(operands.slice(-1).filter((word) => word.text !== "-"));
}

const migrationAsks =
  /^(?:status|version|info|validate|history|current|heads|show|check|list|ls|new|create|generate|make|pending|plan|log|verify|diff|snapshot|print|add|init|lint|inspect|format|studio|debug|introspect|pull|export|compile|parse|test|docs|source|clean|console|prepare|branches|revision|stamp|merge|edit|.*:(?:make|status|list|create|generate|show|pending|check|log)|db:migrate:status|.*-sql|print-schema|testConnection|dev|mcp|telemetry|hash|deps|config)$/u;
const migrationLoses =
  /^(?:drop|reset|drop-all|dropAll|force|fresh|.*:(?:drop|fresh|reset|wipe)|database-drop|force-reset)$/u;
const migrationUndoes =
  /^(?:down|down-to|rollback.*|revert|undo|downgrade|.*:(?:rollback|down|undo|revert)(?::all)?|redo)$/u;

function* migrates(operands: readonly Word[], { name, has, values }: Use): Iterable<Effect> {
  const verbs = operands.slice(0, 2).map((word) => word.text);
  if (verbs.length === 0 || has("dry-run")) return;
  const isLost =
    verbs.some((verb) => migrationLoses.test(verb)) ||
    has("force-reset", "accept-data-loss") ||
    (name === "flyway" && verbs[0] === "clean");
  for (const path of /^(?:execute|query)$/u.test(verbs.at(-1) ?? "") ? values("file") : []) yield loads(path);
  if (/^(?:query|schema:sync|execute-sql)$/u.test(verbs[0] ?? ""))
    yield* [
      danger("medium", "it says statements to a database"),
      ...operands.slice(1).flatMap((code) => sqlEffects(code, "other")),
    ];
  else if (isLost) yield danger("high", "it drops a database or all its tables");
  else if (verbs.some((verb) => migrationUndoes.test(verb)))
    yield danger("high", "it takes changes of a database back, with the data in them");
  else if (name === "dbt" && verbs[0] === "deps") yield* installing;
  else if (
    !verbs.some((verb) => migrationAsks.test(verb)) ||
    /^(?:migrate (?:dev|deploy)|db push)$/u.test(verbs.join(" "))
  )
    yield danger("medium", "it changes the tables of a database");
}

function* django([verb, ...rest]: readonly Word[]): Iterable<Effect> {
  if (
    /^(?:flush|reset_db|sqlflush|reset_schema|delete_squashed_migrations|clean_database)$/u.test(text(verb))
  )
    yield losesData;
  if (!/^shell(?:_plus)?$/u.test(text(verb))) return;
  const at = rest.findIndex((word) => /^(?:-c|--command)$/u.test(word.text));
  const inline = rest.find((word) => word.text.startsWith("--command="));
  const code = at >= 0 ? rest[at + 1] : inline && withText(inline, inline.text.slice("--command=".length));
  yield code ? interprets("python", code) : { type: "interprets-input", language: "python" };
}

export const managesDjango = django;

function* released(operands: readonly Word[], { name, has }: Use): Iterable<Effect> {
  const verbs = operands.slice(0, 2).map((word) => word.text);
  if (
    verbs.some((verb) => /^(?:publish|deploy|release|upload|push|destroy|unpublish)$/u.test(verb)) &&
    !has("dry-run", "d")
  )
    yield* publishes;
  if (verbs.some((verb) => /^(?:login|logout|signin)$/u.test(verb)))
    yield danger("high", "it changes who is signed in");
  if (verbs.some((verb) => /^(?:flash|erase|erase_flash|burn)$/u.test(verb)) && name !== "husky")
    yield danger("high", "it overwrites what is on a device");
}

export const tools: Readonly<Record<string, WordsDo>> = {
  rails,
  makes,
  cmake,
  dotnet,
  compiles,
  documents,
  migrates,
  django,
  released,
  "jvm builds": jvm,
  "just tasks": (words, { has }) =>
    has("c", "command")
      ? [runs(words)]
      : has("n", "dry-run", "s", "show")
        ? []
        : tasksThatReachOut(words.slice(0, 1)),
  tasks: (words, { has }) => (has("n", "dry", "summary", "dry-run") ? [] : tasksThatReachOut(words)),
  restarts: (words, { name, has }) =>
    has("x", "exec")
      ? []
      : name === "onchange"
        ? [runs(words.slice(1))]
        : loadsLibraries(words.slice(0, 1), "javascript"),
  "with settings": (words, { name }) => {
    const command = name === "dotenvx" ? (text(words[0]) === "run" ? words.slice(1) : []) : words;
    return command.length === 0 ? [] : [runs(text(command[0]) === "--" ? command.slice(1) : command)];
  },
  concurrent: (words) =>
    words
      .filter((word) => !/^(?:npm|yarn|pnpm|bun|node|deno):/u.test(word.text))
      .map((code) => interprets("shell", code)),
  "tests elsewhere": (words, { values }) => [
    ...values("p")
      .filter(isUnknown)
      .map(() => danger("high", "only the run will tell which plugin it loads")),
    ...words.filter((word) => /^(?:[~/]|\.\.)/u.test(word.text)).map((path) => loads(path, "python")),
  ],
  covered: ([verb, ...rest], use) => {
    const words = use.words.slice(use.words.findIndex((word) => word === verb) + 1);
    const isModule = words.slice(0, 3).some((word) => /^-[a-z]*m$/u.test(word.text));
    const given = (rest.length > 0 ? words : []).filter((word, at) => at > 0 || !word.text.startsWith("-"));
    const start = given.findIndex((word) => !word.text.startsWith("-"));
    if (text(verb) !== "run" || start < 0) return [];
    return isModule
      ? runsLocal(given.slice(start), ".venv/bin")
      : scriptOrInput(given.slice(start), "python");
  },
  "data lost": (words, { name }) =>
    /^(?:celery|airflow|flask|rq|prefect)$/u.test(name) &&
    words.some((word) => /^(?:purge|reset|resetdb|drop|drop-all|db-clean)$/u.test(word.text))
      ? [losesData]
      : [],
  "go tools": function* goTools([verb, path], { name, words }) {
    const isTried = words.some((word) => /^--(?:snapshot|skip|local|push=false)/u.test(word.text));
    if (
      /^(?:goreleaser|ko)$/u.test(name) &&
      !isTried &&
      /^(?:release|publish|apply|resolve)?$/u.test(text(verb)) &&
      (verb || name === "goreleaser")
    )
      yield* publishes;
    if (name === "dlv" && text(verb) === "exec" && path) yield loads(path);
    if (words.some((word) => /^--(?:build\.cmd|post-run-command|raw-command)/u.test(word.text)))
      yield danger("high", "an option of it runs a command");
  },
  protocol: (_, { words }) =>
    words.flatMap((word): Effect[] => {
      const [, name = "", value = ""] = /^--([\w-]+)=(.*)$/su.exec(word.text) ?? [];
      if (name === "plugin" && value.includes("="))
        return [loads(withText(word, value.replace(/^[^=]*=/su, "")))];
      return name.endsWith("_out")
        ? [{ type: "writes", path: withText(word, value.replace(/^[^/]*:/su, "")), how: "creates" }]
        : [];
    }),
  bazel: function* bazel(words, { values, has }) {
    const [verb, ...rest] = words;
    if (has("run_under")) for (const code of values("run_under")) yield* runsInstead("--run_under", code);
    yield* tasksThatReachOut(rest);
    if (text(verb) === "clean" && has("expunge"))
      yield danger("medium", "it deletes everything that was built");
  },
  "writes media": (words) =>
    replaces(words.filter((word) => word.text !== "-" && !word.text.startsWith("pipe:"))),
  "converts media": function* convertsMedia(words) {
    const target = words.at(-1);
    yield* readsPlain(words.slice(0, -1));
    if (target && words.length > 1)
      yield* replaces(
        [withText(target, target.text.replace(/^[a-z]+:(?!\/)/iu, ""))].filter((word) => word.text !== "-"),
      );
    if (words.some((word) => /^(?:msl|mvg|ephemeral|epi|pipe|text:@|label:@):?|^\|/iu.test(word.text)))
      yield danger("high", "it obeys a script, or does more than convert");
  },
  ghostscript: function* ghostscript(words, { words: all, values }) {
    if (values("sOutputFile", "o").some((word) => word.text.startsWith("%pipe%")))
      yield danger("high", "its output goes to a command");
    if (all.some((word) => /^-d?(?:NOSAFER|DELAYSAFER)$/u.test(word.text)))
      yield danger("high", "it lets documents read and write any file");
    yield* readsPlain(words);
  },
};
