/** Programs around git: large-file support, history rewriting, hook managers, scanners, text interfaces. */

import { danger, interprets, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { nothing, readsFiles, writes } from "../file-effect-makers.ts";
import { namesIn } from "../listed.ts";
import { program, type Program, type Use } from "../program.ts";
import { always, asks, tellByVerb, verbTable } from "../verbs.ts";
import { fetchesFrom } from "./address.ts";

const publishes = danger("medium", "it publishes commits");
const rewrites = danger("high", "it rewrites the history of the repository");
const setsUpHooks = always("it sets up hooks that git runs from now on");

const largeFiles = verbTable(
  [
    ["install, update", always("it sets up git's filters and hooks for large files", "medium")],
    ["uninstall", always("it removes git's filters for large files", "medium")],
    ["push", [...asks, publishes]],
    ["pull, fetch, clone", asks],
    ["migrate info", []],
    ["migrate", [rewrites]],
    ["lock", [...asks, danger("medium", "it locks files for others")]],
    [
      "unlock",
      ({ has }) => [...asks, danger(has("f", "force") ? "high" : "medium", "it unlocks files for others")],
    ],
    ["locks", asks],
    ["prune", always("it deletes copies of large files that it does not need", "medium")],
    ["pointer", ({ values }) => readsFiles(values("file")), { long: ["file", "pointer"] }],
  ],
  { otherwise: [], form: { known: ["force"] } },
);

const callbacks = namesIn("filename message name email refname blob commit tag reset file-info path").map(
  (name) => `${name}-callback`,
);

function* filtersRepository(use: Use): Iterable<Effect> {
  yield* readsFiles(use.values("replace-text", "paths-from-file", "mailmap", "replace-message"));
  for (const code of use.values(...callbacks)) yield interprets("python", code);
  if (!use.has("analyze", "dry-run")) yield rewrites;
}

const hookKeeper = verbTable(
  [
    ["install, init, add, set, init-templatedir, migrate-config", setsUpHooks],
    ["uninstall, unset", always("it takes git hooks away", "medium")],
    [
      "try-repo",
      ({ operands: [address] }) => [
        ...fetchesFrom(address),
        danger("high", "it runs hooks of another repository"),
      ],
    ],
    ["autoupdate", [...asks, danger("medium", "it takes newer hooks, which run code of their own")]],
    ["install-hooks", always("it installs packages, which run code of their own", "medium")],
  ],
  {
    otherwise: ({ values }) =>
      values("c", "config").map((path): Effect => ({ type: "loads", path, language: "other" })),
    form: { short: "c", long: ["config"] },
  },
);

function* reports(use: Use): Iterable<Effect> {
  yield* writes(use.values("r", "report-path", "o", "output"), "replaces");
  yield* readsFiles(use.values("c", "config", "b", "baseline-path", "context"));
}

/** Such a program's configuration, in the workspace, may define commands of its own. */
const byVerbs = (
  names: string,
  table: ReturnType<typeof verbTable>,
  more: Partial<Program> = {},
): Program => ({
  ...program(names, (use) => tellByVerb(use, table), { options: { stopAtOperand: true }, verbs: 2 }),
  ...more,
});

const flow = verbTable(
  [
    ["feature publish, release publish, hotfix publish, bugfix publish, feature push", [...asks, publishes]],
    ["feature pull, feature track, release track", asks],
    [
      "feature delete, release delete, hotfix delete, bugfix delete",
      always("it deletes a branch with its commits"),
    ],
  ],
  { otherwise: [] },
);

const stacked = verbTable(
  [
    [
      "submit, ss, s, push, land, merge, sync, ship, propose, repo sync, append, hack, diff",
      [...asks, publishes],
    ],
    [
      `log, ls, status, branch, switch, checkout, co, up, down, top, bottom, info, create, modify,
        restack, continue`,
      [],
    ],
    ["delete, fold, kill, undo, abort", always("it drops branches or commits", "medium")],
  ],
  { otherwise: always("it changes branches here and on the host", "medium") },
);

const manyRepositories = verbTable(
  [
    ["forall", ({ values }) => values("c").map((code) => interprets("shell", code)), { short: "c" }],
    ["upload", [...asks, publishes]],
    ["init, sync, download", asks],
    ["prune, abandon", always("it deletes branches with their commits")],
  ],
  { otherwise: [], form: {} },
);

export const gitTools: readonly Program[] = [
  byVerbs("git-lfs", largeFiles),
  program("git-filter-repo git_filter_repo.py", filtersRepository, {
    options: {
      long: [
        ...callbacks,
        ...namesIn(`replace-text paths-from-file mailmap replace-message path path-glob path-regex path-rename
      strip-blobs-bigger-than source target refs subdirectory-filter`),
      ],
      known: ["force", "analyze", "dry-run", "invert-paths"],
    },
  }),
  program("bfg", () => [rewrites]),
  program("gitleaks trufflehog detect-secrets git-secrets ggshield secretlint", reports, {
    options: {
      short: "rocb",
      long: ["report-path", "output", "config", "baseline-path", "source", "report-format"],
    },
  }),
  byVerbs("pre-commit prek husky lefthook overcommit simple-git-hooks captainhook", hookKeeper, {
    kind: "builds",
  }),
  program("lint-staged nano-staged pretty-quick", nothing, { kind: "builds" }),
  program(
    "commitlint gitlint commitizen cz git-cz opencommit git-sizer git-quick-stats onefetch git-summary",
    nothing,
  ),
  program(
    "git-cliff conventional-changelog auto-changelog",
    ({ values }) => writes(values("o", "output", "outfile", "prepend"), "replaces"),
    {
      options: { short: "oicrtp", long: ["output", "outfile", "config", "tag", "prepend"] },
    },
  ),
  program(
    "git-absorb git-branchless git-interactive-rebase-tool gitk gitg git-cola tig lazygit gitui grv",
    nothing,
  ),
  program("diff-so-fancy", nothing),
  byVerbs("git-flow", flow),
  byVerbs("gt spr git-town stg git-spice gs-stack av", stacked),
  program("git-review", (use) => [...asks, ...(use.has("d", "l", "list") ? [] : [publishes])], {
    options: { short: "dt" },
  }),
  byVerbs("repo", manyRepositories),
  program("git-crypt git-secret", ({ operands: [verb] }) =>
    verb && /^(?:unlock|reveal|cat|export-key)$/u.test(verb.text)
      ? [...always("it decrypts what is kept encrypted"), { type: "prints", flows: ["secret"] }]
      : [],
  ),
  program("degit tiged gitpick", ({ operands: [, directory] }) => [
    ...asks,
    ...writes(directory ? [directory] : [], "creates"),
  ]),
  program("ghq", ({ operands: [verb] }) => (verb && /^(?:get|clone)$/u.test(verb.text) ? asks : [])),
  program("git-credential-manager git-credential-oauth", ({ operands: [verb] }) =>
    verb?.text === "get"
      ? [...always("it prints a stored password"), { type: "prints", flows: ["secret"] }]
      : [],
  ),
  program("scalar", ({ words: [verb, ...rest] }) =>
    verb?.text === "clone"
      ? [runs([{ ...verb, text: "git" }, verb, ...rest])]
      : verb?.text === "delete"
        ? rest.flatMap((path): Effect[] => [{ type: "deletes", path, deep: true }])
        : [],
  ),
];
