/** Version control systems other than git: Mercurial, Subversion, Jujutsu. */

import { danger, interprets, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { readsFiles, runsByOptions, writes } from "../file-effect-makers.ts";
import { fetchesFrom, pushesTo } from "../git/address.ts";
import { namesIn } from "../listed.ts";
import { program, type Program, type Use } from "../program.ts";
import { always, asks, type Telling, verbTable } from "../verbs.ts";
import {
  copies,
  discards,
  isAddress,
  movesAll,
  moves,
  nothing,
  publishes,
  removes,
  rewrites,
  setsFor,
  unknownVerb,
  versioned,
} from "./versioned.ts";

const forced =
  (because: string): Telling =>
  ({ has }) =>
    has("f", "force") ? always(because) : [];

const mercurial = verbTable(
  [
    [
      `status, st, summary, log, history, diff, annotate, blame, heads, parents, tip, tags, branches, bookmarks, cat, files, grep,
      identify, id, locate, manifest, paths, root, showconfig, config, resolve, verify, version, help, phase, phases, branch, tag,
      add, addremove, commit, ci, merge, rebase, graft, histedit, amend, absorb, shelve, unshelve, init, forget, backout, uncommit,
      evolve, topic, topics, prev, next, bookmark, glog, fold, split, metaedit, debugconfig, recover, unbundle, transplant, sign, churn`,
      ({ values, has }) => [
        ...writes(values("output"), "replaces"),
        ...readsFiles(values("logfile")),
        ...(has("delete") ? [danger("medium", "it drops something kept")] : []),
      ],
    ],
    [
      "push",
      (use) => [
        ...viaSsh(use),
        ...pushesTo(use.operands[0]),
        publishes,
        ...(use.has("f", "force") ? [rewrites] : []),
      ],
    ],
    ["pull, fetch, incoming, in, outgoing, out", (use) => [...viaSsh(use), ...fetchesFrom(use.operands[0])]],
    ["clone", (use) => [...viaSsh(use), ...copies(use)]],
    ["update, up, checkout, co, goto, switch", ({ has }) => (has("C", "clean") ? discards : [])],
    ["revert", discards],
    [
      "purge, clean",
      ({ has }) => (has("p", "print") ? [] : always("it deletes files that are not kept, for good")),
    ],
    ["strip, rollback, debugstrip, prune, obsolete", always("it drops commits")],
    ["remove, rm", removes],
    ["rename, move, mv", moves],
    ["copy, cp", ({ operands }) => writes(operands.slice(-1), "replaces")],
    ["archive, bundle", ({ operands }) => writes(operands.slice(0, 1), "replaces")],
    ["export", ({ values }) => writes(values("o", "output"), "replaces")],
    [
      "import, patch",
      ({ operands }) => [
        ...readsFiles(operands),
        ...operands.filter(isAddress).flatMap((word) => fetchesFrom(word)),
      ],
    ],
    ["serve", always("it opens the repository to other hosts")],
    ["email", always("it sends commits by mail")],
    [
      "bisect",
      ({ values }) =>
        values("c", "command").flatMap((code) => [
          ...always("it runs a command for each of many commits"),
          interprets("shell", code),
        ]),
    ],
    ["extdiff", (use) => runsByOptions(use, ["p", "program"])],
    ["fix, run-tests", always("it runs programs that the settings name", "medium")],
    ["convert", copies],
  ],
  { otherwise: unknownVerb },
);

/** `-e` names a command only in subcommands that contact another host. */
const viaSsh = (use: Use): Effect[] => runsByOptions(use, ["e"]);

const svnVerbs = verbTable(
  [
    [
      `status, st, stat, info, log, diff, di, cat, list, ls, blame, praise, annotate, ann, propget, pg,
        proplist, pl, mergeinfo, youngest, add, resolve, resolved, changelist, cl, upgrade, help, h,
        patch, merge, x-shelf-list`,
      nothing,
    ],
    [
      "propset, ps, propedit, pe, propdel, pd",
      ({ operands }) => (operands.some(isAddress) ? [publishes] : []),
    ],
    ["checkout, co, export", copies],
    ["update, up, switch, sw, relocate", asks],
    ["commit, ci, lock", [...asks, publishes]],
    ["import", ({ operands }) => [...pushesTo(operands.findLast(isAddress)), publishes]],
    ["unlock", forced("it takes the lock of somebody else")],
    [
      "delete, del, remove, rm",
      (use) => (use.operands.some(isAddress) ? always("it deletes files on the server") : removes(use)),
    ],
    [
      "mkdir, copy, cp",
      ({ operands }) => (operands.some(isAddress) ? [publishes] : writes(operands.slice(-1), "creates")),
    ],
    [
      "move, mv, rename, ren",
      (use) =>
        use.operands.some(isAddress) ? always("it moves files on the server") : movesAll(use.operands),
    ],
    ["revert", discards],
    [
      "cleanup",
      ({ has }) =>
        has("remove-unversioned", "remove-ignored")
          ? always("it deletes files that are not kept, for good")
          : [],
    ],
  ],
  { otherwise: unknownVerb },
);

const jjVerbs = verbTable(
  [
    [
      `status, st, log, diff, show, interdiff, evolog, obslog, file, describe, desc, new, commit, ci, edit, next, prev, squash, split, rebase,
      duplicate, bookmark, branch, b, tag, workspace, sparse, config list, config get, config path, operation, op, op log,
      undo, redo, absorb, parallelize, simplify-parents, metaedit, root, version, help, resolve, diffedit, backout, revert,
      git init, git remote list, git colocation, git root, init, sign, unsign, git export, git import`,
      nothing,
    ],
    ["abandon, restore", always("it drops changes, which only its own log can bring back", "medium")],
    [
      "op restore, op abandon, operation restore, operation abandon",
      always("it sets the whole repository back"),
    ],
    ["util gc", always("it forgets changes that nothing refers to", "medium")],
    [
      "git push",
      ({ has }) => [
        ...asks,
        publishes,
        ...(has("deleted") ? always("it deletes branches on the remote") : []),
      ],
    ],
    ["git fetch, gerrit upload", asks],
    ["git clone", copies],
    ["git remote", always("it changes where git fetches from and pushes to", "medium")],
    ["config set", ({ operands }) => setsFor(operands)],
    ["config unset, config edit", always("it changes its settings", "medium")],
    ["fix", always("it runs programs that the settings name", "medium")],
    ["util exec", ({ operands }) => [runs(operands)]],
    ["util", nothing],
  ],
  { otherwise: unknownVerb },
);

const svnAdmin = verbTable(
  [
    ["create, hotcopy, load", ({ operands }) => writes(operands.slice(0, 1), "creates")],
    ["dump, verify, lstxns, lslocks, info, help, freeze, pack", nothing],
  ],
  { otherwise: always("it changes the repository itself") },
);

export const versions: readonly Program[] = [
  versioned({
    names: "hg chg sl",
    table: mercurial,
    settings: ["config"],
    commands: ["ssh", "remotecmd"],
    options: {
      short: "RrbmludoIXpce",
      long: namesIn(`config cwd repository ssh remotecmd rev branch message logfile user date output include exclude
      command program template limit bookmark source dest base encoding`),
    },
  }),
  versioned({
    names: "svn svnlite",
    table: svnVerbs,
    settings: ["config-option"],
    commands: ["diff-cmd", "diff3-cmd", "merge-cmd", "editor-cmd"],
    options: {
      short: "rcmFlx",
      long: namesIn(`config-option config-dir diff-cmd diff3-cmd merge-cmd editor-cmd message file revision username
      password depth set-depth limit encoding targets change accept changelist strip`),
      known: ["force", "keep-local", "remove-unversioned", "remove-ignored"],
    },
  }),
  versioned({
    names: "jj",
    table: jjVerbs,
    settings: ["config", "config-toml"],
    options: {
      short: "Rrmbdsn",
      long: [
        "repository",
        "config",
        "config-toml",
        "config-file",
        "at-operation",
        "revision",
        "message",
        "color",
        "remote",
      ],
      known: ["repo", "user", "workspace"],
    },
  }),
  versioned({ names: "svnadmin", table: svnAdmin, options: {} }),
  program("svnlook svnversion svndumpfilter svnauthz hgk", () => []),
  program("svnserve svnsync svnmucc", () => always("it changes or opens a repository for others")),
];
