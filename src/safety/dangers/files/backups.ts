/** Programs that copy files to remote storage and to other people. */

import { isUnknown, literal, type Word, withText } from "../../command-line/word.ts";
import { danger, interprets, loads, reads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { namesIn } from "../listed.ts";
import { fetched } from "../network/downloads.ts";
import { type OptionForm, program, type Program, type Use } from "../program.ts";
import { always, asks, tellByVerb, verbTable } from "../verbs.ts";

const removed = danger("high", "it removes what is stored elsewhere");

const rcloneOptions: OptionForm = {
  short: "",
  long: namesIn(`config transfers checkers exclude include filter filter-from exclude-from include-from
    files-from max-age min-age max-size min-size bwlimit backup-dir log-file log-level password-command
    metadata-mapper suffix max-depth stats retries user-agent vfs-cache-mode addr rc-addr sftp-ssh
    cache-dir temp-dir format separator`),
};

export const backups: readonly Program[] = [
  program("rclone", rclone, { options: rcloneOptions }),
  program("restic rustic kopia duplicity duplicacy", repository, {
    options: {
      short: "rpoH",
      long: namesIn(`repo repository-file password-file password-command option target include exclude
        iinclude iexclude tag host path exclude-file files-from keep-last keep-daily keep-weekly
        keep-monthly keep-yearly cacert cache-dir limit-upload`),
    },
  }),
  program("borg borgmatic", repository, {
    options: {
      short: "CePaer",
      long: namesIn(`rsh remote-path compression encryption exclude prefix keep-daily keep-weekly
        keep-monthly config comment`),
    },
  }),
  program("s3cmd s4cmd s5cmd mc mcli gsutil b2 azcopy", buckets, {
    options: {
      short: "ceh",
      long: namesIn(`config access_key secret_key host exclude include endpoint-url region profile
        mime-type storage-class`),
    },
  }),
  program("croc wormhole magic-wormhole ffsend transfer ipfs", handsOver, {
    options: { long: namesIn("code relay pass out output-file relay-url text code-length") },
  }),
];

/** `name:path` and `scheme://…` are remote. */
const isElsewhere = ({ text }: Word): boolean => /^(?:[\w.+ -]+:|:\w|[\w-]+@[^/]+:)/u.test(text);

function* rclone(use: Use): Iterable<Effect> {
  for (const code of use.values("password-command", "metadata-mapper", "sftp-ssh"))
    yield* [danger("high", "its option runs a command"), interprets("shell", code)];
  for (const path of use.values("config")) yield { type: "reads", path };
  if (use.has("rc")) yield danger("high", "it lets others command it");
  if (use.has("n", "dry-run")) yield* asks;
  else yield* tellByVerb(use, rcloneVerbs);
}

const rcloneVerbs = verbTable(
  [
    [
      `ls, lsd, lsf, lsl, lsjson, size, tree, check, about, version, md5sum, sha1sum, hashsum,
        listremotes, cryptcheck, ncdu, completion, genautocomplete, selfupdate`,
      asks,
    ],
    [
      "cat",
      [
        { type: "fetches", from: undefined },
        { type: "prints", flows: ["network"] },
      ],
    ],
    ["copy, copyto, copyurl", (use) => transfer(use, "copies")],
    ["move, moveto", (use) => transfer(use, "moves")],
    ["sync, bisync", (use) => transfer(use, "mirrors")],
    ["delete, deletefile, purge, rmdir, rmdirs, cleanup, dedupe", deleteThere],
    ["mkdir, touch, settier, backend", always("it changes what is stored elsewhere")],
    ["link", always("it makes a public link to a file")],
    ["rcat", ({ operands: [to] }) => [{ type: "sends", to, input: true }]],
    ["config, config show, config dump, reveal, authorize", always("it shows or changes the keys of stores")],
    ["mount, nfsmount, serve, rcd, rc", always("it shows stored files to other programs")],
  ],
  { otherwise: always("it may change what is stored elsewhere") },
);

/** Uploads, downloads, or transfers between two remote places. */
export function* transfer({ operands }: Use, how: "copies" | "moves" | "mirrors"): Iterable<Effect> {
  const target = operands.at(-1);
  if (!target || operands.length < 2) return;
  const sources = operands.slice(0, -1);
  const files = sources.filter((word) => !isElsewhere(word));
  for (const from of sources.filter(isElsewhere)) yield { type: "fetches", from };
  yield* reads(files);
  if (how === "moves") for (const path of files) yield { type: "deletes", path, deep: true };
  if (how === "mirrors") yield danger("high", "it removes from the target what the source does not have");
  if (isElsewhere(target)) {
    if (files.length > 0) yield { type: "sends", to: target, files };
    else yield danger("high", "it changes what is stored elsewhere");
  } else
    yield {
      type: "writes",
      path: target,
      how: "replaces",
      content: fetched,
    };
}

function deleteThere({ operands }: Use): Effect[] {
  return operands.flatMap((path): Effect[] =>
    isElsewhere(path) || isUnknown(path) ? [removed] : [{ type: "deletes", path, deep: true }],
  );
}

function* repository(use: Use): Iterable<Effect> {
  for (const code of use.values("password-command", "rsh", "remote-path"))
    yield* [danger("high", "its option runs a command"), interprets("shell", code)];
  if (use.values("o", "option").some(({ text }) => /command|args|program/u.test(text)))
    yield danger("high", "its option runs a command");
  if (use.name === "borgmatic") for (const path of use.values("c", "config")) yield loads(path);
  yield* reads(use.values("password-file", "p", "repository-file"));
  if (!use.has("n", "dry-run")) yield* tellByVerb(use, repositoryVerbs);
}

const repositoryVerbs = verbTable(
  [
    [
      `snapshots, ls, list, info, check, stats, diff, find, cat, dump, version, verify, key list,
        policy list, snapshot list, collection-status`,
      asks,
    ],
    ["backup, create, snapshot create, full, incremental, incr", stores],
    ["restore, extract, export-tar", restores],
    [
      `init, repo-create, rcreate, key add, key import, unlock, break-lock, tag, rename, copy, recover,
        migrate, repair`,
      always("it changes a store of backups"),
    ],
    [
      `forget, prune, delete, compact, key remove, recreate, remove-older-than, remove-all-but-n-full,
        snapshot delete`,
      always("it removes backups"),
    ],
    ["mount", always("it shows backups as if they were files here")],
  ],
  { otherwise: always("it may change backups") },
);

function* stores(use: Use): Iterable<Effect> {
  const named = use.value("r", "repo");
  const [first, ...rest] = use.operands;
  const to = named ?? (first && (isElsewhere(first) || first.text.includes("::")) ? first : undefined);
  const files = to && to === first ? rest : use.operands;
  yield* reads(files);
  const path = to && withText(to, to.text.replace(/::.*$/su, ""));
  if (path && !isElsewhere(path)) yield { type: "writes", path, how: "edits" };
  else yield { type: "sends", to, files };
}

function* restores(use: Use): Iterable<Effect> {
  yield { type: "fetches", from: use.value("r", "repo") };
  const path = use.value("target", "t") ?? literal(".");
  yield { type: "writes", path, how: "replaces" };
}

function* buckets(use: Use): Iterable<Effect> {
  if (use.has("n", "dry-run", "dryrun")) yield* asks;
  else yield* tellByVerb(use, bucketVerbs);
}

const bucketVerbs = verbTable(
  [
    [
      `ls, la, du, info, stat, tree, diff, find, head, version, list, ls-buckets, get-bucket, hash,
        getacl, --version, alias list, alias ls`,
      asks,
    ],
    ["cat, get, cp, put, sync, mirror, mv, copy, rsync, upload-file, download-file, pipe, run", movesObjects],
    ["rm, rb, del, delete, delete-bucket, remove", [removed]],
    ["mb, mkbucket, make-bucket", always("it makes a store that others may see")],
    [
      `acl, setacl, setpolicy, anonymous, policy, iam, share, signurl, signurl, admin, config,
        configure, alias set, --configure, login, authorize-account`,
      always("it changes who may see what is stored, or with which key"),
    ],
  ],
  { otherwise: always("it may change what is stored elsewhere") },
);

function* movesObjects(use: Use): Iterable<Effect> {
  const mirrors = use.has("delete", "delete-removed", "remove", "d");
  if (use.operands.length === 1) yield { type: "writes", path: literal("."), how: "creates" };
  if (!use.operands.some(isElsewhere)) yield danger("high", "it copies to or from a store elsewhere");
  yield* transfer(use, mirrors ? "mirrors" : "copies");
}

function* handsOver(use: Use): Iterable<Effect> {
  if (use.words.length === 0 || use.has("help", "version")) return;
  const [verb, ...files] = use.operands;
  if (verb && /^(?:send|upload|tx|add)$/u.test(verb.text)) {
    yield* reads(files);
    yield {
      type: "sends",
      to: undefined,
      files,
      words: use.values("text"),
      input: files.length === 0 && use.input.isGiven,
    };
  } else
    yield* [{ type: "fetches", from: verb } as const, danger("medium", "it takes a file from somebody else")];
}
