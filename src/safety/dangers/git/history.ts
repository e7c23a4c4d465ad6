/** git subcommands that create, move and drop commits, branches, tags and stashes. */

import { joined, type Word } from "../../command-line/word.ts";
import { danger, interprets, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { nothing, readsFiles, writes } from "../file-effect-makers.ts";
import { namesIn } from "../listed.ts";
import type { Program, Use } from "../program.ts";
import { fetchesFrom } from "./address.ts";
import { byVerb, isOpen, isRehearsal, local, startsOpen, type Subcommand, wide } from "./subcommand.ts";

const skipsChecks = danger("medium", "it skips the checks that the repository's hooks make");
const forgets = danger("high", "it drops commits that nothing else may hold, for good");

function* branch(use: Use): Iterable<Effect> {
  if (startsOpen(use)) yield isOpen("medium", "branches");
  const isForced = use.has("f", "force");
  if (use.has("D") || (isForced && use.has("d", "delete")))
    yield danger("high", "it deletes a branch even when its commits are nowhere else");
  else if (isForced) yield danger("medium", "it moves a branch away from the commits it has");
}

function* tag(use: Use): Iterable<Effect> {
  yield* readsFiles(use.values("F", "file"));
  if (use.has("d", "delete")) yield danger("medium", "it deletes tags");
  else if (use.has("f", "force")) yield danger("medium", "it moves a tag that others may know");
}

/** Aborting discards conflicts that were already resolved by hand. */
function* aborts(use: Use): Iterable<Effect> {
  if (use.has("abort", "skip")) yield danger("medium", "it gives up what was already merged by hand");
}

const strategies = new Set(["ours", "recursive", "resolve", "octopus", "subtree", "ort", "theirs"]);

/** A strategy that is not built in is a program: `git-merge-<name>`. */
export function* strategy(use: Use): Iterable<Effect> {
  for (const { text } of use.values("s", "strategy"))
    if (!strategies.has(text)) yield danger("high", "its option --strategy names a program, which git runs");
}

function* merge(use: Use): Iterable<Effect> {
  yield* aborts(use);
  yield* strategy(use);
  yield* readsFiles(use.values("F", "file"));
  if (use.has("no-verify")) yield skipsChecks;
}

function* rebase(use: Use): Iterable<Effect> {
  yield* aborts(use);
  yield* strategy(use);
  for (const code of use.values("x", "exec")) yield* [forEachCommit, interprets("shell", code)];
  if (use.has("no-verify")) yield skipsChecks;
}

/** Here `-s` means sign-off; only `--strategy` names a strategy. */
const picking = {
  short: "mX",
  attached: "S",
  long: ["cleanup", "mainline", "strategy", "strategy-option"],
  known: ["abort", "skip", "quit", "continue", "no-commit", "gpg-sign", "no-edit"],
};

const output = ({ values }: Use): Effect[] => writes(values("output"), "replaces");

const stash = byVerb(
  [
    ["drop, clear", [danger("high", "it drops stashed changes for good")]],
    ["show", output, { long: ["output"] }],
    ["push, save, list, apply, pop, branch, create, store, export, import", []],
  ],
  {},
);

const notes = byVerb(
  [
    [
      "add, append, edit",
      ({ values }) => readsFiles(values("F", "file")),
      { short: "FmCc", long: ["file", "message"] },
    ],
    ["remove, prune", ({ has }) => (has("n", "dry-run") ? [] : [danger("medium", "it removes notes")])],
  ],
  {},
);

const reflogVerbs = byVerb(
  [
    ["expire, delete", (rest) => (isRehearsal(rest) ? [] : [forgets])],
    ["show", output, { long: ["output"] }],
  ],
  { long: ["output"] },
  output,
);

const reflog: Program["does"] = (use) => [...output(use), ...reflogVerbs(use)];

const forEachCommit = danger("high", "it runs a command for each of many commits");

const bisect = byVerb(
  [
    ["run", ({ operands }) => [forEachCommit, runs(operands)], { stopAtOperand: true }],
    ["replay", ({ operands }) => readsFiles(operands)],
  ],
  {},
);

/** Git refuses a place where something is. */
const newPlace = (paths: readonly Word[]): Effect[] =>
  paths.map((path) => ({ type: "writes", path, how: "creates", isNew: true }));

const worktree = byVerb(
  [
    [
      "add",
      ({ operands, has }) => [
        ...newPlace(operands.slice(0, 1)),
        ...(has("B") ? [danger("medium", "it moves a branch away from the commits it has")] : []),
      ],
      { short: "bB", long: ["reason"] },
    ],
    ["move", ({ operands }) => newPlace(operands.slice(1, 2))],
    [
      "remove",
      ({ has }) =>
        has("f", "force")
          ? [danger("high", "it deletes a working tree together with changes that are not committed")]
          : [],
    ],
  ],
  { known: ["force"] },
);

function* collect(use: Use): Iterable<Effect> {
  const expiry = use.value("prune");
  if (expiry && !/^(?:never|\d+[. ](?:day|week|month|year)s?(?:[. ]ago)?)$/u.test(expiry.text)) yield forgets;
}

function* updateRef(use: Use): Iterable<Effect> {
  if (use.has("d", "delete") || startsOpen(use))
    yield danger("high", "it deletes a branch or tag without any check");
  else if (use.has("stdin")) yield danger("high", "it changes branches as its input says, without any check");
  else yield danger("medium", "it moves a branch or tag without any check");
}

function* symbolicRef(use: Use): Iterable<Effect> {
  if (use.has("d", "delete")) yield danger("high", "it deletes a reference without any check");
  else if (use.operands.length > 1) yield danger("medium", "it makes a reference stand for another branch");
}

const filters = ["env-filter", "tree-filter", "index-filter", "parent-filter", "msg-filter"];
const allFilters = [...filters, "commit-filter", "tag-name-filter", "setup"];

function* filterBranch(use: Use): Iterable<Effect> {
  yield danger("high", "it rewrites the history of branches");
  for (const code of use.values(...allFilters)) yield interprets("shell", code);
}

function* fastImport(use: Use): Iterable<Effect> {
  yield* writes(use.values("export-marks", "export-pack-edges"), "replaces");
  yield* readsFiles(use.values("import-marks", "import-marks-if-exists"));
  const isGrave = use.has("force", "allow-unsafe-features");
  yield danger(isGrave ? "high" : "medium", "it makes commits and moves branches as its input says");
}

function* subtree(use: Use): Iterable<Effect> {
  const [verb, first] = use.operands;
  if (verb?.text === "push") yield danger("medium", "it publishes commits");
  if (["push", "pull", "add"].includes(verb?.text ?? "")) yield* fetchesFrom(first);
}

/** The first operand is run as a command. */
const mergeIndex: Program["does"] = ({ operands }) => [
  danger("high", "it runs a program for each file of a merge"),
  interprets("shell", joined(operands.slice(0, 1))),
];

export const history: readonly Subcommand[] = [
  wide("branch", branch, {
    isLocal: ({ has }) =>
      !has("u", "set-upstream-to", "unset-upstream", "edit-description", "m", "M", "c", "C", "move", "copy"),
    options: {
      short: "u",
      attached: "t",
      long: ["set-upstream-to", "sort", "points-at", "format"],
      known: namesIn("delete force move copy list edit-description show-current unset-upstream track"),
    },
  }),
  local("tag", tag, {
    options: {
      short: "mFu",
      attached: "n",
      long: ["message", "file", "cleanup", "local-user", "sort", "format"],
      known: ["delete", "force", "list", "annotate", "sign", "verify"],
    },
  }),
  local("merge", merge, {
    options: {
      short: "sXmF",
      attached: "S",
      long: ["cleanup", "strategy", "strategy-option", "message", "into-name", "file"],
      known: namesIn(`abort quit continue no-verify no-verify-signatures no-ff ff-only squash gpg-sign`),
    },
  }),
  local("rebase", rebase, {
    options: {
      short: "CsXx",
      attached: "Sr",
      long: ["onto", "whitespace", "empty", "exec", "strategy", "strategy-option"],
      known: namesIn(`abort skip quit continue no-verify interactive autostash edit-todo rebase-merges`),
    },
  }),
  local("cherry-pick revert", (use) => [...aborts(use), ...strategy(use)], { options: picking }),
  local("stash", stash, { options: { stopAtOperand: true } }),
  local("notes", notes, { options: { long: ["ref"], stopAtOperand: true } }),
  local("reflog", reflog, { options: { long: ["output"], stopAtOperand: true } }),
  wide("bisect bisect--helper", bisect, {
    isLocal: ({ operands: [verb] }) => !["run", "visualize", "view"].includes(verb?.text ?? ""),
    options: { stopAtOperand: true },
  }),
  local("worktree", worktree, { options: { stopAtOperand: true } }),
  local("gc", collect, { options: { known: ["prune", "aggressive", "auto", "quiet", "force"] } }),
  local("prune", (use) => (isRehearsal(use) ? [] : [forgets]), {
    options: { long: ["expire"], known: ["dry-run"] },
  }),
  local("repack", ({ has }) =>
    has("a") && has("d") && !has("k") ? [danger("medium", "it drops objects that nothing refers to")] : [],
  ),
  local("update-ref", updateRef, {
    options: { short: "m", known: ["stdin", "delete", "no-deref", "create-reflog"] },
  }),
  local("symbolic-ref", symbolicRef, { options: { short: "m", known: ["delete", "quiet", "short"] } }),
  local("replace", ({ operands }) =>
    operands.length > 0 ? [danger("medium", "it makes git show one commit for another")] : [],
  ),
  wide("filter-branch", filterBranch, {
    options: {
      short: "d",
      long: [...allFilters, "subdirectory-filter", "original", "state-branch"],
      known: ["force", "prune-empty"],
    },
  }),
  local("fast-import", fastImport, {
    options: {
      known:
        namesIn(`force allow-unsafe-features export-marks import-marks import-marks-if-exists export-pack-edges
        quiet stats done`),
    },
  }),
  wide("subtree", subtree, {
    options: { short: "Pmb", long: ["prefix", "message", "branch", "onto", "annotate"] },
  }),
  wide("merge-index", mergeIndex, { options: { stopAtOperand: true } }),
  local(
    `merge-recursive merge-recursive-ours merge-recursive-theirs merge-subtree merge-resolve
      merge-octopus merge-one-file`,
    nothing,
  ),
];
