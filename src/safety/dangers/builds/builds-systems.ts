/** Build systems: make, cmake, gradle and similar. */

import { isUnknown, literal, type Word, withText } from "../../command-line/word.ts";
import { always, byTarget, byTask, byTaskOrAll } from "../checking.ts";
import { danger, interprets, loads, replaces, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import {
  evaluatedIn,
  interpretsAll,
  interpretsInput,
  loadsLibraries,
  runsInstead,
  scriptOrInput,
} from "../interpreting.ts";
import { namesIn } from "../listed.ts";
import {
  asks,
  changesSettings,
  installing,
  publishes,
  removing,
  trustsSource,
} from "../packages/installing.ts";
import { cutAt } from "../parts.ts";
import { program, type Program, type Use } from "../program.ts";
import { variableEffects } from "../variables.ts";
import { tellByVerb, verbTable } from "../verbs.ts";
import { tool } from "./building.ts";
import { tasksThatReachOut } from "./tasks.ts";

export const buildSystems: readonly Program[] = [
  tool("make gmake bmake pmake nmake mingw32-make remake checkmake", {
    checks: byTarget,
    short: "jlWOIEf",
    long: "file makefile eval jobs load-average what-if new-file assume-new include-dir output-sync debug",
    loads: "C directory",
    more: makes,
  }),
  tool("just", {
    checks: byTask,
    long: "set dotenv-path dotenv-filename shell-arg color list-heading",
    short: "",
    loads: "f justfile d working-directory",
    runs: "shell chooser",
    more: justRuns,
    stop: true,
  }),
  tool("task go-task", {
    checks: byTask,
    short: "otcI",
    loads: "t taskfile d dir",
    long: "output concurrency interval",
    more: ({ operands, has }) => (has("n", "dry", "summary") ? [] : tasksThatReachOut(operands)),
  }),
  tool("mage", { checks: byTask, loads: "d w", long: "t goos goarch", oneDash: true, writes: "compile" }),
  tool(
    `scons waf premake5 premake4 xmake tup redo redo-ifchange bjam jam earthly dagger nx-cloud wireit
      moon bake plz`,
    { checks: byTaskOrAll, loads: "f file makefile C directory" },
  ),
  tool("rake", {
    checks: byTask,
    loads: "f rakefile r require I libdir R rakelibdir",
    short: "tjTDW",
    more: rakes,
  }),
  tool("cmake cmake3", {
    checks: /\s--build(?:\s|$)/u,
    short: "GAUWT",
    loads: "S C P toolchain preset",
    writes: "B graphviz",
    long: "target config parallel j prefix component trace-source build install",
    more: configures,
  }),
  tool("ctest cpack", {
    checks: /^ctest\b/u,
    short: "RELQjICDGPMTV",
    loads: "S script test-dir config",
    writes: "O output-log output-junit B",
    long: "timeout label-regex tests-regex exclude-regex parallel preset",
  }),
  tool("ninja samu ninja-build", {
    checks: byTarget,
    short: "jkldtw",
    loads: "f C",
    more: ({ operands }) => makesTargets(operands),
  }),
  tool("meson", {
    checks: byTask,
    more: ({ operands }) => (operands[0]?.text === "install" ? [installsMade] : []),
    loads: "C native-file cross-file",
    long: "prefix buildtype backend suite num-processes",
    writes: "destdir",
    verbs: 2,
  }),
  tool(
    `configure autogen.sh bootstrap autoconf automake aclocal autoreconf autoheader libtoolize libtool
      intltoolize autopoint config.status gyp gn node-gyp prebuild prebuildify cmake-js`,
    { writes: "output", loads: "srcdir", long: "prefix host build target" },
  ),
  tool("bazel bazelisk blaze buck buck2 pants", {
    checks: byTask,
    loads: "bazelrc output_base output_user_root",
    long: "config jobs",
    runs: "run_under",
    verbs: 2,
    oneDash: false,
  }),
  tool("gradle gradlew", {
    checks: byTask,
    short: "xDPg",
    loads: "I init-script b build-file c settings-file p project-dir include-build",
    long: "exclude-task max-workers gradle-user-home",
    more: publishesBy(
      /^(?::?[\w:-]*:)?(?:publish(?!ToMavenLocal)\w*|uploadArchives|bintrayUpload|closeAndRelease\w*|appengineDeploy|deploy\w*)$/u,
    ),
  }),
  tool("mvn mvnw mvnd maven", {
    checks: /\s(?:test|verify|compile|test-compile|package|install|integration-test)(?:\s|$)/u,
    short: "DPplTrt",
    loads: "f file s settings gs global-settings",
    long: "projects threads activate-profiles define",
    more: maven,
  }),
  tool("sbt mill bleep lein boot", {
    checks: byTask,
    loads: "sbt-jar",
    more: (use) => [
      ...propertyPaths(use),
      ...interpretsAll("other", evaluatedIn(use.words)),
      ...publishesBy(
        /^(?:.*[/ ;])?(?:publish(?!Local|M2)\w*|publishSigned|sonatypeRelease\w*|deploy|bumpVersion)$/u,
      )(use),
    ],
  }),
  tool("ant", {
    checks: byTaskOrAll,
    oneDash: true,
    loads: "f file buildfile lib propertyfile main",
    long: "logger listener D",
    writes: "logfile l",
  }),
  tool("msbuild xbuild devenv", { checks: always, loads: "f" }),
  program("dotnet", dotnet, {
    checks: byTask,
    kind: "builds",
    options: { stopAtOperand: true, long: ["additionalprobingpath", "depsfile", "runtimeconfig"] },
    verbs: 2,
  }),
  tool("xcodebuild", {
    checks: /\s(?:build|test|analyze)(?:\s|$)/u,
    oneDash: true,
    loads: "project workspace xcconfig",
    long: "scheme configuration destination sdk target testPlan only-testing",
    writes: "derivedDataPath archivePath resultBundlePath exportPath",
  }),
  tool("gym scan snapshot yorkie ghooks"),
  tool("cog gitmoji", {
    loads: "g config extends x parser-preset",
    writes: "o output",
    short: "ftE",
    long: "from to edit",
  }),
  tool("cap mina kamal mrsk dep deployer capistrano shipit dokku", {
    more: ({ operands }) =>
      operands.some(({ text }) => /deploy|rollback|setup|redeploy|remove|destroy/u.test(text))
        ? [danger("high", "it deploys to other machines")]
        : [],
  }),
];

function publishesBy(task: RegExp): (use: Use) => Iterable<Effect> {
  return ({ operands }) => (operands.some(({ text }) => task.test(text)) ? publishes : []);
}

/** `-Dsbt.global.base=/path`: code in that directory becomes part of the build. */
const propertyPaths = ({ words }: Use): Effect[] =>
  words.flatMap((word) => {
    const path = /^-D[\w.-]+=([~/].*)$/su.exec(word.text)?.[1];
    return path === undefined ? [] : [loads(withText(word, path))];
  });

/** Variables given to make may name a shell or contain functions that run commands. */
function* makes(use: Use): Iterable<Effect> {
  for (const file of use.values("f", "file", "makefile")) {
    if (file.text === "-") yield interpretsInput("shell");
    else yield loads(file, "shell");
  }
  for (const code of use.values("eval", "E")) yield* runsInstead("--eval", code);
  if (!use.has("n", "dry-run", "just-print", "recon")) yield* makesTargets(use.operands);
  for (const word of use.operands) {
    const assigned = cutAt(word, "=");
    if (!assigned) continue;
    const { before, after } = assigned;
    const name = before.text.replace(/[:+?!]+$/u, "");
    if (name === "SHELL" && /^(?:(?:\/usr)?\/bin\/)?(?:ba|da|k|z)?sh$/u.test(after.text)) continue;
    if (/^(?:SHELL|MAKE|\.SHELLFLAGS|MAKEFILES|MAKEFLAGS|GNUMAKEFLAGS)$/u.test(name))
      yield danger("high", `its variable ${name} says what runs`);
    else yield* variableEffects({ name, value: after });
    const command = /\$[({]shell\s(.*)[)}]|`(.*)`/su.exec(after.text);
    if (command) {
      yield danger("high", "a variable of it runs a command");
      yield interprets("shell", withText(after, command[1] ?? command[2] ?? ""));
    }
  }
}

const installsMade = danger("medium", "it installs what it made");

/** `make install` writes where the project's rules say, usually into the system. */
function* makesTargets(operands: readonly Word[]): Iterable<Effect> {
  const targets = operands.filter(({ text }) => !text.includes("="));
  yield* tasksThatReachOut(targets);
  if (!targets.some(({ text }) => /^(?:un)?install$/u.test(text))) return;
  yield installsMade;
  for (const word of operands) {
    const assigned = cutAt(word, "=");
    if (assigned && /^(?:DESTDIR|prefix)$/iu.test(assigned.before.text) && assigned.after.text !== "")
      yield { type: "writes", path: assigned.after, how: "creates" };
  }
}

/** `-f` also reads a file of rules. Its letters are parsed here, since make allows `-f` in clusters. */
function* justRuns(use: Use): Iterable<Effect> {
  if (use.has("c", "command")) yield runs(use.operands);
  else if (!use.has("n", "dry-run", "s", "show")) yield* tasksThatReachOut(use.operands.slice(0, 1));
}

const lost =
  /^(?:.*:)?db:(?:drop|reset|purge|truncate_all|seed:replant|schema:load|structure:load|migrate:reset|rollback)(?::\w+)*(?:\[.*)?$/u;

/** rake and rails tasks that discard a database. */
export const losesData = (tasks: readonly Word[]): Effect[] =>
  tasks.some(({ text }) => lost.test(text)) ? [danger("high", "it deletes data of a database")] : [];

function* rakes(use: Use): Iterable<Effect> {
  for (const code of use.values("e", "execute", "p", "execute-print", "E", "execute-continue"))
    yield interprets("ruby", code);
  yield* losesData(use.operands);
  yield* tasksThatReachOut(use.operands);
  if (use.operands.some(({ text }) => /^release(?:$|:)/u.test(text))) yield* publishes;
}

/** Commands that `cmake -E` provides under its own names. */
const portable: Readonly<Record<string, readonly string[]>> = {
  remove: ["rm"],
  rm: ["rm"],
  remove_directory: ["rm", "-r"],
  copy: ["cp"],
  copy_directory: ["cp", "-r"],
  copy_if_different: ["cp"],
  rename: ["mv"],
  touch: ["touch"],
  make_directory: ["mkdir", "-p"],
  create_symlink: ["ln", "-s"],
  create_hardlink: ["ln"],
  tar: ["tar"],
  cat: ["cat"],
  env: ["env"],
};

function* configures({ words, options, has, values }: Use): Iterable<Effect> {
  if (has("install") || values("target", "t").some(({ text }) => text === "install")) {
    yield installsMade;
    for (const path of values("prefix")) yield { type: "writes", path, how: "creates" };
  }
  const at = words.findIndex(({ text }) => text === "-E");
  if (at >= 0) {
    const [verb, ...rest] = words.slice(at + 1);
    const known = verb && Object.hasOwn(portable, verb.text) ? portable[verb.text] : undefined;
    if (known) yield runs([...known.map(literal), ...rest]);
    else if (verb?.text === "chdir") yield runs(rest.slice(1), rest[0] ? { directory: rest[0] } : {});
    else if (verb?.text === "time") yield runs(rest);
    return;
  }
  for (const { name } of options) if (name === "") return;
  for (const word of words) yield* definition(word);
}

/** `-DCMAKE_TOOLCHAIN_FILE=x` also names code. */
function* definition(word: Word): Iterable<Effect> {
  const [, name = "", value = ""] = /^(?:-D)?(CMAKE_\w+)(?::\w+)?=(.*)$/su.exec(word.text) ?? [];
  if (/TOOLCHAIN_FILE$|PROJECT_.*INCLUDE|MODULE_PATH/u.test(name)) yield loads(withText(word, value));
  if (/_LAUNCHER$|RULE_LAUNCH/u.test(name) && !/^(?:ccache|sccache|distcc|buildcache)$/u.test(value))
    yield* runsInstead(name, withText(word, value));
}

function* maven({ operands, words }: Use): Iterable<Effect> {
  if (
    operands.some(({ text }) =>
      /^(?:deploy|site-deploy|release:perform|release:prepare|.*:deploy(?:-file)?|.*nexus-staging.*:release)$/u.test(
        text,
      ),
    )
  )
    yield* publishes;
  if (
    operands.some(({ text }) =>
      /exec:exec|exec-maven-plugin.*:exec$|antrun:run|groovy(?:-maven-plugin)?.*:execute/u.test(text),
    )
  ) {
    const command = words.find(({ text }) => text.startsWith("-Dexec.executable="));
    yield danger("high", "its task runs a command");
    if (command)
      yield runs([withText(command, command.text.slice("-Dexec.executable=".length)), ...argumentsOf(words)]);
  }
}

const argumentsOf = (words: readonly Word[]): Word[] =>
  words
    .filter(({ text }) => text.startsWith("-Dexec.args="))
    .flatMap((word) =>
      word.text
        .slice("-Dexec.args=".length)
        .split(" ")
        .map((text) => withText(word, text)),
    );

const dotnetVerbs = verbTable(
  [
    [
      `build, test, run, clean, new, sln, format, msbuild, watch, list, help, pack, store,
        workload list, dev-certs, user-secrets list, build-server, solution, sdk check`,
      ({ values }) => replaces(values("o", "output")),
    ],
    ["publish", ({ values }) => replaces(values("o", "output"))],
    ["restore, tool restore", installing],
    [
      `add, add package, tool install, tool update, workload install, workload update, workload restore,
        package add, new install`,
      installing,
    ],
    ["add reference, remove reference, reference add, list package, list reference", []],
    ["remove package, remove, tool uninstall, workload uninstall, package remove", removing],
    ["nuget push, nuget delete, nuget sign", publishes],
    ["nuget add source, nuget update source, nuget enable source", trustsSource],
    ["nuget config set, user-secrets set, user-secrets clear", changesSettings],
    ["nuget locals, nuget list, nuget why, package search", asks],
    ["exec", ({ operands }) => scriptOrInput(operands, "other")],
    ["script eval", ({ operands }) => interpretsAll("other", operands.slice(0, 1))],
    ["script, fsi", scripts, { long: namesIn("use load reference lib codepage") }],
    ["tool run", ({ operands }) => operands.slice(0, 0).map((word) => loads(word))],
  ],
  {
    otherwise: ({ operands }) =>
      operands
        .slice(0, 1)
        .filter((word) => isUnknown(word) || /[./]/u.test(word.text))
        .map((word) => loads(word)),
    form: {
      short: "ocfrpsv",
      long: [
        "output",
        "configuration",
        "framework",
        "runtime",
        "project",
        "source",
        "verbosity",
        "filter",
        "logger",
        "settings",
        "collect",
      ],
    },
  },
);

/** `dotnet fsi --load:FILE script`: these options also take their value behind a colon. */
function* scripts({ words, values, operands }: Use): Iterable<Effect> {
  const behind = words.flatMap((word) => {
    const [, path] = /^-(?:-use|-load|-reference|r):(.+)$/su.exec(word.text) ?? [];
    return path === undefined ? [] : [withText(word, path)];
  });
  yield* loadsLibraries([...behind, ...values("use", "load", "reference", "r")], "other");
  yield* scriptOrInput(operands, "other");
}

function dotnet(use: Use): Iterable<Effect> {
  return tellByVerb(use, dotnetVerbs);
}
