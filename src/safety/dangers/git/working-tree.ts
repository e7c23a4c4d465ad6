/** git subcommands that change files and the index. Content that was never committed cannot be recovered. */

import { isUnknown, type Word } from "../../command-line/word.ts";
import { danger } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { deletes, movesAway, nothing, readsFiles, writes } from "../file-effect-makers.ts";
import { namesIn } from "../listed.ts";
import type { Use } from "../program.ts";
import {
  isOneOf,
  isOpen,
  isRehearsal,
  local,
  looksLikeFile,
  startsOpen,
  type Subcommand,
  wide,
} from "./subcommand.ts";

const discards = danger("high", "it throws away changes in files that are not committed");
const takesSide = danger("medium", "it replaces files by one side of a conflict");
const movesBranch = danger("medium", "it moves a branch away from the commits it has");

const listOf = ({ values }: Use): Effect[] => readsFiles(values("pathspec-from-file"));

function* checkout(use: Use): Iterable<Effect> {
  yield* listOf(use);
  if (startsOpen(use)) {
    yield isOpen("medium", "branches and files");
    return;
  }
  if (use.has("B")) yield movesBranch;
  if (use.has("f", "force")) {
    yield discards;
    return;
  }
  if (use.has("b", "B", "orphan", "detach", "d", "t", "track")) return;
  if (use.has("ours", "theirs", "merge", "m", "conflict") && namesFiles(use)) {
    yield takesSide;
    return;
  }
  if (use.has("p", "patch", "pathspec-from-file") || namesFiles(use)) yield discards;
}

/** Whether files to restore are named: after `--`, as a second operand, or recognisable as paths. */
function namesFiles({ operands, words }: Use): boolean {
  const dashes = words.findIndex(({ text }) => text === "--");
  if (dashes >= 0) return dashes < words.length - 1;
  const [first] = operands;
  return operands.length > 1 || (first !== undefined && isFile(first));
}

const wellKnown =
  /(?:^|\/)(?:Makefile|Dockerfile|Containerfile|LICENSE|README|Gemfile|Rakefile|Procfile|Jenkinsfile|src)$/u;

/** `:/` and `:(glob)` also match files. */
const isFile = ({ text, isPattern }: Word): boolean =>
  isPattern || looksLikeFile(text) || /^:[/(!^]|[*?]|\/$/u.test(text) || wellKnown.test(text);

function* restore(use: Use): Iterable<Effect> {
  yield* listOf(use);
  if (use.has("S", "staged") && !use.has("W", "worktree") && !startsOpen(use)) return;
  yield use.has("ours", "theirs", "m", "merge", "conflict") ? takesSide : discards;
}

function* reset(use: Use): Iterable<Effect> {
  yield* listOf(use);
  if (startsOpen(use)) yield isOpen("high", "your changes");
  if (use.has("hard")) yield discards;
  if (use.has("merge")) yield danger("high", "it throws away what is staged");
}

function* switches(use: Use): Iterable<Effect> {
  if (startsOpen(use)) yield isOpen("medium", "branches and files");
  if (use.has("f", "force", "discard-changes")) yield discards;
  if (use.has("C", "force-create")) yield movesBranch;
}

function* clean(use: Use): Iterable<Effect> {
  if (isRehearsal(use)) return;
  yield danger("high", "it deletes files that git does not keep, for good");
}

function* remove(use: Use): Iterable<Effect> {
  yield* listOf(use);
  if (isRehearsal(use) || (use.has("cached") && !startsOpen(use))) return;
  const isForced = use.has("f", "force");
  if (isForced) yield danger("high", "it deletes files together with changes that are not committed");
  // Without force git refuses to remove files that differ from the last commit, so their content is recoverable.
  yield* isForced ? deletes(use.operands, use.has("r")) : movesAway(use.operands);
}

function* move(use: Use): Iterable<Effect> {
  if (isRehearsal(use)) return;
  yield* movesAway(use.operands.slice(0, -1));
  yield* writes(use.operands.slice(-1), "replaces");
}

function* add(use: Use): Iterable<Effect> {
  yield* listOf(use);
  yield* readsFiles(use.operands.filter((word) => !isUnknown(word)));
}

function* commit(use: Use): Iterable<Effect> {
  yield* readsFiles(use.values("F", "file", "t", "template", "pathspec-from-file"));
  if (use.has("n", "no-verify"))
    yield danger("medium", "it skips the checks that the repository's hooks make");
}

function* checkoutIndex(use: Use): Iterable<Effect> {
  yield* writes(use.values("prefix"), "replaces");
  if (use.has("f", "force") && !use.has("prefix")) yield discards;
}

function* readTree(use: Use): Iterable<Effect> {
  yield* writes(use.values("index-output"), "replaces");
  if (use.has("reset") && use.has("u")) yield discards;
}

const pathspecs = ["pathspec-from-file"];

export const workingTree: readonly Subcommand[] = [
  local("checkout", checkout, {
    options: {
      short: "bB",
      attached: "t",
      long: [...pathspecs, "conflict", "orphan"],
      known: namesIn("force ours theirs merge patch track detach pathspec-file-nul progress"),
    },
  }),
  local("restore", restore, {
    options: {
      short: "s",
      long: [...pathspecs, "source", "conflict"],
      known: ["staged", "worktree", "ours", "theirs", "merge", "patch"],
    },
  }),
  local("reset", reset, {
    options: {
      long: pathspecs,
      known: ["hard", "merge", "mixed", "soft", "keep", "patch", "quiet", "pathspec-file-nul"],
    },
  }),
  local("switch", switches, {
    options: {
      short: "cC",
      attached: "t",
      long: ["create", "force-create", "conflict", "orphan"],
      known: ["force", "discard-changes", "detach", "merge", "track"],
    },
  }),
  local("clean", clean, {
    options: { short: "e", long: ["exclude"], known: ["dry-run", "force", "no-dry-run"] },
  }),
  local("rm", remove, {
    options: { long: pathspecs, known: ["cached", "force", "dry-run", "ignore-unmatch", "quiet"] },
  }),
  local("mv", move, { options: { known: ["dry-run", "force", "verbose"] } }),
  local("add stage", add, {
    options: { long: [...pathspecs, "chmod"], known: ["force", "all", "update", "patch", "dry-run"] },
  }),
  local("commit", commit, {
    options: {
      short: "FmcCt",
      attached: "Su",
      long: [
        ...pathspecs,
        ...namesIn(
          `file author date message reedit-message reuse-message fixup squash trailer template cleanup`,
        ),
      ],
      known: ["no-verify", "amend", "all", "no-edit", "gpg-sign", "verbose", "no-post-rewrite"],
    },
  }),
  local("checkout-index", checkoutIndex, { options: { long: ["prefix", "stage"], known: ["force", "all"] } }),
  local("read-tree", readTree, {
    options: { long: ["index-output", "prefix", "exclude-per-directory"], known: ["reset"] },
  }),
  local("update-index write-tree rerere add--interactive", nothing),
  wide("sparse-checkout", nothing, { isLocal: isOneOf("list", "check-rules") }),
];
