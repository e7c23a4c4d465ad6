/** Version control systems with a server or a repository file of their own: Perforce, Bazaar, Fossil. */

import { danger } from "../effect-makers.ts";
import { deletes, movesAway, writes } from "../file-effect-makers.ts";
import { pushesTo } from "../git/address.ts";
import type { Program } from "../program.ts";
import { always, asks, verbTable } from "../verbs.ts";
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
  setting,
  unknownVerb,
  versioned,
} from "./versioned.ts";

const perforce = verbTable(
  [
    [
      `info, files, opened, changes, describe, diff, diff2, filelog, annotate, print, have, where, fstat, status, dirs, sizes, users, user, clients, branches,
      labels, streams, depots, groups, add, edit, reconcile, rec, shelve, unshelve, resolve, reopen, integrate, copy, merge, move, rename, lock,
      unlock, change, changelist, counters, interchanges, login, logout, tickets, help, client, workspace, branch, label, stream, cstat, grep, protects, monitor`,
      ({ values, has }) => [
        ...asks,
        ...writes(values("o"), "replaces"),
        ...(has("d") ? [danger("high", "it deletes something on the server")] : []),
      ],
    ],
    ["set", ({ operands }) => operands.flatMap((one) => [...setting(one, "high")])],
    ["delete", ({ operands }) => [...asks, ...movesAway(operands)]],
    ["sync, update, flush, get", ({ has }) => [...asks, ...(has("f") ? discards : [])]],
    ["submit, populate, push, tag", [...asks, publishes]],
    ["revert, clean", ({ has }) => (has("n", "a") ? asks : discards)],
    ["obliterate, archive", always("it deletes files with all their history on the server", "critical")],
    ["protect, triggers, admin, configure, passwd, license, typemap, trust", always("it changes the server")],
  ],
  { otherwise: unknownVerb },
);

const bazaar = verbTable(
  [
    [
      `status, st, stat, log, diff, di, info, cat, ls, annotate, blame, revno, missing, tags,
        version-info, whoami, root, add, commit, ci, merge, init, init-repo, help, version, check,
        shelve, unshelve, ignore, resolve, conflicts, nick, bind, unbind, tag, switch, reconfigure`,
      nothing,
    ],
    [
      "push, send, dpush",
      ({ operands: [address], has }) => [
        ...pushesTo(address),
        publishes,
        ...(has("overwrite") ? [rewrites] : []),
      ],
    ],
    ["pull, update, up", asks],
    ["branch, checkout, co, clone, get", copies],
    ["revert", discards],
    ["uncommit", always("it drops commits")],
    [
      "clean-tree",
      ({ has }) => (has("dry-run") ? [] : always("it deletes files that are not kept, for good")),
    ],
    ["remove, rm, del", removes],
    ["move, mv, rename", moves],
    ["export", ({ operands }) => writes(operands.slice(0, 1), "replaces")],
    ["serve", always("it opens the repository to other hosts")],
    ["config, alias", ({ operands }) => operands.slice(0, 1).flatMap((one) => [...setting(one, "critical")])],
  ],
  { otherwise: unknownVerb },
);

const fossilVerbs = verbTable(
  [
    [
      `status, changes, timeline, diff, finfo, info, ls, cat, annotate, blame, praise, branch, tag,
        stash, add, addremove, extras, merge, init, new, version, help, leaves, descendants, grep,
        whatis, user, artifact, bisect, cherrypick, tarball, zip`,
      nothing,
    ],
    [
      "commit, ci, push, sync",
      ({ operands: [address] }) => [...(address && isAddress(address) ? pushesTo(address) : asks), publishes],
    ],
    [
      "pull, update, up, checkout, co, open, close",
      ({ has }) => [...asks, ...(has("f", "force") ? discards : [])],
    ],
    ["clone", copies],
    ["revert", discards],
    [
      "clean",
      ({ has }) => (has("n", "dry-run") ? [] : always("it deletes files that are not kept, for good")),
    ],
    ["rm, delete, forget", ({ operands, has }) => (has("hard") ? deletes(operands, true) : [])],
    ["mv, rename", ({ operands, has }) => (has("hard") ? movesAll(operands) : [])],
    ["purge, scrub, shun, undo", always("it drops what the repository keeps")],
    ["server, ui, http, cgi, serve", always("it opens the repository to other hosts")],
    ["settings, setting, set", ({ operands }) => setsFor(operands)],
    ["sql, sqlite3", always("it changes the repository's own tables", "medium")],
    ["all", always("it works on every repository of yours", "medium")],
    ["remote-url, remote", always("it changes where it fetches from and pushes to", "medium")],
  ],
  { otherwise: unknownVerb },
);

export const versionsElsewhere: readonly Program[] = [
  versioned({ names: "p4", table: perforce, options: { short: "cCdHpPuxQLzGm" } }),
  versioned({
    names: "bzr brz",
    table: bazaar,
    settings: ["O"],
    options: {
      short: "mrdFO",
      long: ["message", "revision", "directory", "file"],
      known: ["overwrite", "dry-run"],
    },
  }),
  versioned({
    names: "fossil",
    table: fossilVerbs,
    options: { oneDash: true, long: ["m", "comment", "R", "repository", "user"] },
  }),
];
