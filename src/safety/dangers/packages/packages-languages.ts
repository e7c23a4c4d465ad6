/** Package managers of Rust, Go, Ruby, PHP and other languages. */

import { literal, type Word, withText } from "../../command-line/word.ts";
import { byTask } from "../checking.ts";
import { danger, doesMore, interprets, loads, replaces, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { interpretsAll, runsInstead } from "../interpreting.ts";
import { namesIn } from "../listed.ts";
import { type OptionForm, program, type Program, type Use } from "../program.ts";
import { tellByVerb, verbTable } from "../verbs.ts";
import {
  asks,
  changesSettings,
  fromRegistries,
  inDirectories,
  installing,
  installs,
  installsTools,
  nothing,
  packagesIn,
  publishes,
  removing,
  runsLocal,
  runsPackage,
  signsIn,
  trustsSource,
} from "./installing.ts";

const cargoForm: OptionForm = {
  short: "pjFZC",
  long: namesIn(`package exclude bin example test bench jobs features target target-dir manifest-path
    message-format color config profile git branch tag rev path version vers registry index root rename
    lockfile-path artifact-dir out-dir edition name vcs token limit precise`),
};

const cargoVerbs = verbTable(
  [
    ["install, binstall", installs(fromCrates)],
    ["add, update, upgrade, fetch, vendor, generate-lockfile, up", installs(fromCrates)],
    ["remove, rm, uninstall", removing],
    ["publish, yank, owner, unyank", ({ has }) => (has("dry-run", "n", "list", "l") ? nothing : publishes)],
    ["login, logout", signsIn],
    [
      "clean",
      ({ value }) => [{ type: "deletes", path: value("target-dir") ?? literal("target"), deep: true }],
    ],
    ["search, info", asks],
    [
      "watch",
      watchesCargo,
      {
        short: "xswdiCEBk",
        long: namesIn("exec shell watch delay ignore workdir env use-shell features package"),
      },
    ],
    ["sqlx database drop, sqlx database reset", [danger("high", "it deletes data of a database")]],
    [
      "generate",
      (use) => [...runsPackage, ...packagesIn([...use.operands, ...use.values("git")], { owner: true })],
    ],
  ],
  {
    otherwise: (use) => [
      ...changesBuild(use),
      ...replaces(use.values("target-dir", "artifact-dir", "out-dir")),
    ],
    form: cargoForm,
  },
);

function* fromCrates(use: Use): Iterable<Effect> {
  yield* fromRegistries(use.values("index"));
  if (use.has("git")) yield danger("high", "it installs code straight from an address");
  yield* inDirectories(use.values("path"));
  yield* changesBuild(use);
}

/** `cargo watch -x test -s 'command' -- command`. */
function* watchesCargo(use: Use): Iterable<Effect> {
  for (const verb of use.values("x", "exec")) yield interprets("shell", withText(verb, `cargo ${verb.text}`));
  for (const command of use.values("s", "shell")) yield interprets("shell", command);
  if (use.operands.length > 0) yield runs(use.operands);
}

/** `--config build.rustc-wrapper=x`, or building another directory. */
function* changesBuild(use: Use): Iterable<Effect> {
  yield* inDirectories(use.values("manifest-path", "C"));
  for (const setting of use.values("config")) {
    if (/rustc|linker|runner|wrapper|rustdoc|credential|alias|\[env\]|^env\b/u.test(setting.text))
      yield* runsInstead("--config", withText(setting, setting.text.replace(/^[^=]*=\s*["']?|["']$/gu, "")));
    else if (!setting.text.includes("=")) yield loads(setting);
  }
}

const goForm: OptionForm = {
  oneDash: true,
  long: namesIn(`o p exec toolexec overlay modfile tags ldflags gcflags asmflags mod buildmode compiler
    coverprofile cpuprofile memprofile blockprofile mutexprofile trace outputdir run bench benchtime
    count timeout parallel cpu covermode coverpkg C f lang vettool pkgdir pgo replace require exclude go
    toolchain fuzz fuzztime list shuffle skip`),
};

const goVerbs = verbTable(
  [
    ["build, test, vet, generate, list, fix, tool, install", builtByGo],
    ["run", runByGo, { ...goForm, stopAtOperand: true }],
    ["get", installs((use) => [...builtByGo(use)])],
    ["mod tidy, mod download, mod vendor, work sync, work vendor", installing],
    ["clean", ({ has }) => (has("modcache", "cache") ? removing : nothing)],
    [
      "env",
      ({ has, operands }) =>
        has("w", "u") &&
        operands.some(({ text }) => !/^(?:GOOS|GOARCH|CGO_ENABLED|GO111MODULE)\b/u.test(text))
          ? changesSettings
          : nothing,
    ],
    ["telemetry, bug", nothing],
  ],
  { otherwise: nothing, form: goForm },
);

function* builtByGo(use: Use): Iterable<Effect> {
  for (const command of use.values("exec", "toolexec", "vettool")) yield* runsInstead("-exec", command);
  for (const path of use.values("overlay", "modfile", "C")) yield loads(path);
  yield* replaces(
    use.values(
      "o",
      "coverprofile",
      "cpuprofile",
      "memprofile",
      "blockprofile",
      "mutexprofile",
      "trace",
      "outputdir",
    ),
  );
  if (use.operands.some(isVersioned)) yield* installsTools;
}

/** A versioned path such as `example.org/tool@latest` is downloaded. */
const isVersioned = ({ text }: Word): boolean => /^[\w-]+(?:\.[\w-]+)+\/.*@/u.test(text);

function* runByGo(use: Use): Iterable<Effect> {
  for (const command of use.values("exec", "toolexec")) yield* runsInstead("-exec", command);
  const [target] = use.operands;
  if (!target) return;
  if (isVersioned(target))
    yield* [...runsPackage, danger("high", "it installs code straight from an address")].slice(0, 2);
  else if (!/^[\w-]+\.[\w.-]+\//u.test(target.text) || target.text.endsWith(".go")) yield loads(target);
}

const gemForm: OptionForm = {
  short: "vsiPCpg",
  long: namesIn(`version source install-dir bindir host key otp clear-sources path gemfile jobs group
    binstubs without with branch ref git github target working-dir repository repository-url
    working-directory`),
};

/** Names, URLs and registries, in the syntax that most of them share. */
function* fetchedHere(use: Use): Iterable<Effect> {
  yield* fromRegistries(
    use.values("source", "s", "registry", "repository", "repository-url", "host", "mirror", "index", "repo"),
  );
  if (use.has("git", "github")) yield danger("high", "it installs code straight from an address");
  yield* packagesIn(use.operands);
}

const most = installs(fetchedHere);
const stop: OptionForm = { ...gemForm, stopAtOperand: true };

const gemVerbs = verbTable(
  [
    [
      `install, i, update, fetch, upgrade, add, require, create-project, ci, reinstall, self-update,
        global require, global update, outdated --update, get, pub get, pub upgrade, pub add,
        pub global activate, package resolve, package update, deps.get, deps.update, deps.compile,
        local.hex, local.rebar, archive.install, escript.install, igniter.install, refresh, rebar3 deps,
        bower install, selfupdate, self update, trunk setup, bootstrap, pod install, remotes,
        init-script, sync, setup, pin`,
      most,
    ],
    [
      `uninstall, cleanup, remove, rm, global remove, pub remove, archive.uninstall, deps.clean,
        deps.unlock, pub global deactivate, unlink, delete, prune`,
      removing,
    ],
    [
      `push, yank, owner, publish, hex.publish, hex.owner, hex.retire, pub publish, upload, trunk push,
        trunk delete, release, register, unpublish, nuget push, lib publish, sdist --publish`,
      publishes,
    ],
    ["signin, signout, login, logout, hex.user, token, pub token, pub login, auth, user", signsIn],
    ["sources", ({ has }) => (has("a", "add", "r", "remove", "c", "clear-all") ? trustsSource : nothing)],
    [
      `repo add, repo remove, repo add-cdn, repository, remote add, config repositories, hex.repo,
        package-registry`,
      trustsSource,
    ],
    ["config", setsSource],
    ["exec", ({ operands }) => runsLocal(operands, "vendor/bin"), stop],
    ["run, runghc, exec --", runsOwn, stop],
    [
      `list, search, info, show, outdated, query, environment, why, audit, licenses, check, validate,
        dump-autoload, dumpautoload, help, contents, dependency, specification, which, build, test,
        compile, format, new, init, doc, docs, bench, repl, diagnose, status, suggests, fund`,
      nothing,
    ],
  ],
  { otherwise: nothing, form: gemForm },
);

function setsSource({ operands }: Use): readonly Effect[] {
  return operands.some(({ text }) =>
    /^scripts\.|mirror|repositor|registry|source|url|http-basic|token|credential|allow-plugins|secure-http|process-timeout|gem\.push/u.test(
      text,
    ),
  )
    ? changesSettings
    : nothing;
}

function runsOwn({ operands, name }: Use): readonly Effect[] {
  if (name === "bundle" || name === "cabal" || name === "stack" || name === "opam" || name === "luarocks")
    return runsLocal(operands, "vendor/bin");
  return nothing;
}

const mixVerbs = verbTable(
  [
    [
      "ecto.drop, ecto.reset, ecto.rollback, ash.reset, ash.tear_down",
      [danger("high", "it deletes data of a database")],
    ],
    [
      "run, eval",
      ({ values, operands, name }) => [
        ...interpretsAll("other", values("e", "eval")),
        ...(name === "mix" ? [] : nothing),
        ...values("r", "require").map((path) => loads(path)),
        ...operands
          .slice(0, 1)
          .map((path) => (/\.exs?$/u.test(path.text) ? loads(path) : interprets("other", path))),
      ],
    ],
    [
      "cmd, do --",
      ({ operands }) => (operands.length > 0 ? [runs(operands)] : nothing),
      { stopAtOperand: true },
    ],
    ["release", nothing],
  ],
  { otherwise: (use) => tellByVerb(use, gemVerbs), form: { stopAtOperand: true } },
);

export const languagePackages: readonly Program[] = [
  program("cargo", (use) => [...changesBuild(use), ...tellByVerb(withoutToolchain(use), cargoVerbs)], {
    checks: byTask,
    kind: "builds",
    options: { ...cargoForm, stopAtOperand: true },
    verbs: 2,
  }),
  program("go tinygo gotip", (use) => tellByVerb(use, goVerbs), {
    checks: byTask,
    kind: "builds",
    options: { ...goForm, stopAtOperand: true },
    verbs: 2,
  }),
  program(
    `gem bundle bundler composer luarocks cabal stack opam shards dub nimble vcpkg conan pod carthage
      hex rebar3 bower jspm raco quicklisp ocicl pub dart flutter spm mint tlmgr ppm alire alr fpm wapm
      nuget paket renv kpm wally fisher vim-plug packer-nvim jpm jbang coursier cs deps-new`,
    (use) => tellByVerb(use, gemVerbs),
    {
      checks: byTask,
      kind: "builds",
      options: {
        stopAtOperand: true,
        short: "dC",
        long: ["working-dir", "working-directory", "project-directory"],
      },
      verbs: 3,
    },
  ),
  program("mix", (use) => tellByVerb(use, mixVerbs), {
    checks: byTask,
    kind: "builds",
    options: { stopAtOperand: true },
    verbs: 2,
  }),
  program(
    "cpan cpanm cpm cpanp",
    (use) =>
      use.operands.length === 0 || use.has("l", "v", "D", "info", "h")
        ? nothing
        : [
            ...installing,
            ...packagesIn(use.operands),
            ...fromRegistries(use.values("mirror", "from")),
            ...inDirectories(use.values("j")),
          ],
    { kind: "builds", options: { short: "jlL", long: ["mirror", "from", "local-lib"] } },
  ),
  program("swift", swift, {
    checks: byTask,
    kind: "interpreter",
    options: { stopAtOperand: true, short: "e" },
    verbs: 2,
  }),
];

/** `cargo +nightly build`. */
function withoutToolchain(use: Use): Use {
  return use.operands[0]?.text.startsWith("+") ? { ...use, operands: use.operands.slice(1) } : use;
}

function* swift(use: Use): Iterable<Effect> {
  const [verb, second] = use.operands;
  const codes = use.values("e");
  yield* interpretsAll("other", codes);
  if (codes.length > 0) yield doesMore;
  if (codes.length > 0 || use.has("version", "help")) return;
  if (!verb) yield { type: "interprets-input", language: "other" };
  else if (verb.text === "package")
    yield* /^(?:resolve|update|add-dependency)$/u.test(second?.text ?? "") ? installing : nothing;
  else if (/[./]/u.test(verb.text)) yield loads(verb);
  if (verb) yield doesMore;
}
