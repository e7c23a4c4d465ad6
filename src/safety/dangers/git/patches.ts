/** git subcommands that transfer work in files (patches, mails, bundles), and those that create a repository. */

import { literal, type Word } from "../../command-line/word.ts";
import { danger } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { nothing, readsFiles, runsByOptions, writes } from "../file-effect-makers.ts";
import { namesIn } from "../listed.ts";
import type { Program, Use } from "../program.ts";
import { fetchesFrom } from "./address.ts";
import { templates } from "./remotes.ts";
import { byVerb, local, type Subcommand, wide } from "./subcommand.ts";

/** The files that a patch changes, or any in the directory if its text is not known. */
function patched({ input: { text } }: Use): Word[] {
  if (!text) return [literal(".")];
  const found = text.text.matchAll(/^(?:\+\+\+ (?:b\/)?|rename to |copy to )([^\t\n]+)/gmu);
  return [...found].map(([, path = ""]) => literal(path)).filter(({ text }) => text !== "/dev/null");
}

function* apply(use: Use): Iterable<Effect> {
  yield* readsFiles(use.operands);
  yield* writes(use.values("build-fake-ancestor"), "replaces");
  if (use.has("stat", "numstat", "summary", "check") && !use.has("apply")) return;
  if (use.has("unsafe-paths")) yield danger("high", "it lets a patch change files outside of the repository");
  yield* writes(patched(use), "edits");
}

function* applyMails(use: Use): Iterable<Effect> {
  yield* readsFiles(use.operands);
  if (use.has("abort", "skip")) yield danger("medium", "it gives up what was already merged by hand");
  if (use.has("no-verify")) yield danger("medium", "it skips the checks that the repository's hooks make");
  yield* writes(patched(use), "edits");
}

function* formatPatch(use: Use): Iterable<Effect> {
  yield* writes(use.values("o", "output-directory"), "creates");
  yield* writes(use.values("output"), "replaces");
  yield* readsFiles(use.values("signature-file", "description-file"));
}

const mailPrograms = ["sendmail-cmd", "to-cmd", "cc-cmd", "header-cmd", "compose-cmd"];

const isPatch = ({ text }: Word): boolean => text.includes(".") || text.startsWith("/");

function* sendEmail(use: Use): Iterable<Effect> {
  yield* runsByOptions(use, mailPrograms);
  for (const { text } of use.values("smtp-server"))
    if (text.startsWith("/")) yield danger("high", "its option --smtp-server runs a program");
  if (use.has("dry-run", "dump-aliases")) return;
  yield { type: "sends", to: use.values("to").at(0), files: use.operands.filter(isPatch) };
  yield danger("high", "it sends commits by mail");
}

const bundle = byVerb(
  [
    ["create", ({ operands }) => writes(operands.slice(0, 1), "replaces"), { long: ["version"] }],
    ["verify, list-heads, unbundle", ({ operands }) => readsFiles(operands.slice(0, 1))],
  ],
  {},
);

/** Creates a repository, and its directory if that does not exist. */
function* init(use: Use): Iterable<Effect> {
  yield* writes(use.operands, "creates");
  yield* writes(use.values("separate-git-dir"), "creates");
  yield* templates(use);
}

const trailers: Program["does"] = ({ operands, has }) =>
  has("in-place") ? writes(operands, "edits") : readsFiles(operands);

const mergeFile: Program["does"] = ({ operands, has }) => [
  ...readsFiles(operands.slice(1)),
  ...(has("p", "stdout", "object-id")
    ? readsFiles(operands.slice(0, 1))
    : writes(operands.slice(0, 1), "edits")),
];

const mailSplit: Program["does"] = ({ operands, values }) => [
  ...readsFiles(operands),
  ...writes(values("o"), "creates"),
];

export const patches: readonly Subcommand[] = [
  local("apply", apply, {
    options: {
      short: "pC",
      long: ["exclude", "include", "build-fake-ancestor", "whitespace", "directory"],
      known: namesIn("unsafe-paths check stat numstat summary apply index cached reverse reject"),
    },
  }),
  local("am", applyMails, {
    options: {
      short: "Cp",
      attached: "S",
      long: namesIn("quoted-cr whitespace directory exclude include patch-format resolvemsg empty"),
      known: namesIn("abort skip quit continue resolved no-verify 3way signoff show-current-patch"),
    },
  }),
  local("format-patch", formatPatch, {
    options: {
      short: "vo",
      attached: "n",
      long: namesIn(`suffix start-number reroll-count output-directory add-header to cc in-reply-to signature base
      signature-file interdiff range-diff subject-prefix output filename-max-length cover-from-description
      creation-factor description-file`),
    },
  }),
  wide("send-email", sendEmail, {
    options: {
      oneDash: true,
      long: [
        ...mailPrograms,
        ...namesIn(`to cc bcc from subject in-reply-to smtp-server smtp-server-port smtp-user smtp-pass smtp-encryption
      smtp-domain identity confirm envelope-sender reply-to 8bit-encoding compose-encoding
      transfer-encoding suppress-cc batch-size relogin-delay`),
      ],
      known: ["dry-run", "dump-aliases", "annotate", "compose", "force", "quiet"],
    },
  }),
  wide("imap-send", () => [
    { type: "sends", to: undefined, input: true },
    danger("high", "it sends commits to a mail server"),
  ]),
  local("bundle", bundle, { options: { stopAtOperand: true } }),
  local("init init-db", init, {
    options: {
      short: "b",
      long: ["template", "separate-git-dir", "initial-branch", "object-format", "ref-format"],
    },
  }),
  local("interpret-trailers", trailers, {
    options: { long: ["trailer", "where", "if-exists", "if-missing"], known: ["in-place"] },
  }),
  local("merge-file", mergeFile, {
    options: { short: "L", long: ["marker-size"], known: ["stdout", "object-id"] },
  }),
  local("mailsplit", mailSplit, { options: { short: "odf" } }),
  local("mailinfo", ({ operands }) => writes(operands, "replaces")),
  local("quiltimport", nothing),
  wide("p4 svn cvsimport archimport", ({ operands }) => bridge(operands)),
];

const published = new Set(["submit", "dcommit", "commit-diff", "branch", "tag", "set-tree"]);

/** Bridges to other version control systems. */
function* bridge([verb, address]: readonly Word[]): Iterable<Effect> {
  yield* fetchesFrom(address && /:\/\//u.test(address.text) ? address : undefined);
  if (verb && published.has(verb.text)) yield danger("medium", "it publishes commits");
}
