/** Package managers of JavaScript. */

import { joined, type Word, withText } from "../../command-line/word.ts";
import { compiled } from "../../commands/compiled.ts";
import { tasksThatReachOut } from "../builds/tasks.ts";
import { byTask } from "../checking.ts";
import { danger, doesMore, interprets, replaces, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { interpretsAll, interpretsInput, loadsLibraries, scriptOrInput } from "../interpreting.ts";
import { javascript } from "../languages/javascript-programs.ts";
import { namesIn } from "../listed.ts";
import { type OptionForm, program, type Program, type Use } from "../program.ts";
import { tellByVerb, type VerbTable, verbTable } from "../verbs.ts";
import { runsForEach } from "../wrappers/wrappers-many.ts";
import { readAgain } from "../wrappers/wrapping.ts";
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
} from "./installing.ts";

const form: OptionForm = {
  short: "CwcFpe",
  long: namesIn(`prefix registry userconfig globalconfig cache tag workspace otp access loglevel depth
    script-shell omit include call package dir cwd filter filter-prod reporter store-dir modules-folder
    cache-folder mutex network-timeout network-concurrency node-linker virtual-store-dir config
    workspace-concurrency node-options shell shell-emulator from to exclude outdir outfile target
    env-file preload require import eval print before save-prefix scope`),
};
const stop: OptionForm = { ...form, stopAtOperand: true };
/** `npm install -D x`: the flag letters take no value in this subcommand. */
const installForm: OptionForm = { ...form, short: "Cw" };

const bin = "node_modules/.bin";

/** The names under which programs that build or check a project are installed with it. */
const toolsOfTrade: ReadonlySet<string> = new Set([
  ...compiled.filter(({ kind }) => kind === "builds").flatMap(({ programs }) => namesIn(programs)),
  ...javascript.flatMap(({ names }) => names),
]);

function programOf(spec: Word): Word {
  const name = spec.text.replace(/^@[^/]*\//u, "").replace(/@.*$/su, "");
  return withText(spec, name);
}

/** Common tools run from the project; anything else, or an explicit version, is downloaded first. */
function* runsFetched(words: readonly Word[], isAsked: boolean): Iterable<Effect> {
  const [spec, ...rest] = words;
  if (!spec) return;
  const isOwn = !isAsked && toolsOfTrade.has(spec.text);
  if (!isOwn) yield* runsPackage;
  yield* packagesIn([spec], { owner: true });
  if (!/[/:]/u.test(spec.text) || spec.text.startsWith("@"))
    yield* runsLocal([programOf(spec), ...rest], bin);
}

/** `npx`, `npm exec`, `pnpm dlx`. */
function* executes(use: Use): Iterable<Effect> {
  const codes = use.values("c", "call");
  const packages = use.values("p", "package");
  yield* fromRegistries(use.values("registry"));
  yield* packagesIn(packages, { owner: true });
  if (packages.length > 0) yield* runsPackage;
  for (const code of codes) yield interprets("shell", code);
  if (codes.length > 0 && packages.length === 0) yield danger("medium", "its option -c runs a command");
  if (codes.length > 0) return;
  if (use.has("no-install", "no", "offline")) yield* runsLocal(use.operands, bin);
  else yield* runsFetched(use.operands, use.has("y", "yes", "ignore-existing") || packages.length > 0);
}

const downloads = (use: Use): Effect[] => [
  ...(use.has("c", "shell-mode") ? [interprets("shell", joined(use.operands, " "))] : []),
  ...runsFetched(use.operands, true),
  ...packagesIn(use.values("p", "package"), { owner: true }),
];
const local = ({ operands, has }: Use): Effect[] =>
  has("c", "shell-mode") ? [interprets("shell", joined(operands, " "))] : runsLocal(operands, bin);

/** Without a name it installs the project's dependencies. */
const installsNode = installs((use) => [...packagesIn(use.operands, { owner: true })]);

const setsField = ({ operands }: Use): Iterable<Effect> =>
  operands.some(({ text }) =>
    /^(?:scripts|bin|config|pnpm|workspaces|exports|main|dependencies|devDependencies|overrides|resolutions)\b|^\0/u.test(
      text,
    ),
  )
    ? [danger("high", "it changes what later commands of the project run")]
    : nothing;

const creates = (use: Use): readonly Effect[] =>
  use.operands.length > 0 ? [...runsPackage, ...packagesIn(use.operands, { owner: false })] : nothing;

const common = [
  [
    `install, i, add, bootstrap, in, ins, inst, isntall, ci, clean-install, ic, install-clean, update,
      up, upgrade, udpate, upgrade-interactive, install-test, it, cit, sit, rebuild, rb, link, ln,
      audit fix, global add, global upgrade, fetch, import, unplug, self-update, approve-builds,
      patch-commit`,
    installsNode,
    installForm,
  ],
  ["uninstall, remove, rm, r, un, unlink, prune, global remove", removing, installForm],
  ["dedupe, ddp", ({ has }: Use) => (has("check") ? nothing : installing)],
  [
    `publish, unpublish, deprecate, undeprecate, owner add, owner rm, author add, author rm,
      dist-tag add, dist-tag rm, dist-tags add, dist-tags rm, tag add, tag rm, access, team, org, hook,
      star, unstar, npm publish, npm tag, npm unpublish, npm deprecate, stage, trust`,
    publishes,
  ],
  ["login, logout, adduser, add-user, signup, token, profile, npm login, npm logout", signsIn],
  [
    `config set, config delete, config edit, config rm, config unset, c set, c delete, c edit, set,
      plugin import, plugin remove`,
    changesSettings,
  ],
  ["set version, policies set-version, env use, env add, setup", installsTools],
  ["run, run-script, rum, urn", ({ operands }: Use) => tasksThatReachOut(operands.slice(0, 1)), stop],
  ["set-script", [danger("high", "it changes what later commands of the project run")]],
  ["pkg set, pkg delete, pkg fix", setsField],
  ["init, create, innit, generate", creates],
  ["exec, x", executes, { ...stop, short: "Cwcp" }],
  ["dlx", downloads, { ...stop, short: "pC" }],
  ["explore", ({ operands }: Use) => (operands.length > 1 ? [runs(operands.slice(1))] : nothing)],
  [
    `view, info, show, v, search, s, se, find, outdated, ping, whoami, doctor, audit, npm info,
      npm whoami, npm audit, dist-tag ls, dist-tags, owner ls, docs, repo, bugs, home`,
    asks,
  ],
] as const;

const npmVerbs = verbTable([...common], { otherwise: nothing, form: stop });
/** `pnpm exec` and `yarn exec` run installed programs; `node` is node. */
const otherVerbs = verbTable(
  [
    ...common,
    ["exec", local, { stopAtOperand: true, short: "C" }],
    ["x, dlx", downloads, { ...stop, short: "pC" }],
    ["node", ({ words }) => [runs([...nodeWord, ...words])], { stopAtOperand: true }],
    ["workspaces foreach, workspaces run, recursive, m, multi", again, stop],
    ["workspace", (use) => manager({ ...use, operands: use.operands.slice(1) }), stop],
  ],
  {
    // `pnpm deploy directory` only collects a package there.
    otherwise: ({ name, operands }) =>
      name === "pnpm" && operands[0]?.text === "deploy" ? nothing : ownTool(operands),
    form: stop,
  },
);

const nodeWord: readonly Word[] = [
  { text: "node", isPattern: false, mayBeSeveral: false, carries: new Set() },
];

function again(use: Use): Iterable<Effect> {
  return manager(use);
}

/** `yarn eslint src` runs the project's eslint, but a project script may have any name. */
const ownTool = (operands: readonly Word[]): Effect[] => {
  const [first] = operands;
  if (!first) return [];
  return toolsOfTrade.has(first.text) ? runsLocal(operands, bin) : tasksThatReachOut([first]);
};

const bunVerbs = verbTable(
  [
    ...common,
    ["x", downloads, { ...stop, short: "p" }],
    ["run", ({ operands }) => scriptOrOwn(operands), stop],
    [
      "build",
      ({ values }) => [
        ...loadsLibraries(values("plugin"), "javascript"),
        ...replaces(values("outfile", "outdir")),
      ],
      form,
    ],
    ["upgrade", installsTools],
    [
      "pm cache, pm ls, pm bin, pm hash, pm version, pm pack, pm whoami, test, repl, help, completions, why",
      nothing,
    ],
    ["pm trust, pm untrusted, pm migrate", installing],
    ["exec", ({ operands }) => [interprets("shell", joined(operands, " "))], stop],
  ],
  { otherwise: ({ operands }) => scriptOrOwn(operands), form: stop },
);

const isFile = ({ text }: Word): boolean => /[./]|^-$|\0/u.test(text);

const scriptOrOwn = (operands: readonly Word[]): Effect[] => {
  const [first] = operands;
  return first && isFile(first) ? [...scriptOrInput(operands, "javascript")] : ownTool(operands);
};

export const nodePackages: readonly Program[] = [
  program("npm cnpm", (use) => managed(use, npmVerbs), {
    checks: byTask,
    kind: "builds",
    options: stop,
    verbs: verbsOf,
  }),
  program("rush", rush, {
    checks: byTask,
    kind: "builds",
    options: { ...stop, short: "CwF" },
    verbs: verbsOf,
  }),
  program("yarn yarnpkg pnpm lerna ni nr", (use) => manager(use), {
    checks: byTask,
    kind: "builds",
    options: { ...stop, short: "CwF" },
    verbs: verbsOf,
  }),
  program("npx pnpx yarnx nlx", executes, { kind: "wrapper", options: { ...stop, short: "pcC" } }),
  program(
    "bunx",
    (use) =>
      use.has("no-install")
        ? runsLocal(use.operands, bin)
        : runsFetched(use.operands, use.has("p", "package")),
    {
      kind: "wrapper",
      options: { ...stop, short: "p" },
    },
  ),
  program("bun", bun, {
    checks: byTask,
    kind: "interpreter",
    options: { ...stop, short: "erpcd" },
    verbs: 2,
  }),
  program(
    "corepack",
    ({ operands }) =>
      /^(?:use|up|install|prepare|enable|disable)$/u.test(operands[0]?.text ?? "")
        ? installsTools
        : operands.length > 0
          ? [runs(operands)]
          : nothing,
    {
      kind: "wrapper",
      options: { stopAtOperand: true, long: ["install-directory"] },
    },
  ),
];

/** `concurrently "npm:x" "command"` runs its words as commands; the other programs in this row have no such effects. */
function* managed(use: Use, table: VerbTable): Iterable<Effect> {
  yield* fromRegistries(anywhere(use, "--registry"));
  for (const shell of anywhere(use, "--script-shell"))
    yield danger("high", `it runs scripts with ${shell.text || "another shell"}`);
  yield* inDirectories([
    ...use.values("prefix", "C", "dir", "cwd"),
    ...anywhere(use, "--prefix"),
    ...anywhere(use, "--userconfig"),
  ]);
  yield* tellByVerb(use, table);
}

/** `yarn` alone installs. */
function manager(use: Use): Effect[] {
  if (use.operands.length === 0)
    return use.name.startsWith("yarn") && !use.has("version", "v", "help", "h") ? [...installing] : [];
  return [...managed(use, otherVerbs)];
}

/** Two programs have this name: a manager of packages, and a runner of a command line for each of its inputs. */
function rush(use: Use): Iterable<Effect> {
  const runner = readAgain(use, use.words, rushForm);
  const isRunner =
    use.input.isGiven ||
    runner.has("i", "infile") ||
    runner.operands.some(({ text }) => /[\s{}]/u.test(text));
  return isRunner ? runsForEach(runner, runner.values("i", "infile")) : manager(use);
}

const rushForm = {
  short: "jnrtvdDJoiC",
  long: namesIn(`jobs nrecords retries retry-interval timeout assign field-delimiter record-delimiter
    records-join-separator out-file infile succ-cmd-file trim`),
};

/** An option's values at any position before `--`, since these programs accept options anywhere. */
function anywhere({ words }: Use, option: string): Word[] {
  const end = words.findIndex(({ text }) => text === "--");
  const own = end < 0 ? words : words.slice(0, end);
  return own.flatMap((word, at) => {
    if (word.text.startsWith(`${option}=`)) return [withText(word, word.text.slice(option.length + 1))];
    const next = own[at + 1];
    return word.text === option && next ? [next] : [];
  });
}

function* bun(use: Use): Iterable<Effect> {
  const codes = use.values("e", "eval", "p", "print");
  yield* loadsLibraries(use.values("r", "preload", "require", "import"), "javascript");
  yield* inDirectories(use.values("cwd"));
  yield* interpretsAll("javascript", codes);
  if (codes.length > 0 || use.has("version", "v", "help", "h", "revision")) return;
  if (use.operands[0]?.text === "-") yield interpretsInput("javascript");
  else yield* managed(use, bunVerbs);
  if (!/^(?:help|completions|why|info|outdated)?$/u.test(use.operands[0]?.text ?? "")) yield doesMore;
}

/** How many words identify the action: 2 for `npm install`, 3 for `npm run build`. */
function verbsOf([, verb = ""]: readonly string[]): number {
  return /^(?:run|run-script|exec|x|dlx|workspace|workspaces|config|pkg)$/u.test(verb) ? 3 : 2;
}
