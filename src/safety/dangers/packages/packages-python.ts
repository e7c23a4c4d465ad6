/** Package managers of Python. */

import { literal, type Word } from "../../command-line/word.ts";
import { danger, doesMore, loads, reads, replaces, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { namesIn } from "../listed.ts";
import { type OptionForm, program, type Program, type Use } from "../program.ts";
import { after, tellByVerb, verbTable } from "../verbs.ts";
import {
  asks,
  changesSettings,
  fromRegistries,
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

const pipForm: OptionForm = {
  short: "rcetifdw",
  long: namesIn(`requirement constraint editable target platform python-version implementation abi root
    prefix src upgrade-strategy config-settings global-option build-option no-binary only-binary
    progress-bar report index-url extra-index-url find-links proxy retries timeout exists-action
    trusted-host cert client-cert cache-dir log dest wheel-dir python index default-index extra group
    extras format output with with-editable with-requirements from project directory package env-file
    output-file source dev name channel file manifest-path`),
};
const pipStop: OptionForm = { ...pipForm, stopAtOperand: true };
const bin = ".venv/bin";

/** Package sources and packages; shared by pip and compatible programs. */
function* sources(use: Use): Iterable<Effect> {
  yield* fromRegistries(
    use.values("i", "index-url", "extra-index-url", "f", "find-links", "index", "default-index", "source"),
  );
  if (use.has("trusted-host"))
    yield danger("high", "it takes packages from a host without looking who that is");
  yield* reads(use.values("r", "requirement", "c", "constraint"));
  yield* replaces(
    use.values("t", "target", "root", "d", "dest", "w", "wheel-dir", "report", "log", "o", "output-file"),
  );
  yield* packagesIn([...use.operands, ...use.values("e", "editable", "with", "from", "with-editable")]);
}

const installsPython = installs(sources);

/** The verbs of `pip`, also used for `uv pip`. */
const pipVerbs = verbTable(
  [
    ["install, download, wheel, sync, compile, lock", installsPython],
    ["uninstall, remove", removing],
    ["config set, config unset, config edit", changesSettings],
    ["list, show, freeze, check, inspect, debug, hash, help, cache, completion, config, tree", nothing],
    ["index, search", asks],
  ],
  { otherwise: nothing, form: pipForm },
);

const toolVerbs = [
  [
    `add, install, sync, update, upgrade, lock, self update, tool install, tool upgrade, python install,
      python upgrade, self add, plugin add, inject, upgrade-all, reinstall, reinstall-all, ensurepath,
      env create`,
    installsPython,
  ],
  [
    `remove, uninstall, tool uninstall, python uninstall, self remove, plugin remove, uninstall-all,
      env remove, env prune, prune, uninject`,
    removing,
  ],
  ["publish, upload", publishes],
  ["login, auth login, auth logout, auth token, config pypi-token.pypi", signsIn],
  ["config, self config, config set", setsConfig],
  ["source add, source remove", trustsSource],
  [
    `venv, virtualenv, init, new, version, build, show, tree, export, check, tool list, tool dir,
      python list, python find, python pin, cache, list, info, environment, help, shell, env, about,
      lint, format, fmt`,
    nothing,
  ],
  ["tool run, run-tool", runsTool, pipStop],
  ["run, exec", runsInEnvironment, { ...pipStop, short: "pC" }],
  ["pip", (use: Use) => tellByVerb(use, pipVerbs), { stopAtOperand: true }],
] as const;

const managerVerbs = verbTable([...toolVerbs], { otherwise: nothing, form: pipForm });

/** `pipx run` downloads; `uv run` runs what the project has. */
const pipxVerbs = verbTable(
  [["run", runsTool, pipStop], ...toolVerbs.filter(([verbs]) => verbs !== "run, exec")],
  { otherwise: nothing, form: pipForm },
);

function setsConfig({ operands, has }: Use): readonly Effect[] {
  if (
    operands.some(({ text }) =>
      /repositories|pypi-token|http-basic|certificates|index|registry|plugins/u.test(text),
    )
  )
    return changesSettings;
  return has("unset") || operands.length < 2 ? nothing : [];
}

function* runsTool(use: Use): Iterable<Effect> {
  const [spec, ...rest] = use.operands;
  yield* runsPackage;
  yield* fromRegistries(use.values("i", "index-url", "extra-index-url", "index", "default-index"));
  yield* packagesIn([...(spec ? [spec] : []), ...use.values("from", "with", "spec")]);
  if (spec && !/[/:]/u.test(spec.text))
    yield* runsLocal([{ ...spec, text: spec.text.replace(/[@=<>[].*$/su, "") }, ...rest], bin);
}

function* runsInEnvironment(use: Use): Iterable<Effect> {
  if (use.has("with", "with-editable", "with-requirements")) {
    yield* installing;
    yield* packagesIn(use.values("with", "with-editable"));
  }
  for (const name of use.values("m", "module"))
    yield runs([literal("python"), literal("-m"), name, ...use.operands]);
  const [first] = use.operands;
  if (!first || use.has("m", "module")) return;
  if (/^https?:/u.test(first.text)) yield danger("critical", "it runs code from the network");
  else if (first.text === "-") yield { type: "interprets-input", language: "python" };
  else if (first.text.endsWith(".py")) yield loads(first, "python");
  else yield* runsLocal(use.operands, bin);
}

export const pythonPackages: readonly Program[] = [
  program("pip pip3", (use) => tellByVerb(use, pipVerbs), {
    kind: "builds",
    options: { ...pipStop, short: "" },
    verbs: 2,
  }),
  program("easy_install", (use) => [...installing, ...packagesIn(use.operands)], { options: pipForm }),
  program("pipx", (use) => tellByVerb(use, pipxVerbs), { kind: "wrapper", options: pipStop, verbs: 2 }),
  program("uvx", runsTool, { kind: "wrapper", options: { ...pipStop, short: "wpif" } }),
  program("uv poetry pdm hatch rye pipenv flit pixi", (use) => manages(use), {
    kind: "builds",
    options: { stopAtOperand: true, short: "CPpe", long: ["directory", "project", "env", "config-file"] },
    verbs: 2,
  }),
  program("conda mamba micromamba", (use) => conda(use), {
    kind: "builds",
    options: { stopAtOperand: true },
    verbs: 3,
  }),
  program(
    "virtualenv pyvenv virtualenvwrapper mkvirtualenv",
    ({ operands }) =>
      operands.map((path): Effect => ({ type: "writes", path, how: "creates", isBuilt: true })),
    { options: { short: "p", long: ["python", "prompt"] } },
  ),
  program(
    "pip-compile pip-sync pipreqs pip-tools pip-check pipdeptree pip-licenses",
    (use) =>
      use.name === "pip-sync"
        ? [...installing, ...fromRegistries(use.values("i", "index-url"))]
        : use.name.startsWith("pipdep") || use.has("help", "version")
          ? nothing
          : [doesMore, ...replaces(use.values("o", "output-file"))],
    { options: pipForm },
  ),
  program(
    "twine",
    ({ operands }) => (/^(?:upload|register)$/u.test(operands[0]?.text ?? "") ? publishes : nothing),
    { options: { short: "rup", long: ["repository", "repository-url", "username", "password"] } },
  ),
  program(
    `pyenv rbenv nodenv goenv jenv plenv phpenv luaenv tfenv tgenv kerl kiex ghcup juliaup elan swiftenv
      jabba nvm fnm n volta nodebrew sdk sdkman rustup gvm rvm chruby uru xenv proto pkgx hermit aqua`,
    toolchains,
    { kind: "builds", options: { stopAtOperand: true }, verbs: 2 },
  ),
  program(
    `pyinstaller nuitka cx_freeze py2exe shiv pex zipapp cythonize cython f2py setuptools-scm
      pyproject-build bump2version bumpversion tbump cookiecutter copier`,
    (use) =>
      /^(?:cookiecutter|copier)$/u.test(use.name)
        ? packagesIn(use.operands.slice(0, 1), { owner: true })
        : [],
    { kind: "builds" },
  ),
];

function* manages(use: Use): Iterable<Effect> {
  for (const path of use.values("directory", "project", "C", "P")) yield loads(path);
  if (use.name === "pipenv" && use.operands[0]?.text === "install") yield* installing;
  else yield* tellByVerb(use, managerVerbs);
}

const condaForm: OptionForm = {
  short: "ncpf",
  long: ["name", "channel", "prefix", "file", "revision", "cwd"],
  stopAtOperand: false,
};

function* conda(use: Use): Iterable<Effect> {
  const [verb, second] = use.operands;
  const word = verb?.text ?? "";
  if (word === "run") {
    yield* runsWithin(after(use, use.operands.slice(1), { ...condaForm, stopAtOperand: true }));
    return;
  }
  const inner = after(use, use.operands.slice(1), condaForm);
  const deeper = word === "env" ? (second?.text ?? "") : word;
  if (/^(?:install|create|update|upgrade|build)$/u.test(deeper))
    yield* [...installing, ...fromChannels(inner.values("c", "channel")), ...packagesIn(inner.operands)];
  else if (/^(?:remove|uninstall)$/u.test(deeper)) yield* removing;
  else if (word === "config" && inner.has("add", "set", "append", "prepend", "remove"))
    yield* changesSettings;
  else if (/^(?:init|upload)$/u.test(word))
    yield danger(
      "high",
      word === "init"
        ? "it changes the startup files of your shell"
        : "it changes what is published for others",
    );
}

const runsWithin = ({ operands }: Use): Effect[] => (operands.length > 0 ? [runs(operands)] : []);

const fromChannels = (channels: readonly Word[]): Effect[] =>
  fromRegistries(channels.filter(({ text }) => text.includes("://")));

/** The index of the first word after the program's own options, which select a version. */
function startOf(words: readonly Word[]): number {
  let at = 0;
  while (words[at]?.text.startsWith("-") === true)
    at += /^--(?:using|node|npm|yarn|version|toolchain)$/u.test(words[at]?.text ?? "") ? 2 : 1;
  return at;
}

const gets =
  /^(?:install|update|upgrade|add|use|latest|lts|stable|default|global|local|fetch|pin|self|toolchain|component|target|up|i|u|\d.*|v\d.*|lts\/.*)$/u;

/** Programs that manage the language installations themselves. */
function* toolchains({ name, operands }: Use): Iterable<Effect> {
  const [verb, ...rest] = operands;
  if (!verb) return;
  const { text } = verb;
  if (/^(?:exec|run|which|where)$/u.test(text)) {
    const words =
      name === "rustup" || name === "volta" || name === "fnm" || name === "nvm"
        ? rest.slice(name === "rustup" || name === "nvm" ? 1 : 0)
        : rest;
    const command = words.slice(startOf(words));
    if (text === "exec" || text === "run") yield* command.length > 0 ? runsLocal(command, bin) : [];
    return;
  }
  if (
    /^(?:uninstall|remove|rm|purge|prune|implode)$/u.test(text) ||
    /^(?:uninstall|remove)$/u.test(rest[0]?.text ?? "")
  )
    yield* removing;
  else if (
    /^(?:list|show|versions|version|which|home|doc|man|help|current|ls|ls-remote|completions|check|env)$/u.test(
      rest[0]?.text ?? "",
    )
  )
    return;
  else if (name !== "volta" && /^(?:global|local|use|default|pin|override|shell)$/u.test(text)) return;
  else if (gets.test(text)) yield* installsTools;
}
