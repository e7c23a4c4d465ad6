/** The rest of git: low-level subcommands, helpers, servers, and subcommands that start other programs. */

import { isUnknown, joined, literal } from "../../command-line/word.ts";
import { danger, interprets, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { nothing, readsFiles, runsByOptions, writes } from "../file-effect-makers.ts";
import type { Program, Use } from "../program.ts";
import { byVerb, local, type Subcommand, wide } from "./subcommand.ts";

const printsPassword: readonly Effect[] = [
  danger("high", "it prints a stored password"),
  { type: "prints", flows: ["secret"] },
];

const credential = byVerb(
  [
    ["fill, get", printsPassword],
    ["approve, store", [danger("high", "it stores a password")]],
    ["reject, erase", [danger("medium", "it forgets a stored password")]],
  ],
  {},
);

const credentialStore: Program["does"] = (use) => [
  ...writes(use.values("file"), "edits"),
  ...credential(use),
];

function* diffTool(use: Use): Iterable<Effect> {
  yield* runsByOptions(use, ["x", "extcmd"]);
}

function* daemon(use: Use): Iterable<Effect> {
  yield danger("high", "it opens repositories to other hosts");
  yield* runsByOptions(use, ["access-hook"]);
}

function* instaweb(use: Use): Iterable<Effect> {
  if (use.has("stop")) return;
  yield danger("high", "it opens the repository to a browser");
  yield* runsByOptions(use, ["d", "httpd", "b", "browser", "m", "module-path"]);
}

const maintenance = byVerb(
  [
    ["start", [danger("high", "it sets up jobs that run in the background from now on")]],
    ["register, unregister, stop", [danger("medium", "it changes your git settings for all repositories")]],
    ["run", []],
  ],
  {},
);

/** The remaining words are a git command, run in many repositories. */
const forEachRepository: Program["does"] = ({ operands }) => [
  danger("medium", "it works on other repositories"),
  runs([literal("git"), ...operands]),
];

function* remoteExt({ operands }: Use): Iterable<Effect> {
  yield danger("high", "its address is a command, which it runs");
  yield interprets("shell", joined(operands.slice(1), " "));
}

const keepsObject: Program["does"] = ({ operands, values }) =>
  readsFiles([...operands, ...values("F", "file")]);

/** `git hook run`, `filter-process` and similar run what is already configured in this repository. */
const runsWhatIsSetUp: Program["does"] = ({ operands, values }) => [
  ...readsFiles(values("to-stdin")),
  ...(operands.some(isUnknown) ? [danger("high", "which hook it runs is only known when it runs")] : []),
];

const serves =
  (because: string): Program["does"] =>
  () => [danger("high", because)];

export const plumbing: readonly Subcommand[] = [
  wide("credential credential-cache credential-osxkeychain credential-libsecret", credential, {
    options: { long: ["socket", "timeout"], stopAtOperand: true },
  }),
  wide("credential-store", credentialStore, { options: { long: ["file"], stopAtOperand: true } }),
  wide("difftool", diffTool, {
    options: {
      short: "tx",
      long: ["tool", "extcmd", "skip-to", "rotate-to"],
      known: ["no-prompt", "dir-diff", "gui"],
    },
  }),
  wide("mergetool citool gui gitk web--browse", nothing),
  wide("daemon", daemon, { options: { known: ["access-hook", "export-all", "enable"] } }),
  wide("instaweb", instaweb, {
    options: {
      short: "dpbm",
      long: ["httpd", "port", "browser", "module-path"],
      known: ["local", "start", "stop", "restart"],
    },
  }),
  wide("http-backend cvsserver", serves("it serves repositories to other hosts")),
  wide("upload-pack upload-archive upload-archive--writer", ({ operands }) => readsFiles(operands)),
  wide("receive-pack", ({ operands }) => writes(operands, "edits")),
  wide("shell", ({ values }) => values("c").map((code) => interprets("shell", code)), {
    options: { short: "c" },
  }),
  wide("maintenance", maintenance, { options: { stopAtOperand: true } }),
  wide("fsmonitor--daemon", ({ operands: [verb] }) =>
    verb && ["start", "run"].includes(verb.text) ? [danger("medium", "it starts a program that stays")] : [],
  ),
  wide("for-each-repo", forEachRepository, { options: { long: ["config"], stopAtOperand: true } }),
  wide("remote-ext", remoteExt, { options: { stopAtOperand: true } }),
  wide("remote-fd", nothing),
  wide("hook", runsWhatIsSetUp, { options: { long: ["to-stdin"] } }),
  wide("cvsexportcommit", ({ has }) => (has("c") ? [danger("medium", "it publishes commits")] : []), {
    options: { short: "dw" },
  }),
  local("hash-object commit-tree", keepsObject, { options: { short: "tFmp", long: ["path"] } }),
  local(
    "fast-export",
    ({ values }) => [
      ...writes(values("export-marks"), "replaces"),
      ...readsFiles(values("import-marks", "import-marks-if-exists")),
    ],
    {
      options: {
        long: ["export-marks", "import-marks", "import-marks-if-exists", "refspec"],
        known: ["anonymize", "all"],
      },
    },
  ),
  local("pack-objects", ({ operands }) => writes(operands, "creates"), {
    options: {
      long: ["window", "depth", "threads", "max-pack-size", "filter"],
      known: ["stdout", "all", "revs"],
    },
  }),
  local(
    "index-pack",
    ({ operands, values }) => [...readsFiles(operands), ...writes(values("o"), "replaces")],
    {
      options: { short: "o" },
    },
  ),
  local(
    `mktag mktree pack-refs prune-packed pack-redundant unpack-file unpack-objects update-server-info commit-graph
    multi-pack-index checkout--worker env--helper sh-i18n sh-setup refs`,
    nothing,
  ),
];
