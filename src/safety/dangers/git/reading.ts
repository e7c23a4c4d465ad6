/** git subcommands that only read: commits, files, the repository's state. */

import { literal, type Word } from "../../command-line/word.ts";
import type { Effect } from "../effect.ts";
import { nothing, printsFound, readsFiles, runsByOption, writes } from "../file-effect-makers.ts";
import { namesIn } from "../listed.ts";
import type { OptionForm, Use } from "../program.ts";
import { filesAmong, local, type Subcommand, wide } from "./subcommand.ts";

/**
 * Options for printing a log or a diff. The value of an unlisted option is taken for a name, which errs on the safe
 * side.
 */
const differences: OptionForm = {
  short: "nSGOLl",
  attached: "UMCBXDw",
  long: namesIn(`output author committer grep since until after before skip max-count src-prefix dst-prefix
      line-prefix inter-hunk-context ignore-matching-lines exclude glob`),
};

const output = ({ values }: Use): Effect[] => writes(values("output"), "replaces");

function* shows(use: Use): Iterable<Effect> {
  yield* output(use);
  yield* readsFiles([...use.values("O"), ...filesAmong(use)]);
  if (use.has("name-only")) yield printsFound([literal(".")]);
}

/** A log lists files, but prints their content only if an option requests it. */
function* logs(use: Use): Iterable<Effect> {
  yield* output(use);
  const isText = use.has("p", "u", "patch", "L", "S", "G", "c", "cc");
  if (isText) yield* readsFiles(filesAmong(use));
}

/** The configured programs for certain kinds of files do not run unless an option requests them. */
const withoutPrograms = { isLocal: ({ has }: Use): boolean => !has("ext-diff", "textconv", "filters") };

function* greps(use: Use): Iterable<Effect> {
  for (const { name, value } of use.options)
    if (value && ["O", "open-files-in-pager"].includes(name)) yield* runsByOption("-O", value);
  if (use.has("l", "L", "name-only", "files-with-matches")) yield printsFound([literal(".")]);
  const files = use.has("e", "f", "and", "or") ? use.operands : use.operands.slice(1);
  yield* readsFiles([...use.values("f"), ...files.filter(({ text }) => text !== "HEAD")]);
}

function* blames(use: Use): Iterable<Effect> {
  yield* readsFiles([...use.values("contents", "S", "ignore-revs-file"), ...filesAmong(use)]);
  yield* output(use);
}

/** Anywhere in the workspace this is the workspace's repository; elsewhere the answer is known only at run time. */
function* tellsWhere({ words, around }: Use): Iterable<Effect> {
  const { workspace, directory } = around;
  if (directory !== workspace && directory?.startsWith(`${workspace}/`) !== true) return;
  const [first, second] = words.filter(({ text }) => !text.startsWith("--path-format"));
  if (!first || (second && first.text !== "--git-path")) return;
  if (/^--show-(?:toplevel|cdup)$/u.test(first.text)) yield prints(workspace);
  else if (/^--(?:absolute-git|git|git-common)-dir$/u.test(first.text)) yield prints(`${workspace}/.git`);
  else if (first.text === "--git-path" && second) yield prints(`${workspace}/.git/${second.text}`);
}

const prints = (text: string): Effect => ({ type: "prints", text: literal(text) });

const outputDirectory = ({ values }: Use): Effect[] => writes(values("o", "output-directory"), "creates");
const listed = ({ values, name }: Use): Effect[] => [
  ...(name === "ls-files" ? [printsFound([literal(".")])] : []),
  ...readsFiles(values("X", "exclude-from", "F", "file", "ignore-revs-file").filter(isName)),
];
const isName = ({ text }: Word): boolean => text !== "-";

export const reading: readonly Subcommand[] = [
  wide("diff show diff-files diff-index diff-tree diff-pairs range-diff", shows, {
    ...withoutPrograms,
    options: differences,
  }),
  wide("log whatchanged shortlog rev-list", logs, { ...withoutPrograms, options: differences }),
  local("blame annotate pickaxe", blames, {
    options: { short: "SL", attached: "MC", long: ["contents", "ignore-rev", "ignore-revs-file", "output"] },
  }),
  local("grep", greps, {
    options: {
      short: "efCABm",
      attached: "O",
      long: ["context", "after-context", "before-context", "threads", "max-count", "max-depth"],
      known: ["open-files-in-pager", "or", "and", "only-matching"],
    },
  }),
  wide("cat-file", (use) => readsFiles(filesAmong(use)), {
    ...withoutPrograms,
    options: { long: ["path"], known: ["textconv", "filters"] },
  }),
  local(
    `status ls-tree describe name-rev merge-base for-each-ref show-ref show-branch count-objects fsck
    fsck-objects var version check-ignore check-attr check-mailmap check-ref-format column stripspace patch-id
    get-tar-commit-id cherry merge-tree show-index verify-commit verify-tag verify-pack last-modified repo replay
    merge-ours`,
    nothing,
  ),
  local("rev-parse", tellsWhere),
  local("ls-files fmt-merge-msg", listed, {
    options: {
      short: "xXFm",
      long: ["exclude", "exclude-from", "exclude-per-directory", "with-tree", "format", "file"],
    },
  }),
  local("bugreport diagnose", outputDirectory, {
    options: { short: "os", long: ["output-directory", "suffix"], known: ["mode", "diagnose"] },
  }),
  wide("help", nothing, { isLocal: ({ has }) => !has("w", "web", "m", "man", "i", "info") }),
];
