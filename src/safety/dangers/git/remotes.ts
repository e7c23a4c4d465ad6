/**
 * git subcommands that communicate with other repositories: what they fetch, where they push, what they overwrite
 * there.
 */

import { isUnknown, joined, literal, unknownWord, type Word } from "../../command-line/word.ts";
import { danger, interprets } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { readsFiles, writes } from "../file-effect-makers.ts";
import { namesIn } from "../listed.ts";
import { cutAt } from "../parts.ts";
import type { OptionForm, Use } from "../program.ts";
import { addressOf, cloneName, fetchesFrom, pushesTo, startsServer, wayTo } from "./address.ts";
import { strategy } from "./history.ts";
import { settingEffects } from "./settings.ts";
import { byVerb, isOneOf, isRehearsal, type Subcommand, wide } from "./subcommand.ts";

const serverNames = ["upload-pack", "u", "receive-pack", "exec"];

function* servers(use: Use): Iterable<Effect> {
  for (const { name, value } of use.options) if (serverNames.includes(name)) yield* startsServer(name, value);
}

function* push(use: Use): Iterable<Effect> {
  yield* servers(use);
  const [first, ...refs] = use.operands;
  yield* pushesTo(first ?? use.value("repo"));
  if (isRehearsal(use)) return;
  yield danger("medium", "it publishes commits");
  if (use.has("f", "force", "force-with-lease")) yield danger("high", "it rewrites the remote's history");
  if (use.has("mirror", "prune")) yield danger("high", "it deletes on the remote what is not here");
  if (use.has("d", "delete") || refs.some(({ text }) => /^\+?:./su.test(text)))
    yield danger("high", "it deletes branches or tags on the remote");
  else if (refs.some(({ text }) => text.startsWith("+")))
    yield danger("high", "it rewrites the remote's history");
}

function* fetch(use: Use): Iterable<Effect> {
  yield* servers(use);
  const addresses = use.has("multiple") ? use.operands : use.operands.slice(0, 1);
  if (addresses.length === 0) yield* fetchesFrom(undefined);
  for (const address of addresses) yield* fetchesFrom(address);
  const isForced = use.has("f", "force");
  const moved = use.operands.slice(1).filter(({ text }) => /:(?!refs\/remotes\/)./su.test(text));
  if (moved.some(({ text }) => isForced || text.startsWith("+")))
    yield danger("medium", "it moves a branch away from the commits it has");
}

function* pull(use: Use): Iterable<Effect> {
  yield* fetch(use);
  yield* strategy(use);
}

const fromNetwork = unknownWord(new Set(["network"]));

function* clone(use: Use): Iterable<Effect> {
  yield* servers(use);
  const [address, directory] = use.operands;
  if (!address) return;
  yield* fetchesFrom(address);
  const isRemote = ["host", "unknown"].includes(addressOf(address).type);
  const path = directory ?? cloneName(address);
  yield { type: "writes", path, how: "creates", ...(isRemote ? { content: fromNetwork } : {}) };
  yield* writes(use.values("separate-git-dir"), "creates");
  yield* templates(use);
  for (const bundle of use.values("bundle-uri")) yield* fetchesFrom(bundle);
  for (const setting of use.values("c", "config")) yield* keeps(setting);
}

/** A setting for the new repository, which git already obeys while creating it. */
function keeps(setting: Word): Iterable<Effect> {
  const { before, after: value } = cutAt(setting, "=") ?? { before: setting, after: literal("true") };
  return settingEffects({ key: before, value, lasting: "once" });
}

export function* templates(use: Use): Iterable<Effect> {
  const [template] = use.values("template");
  if (template && template.text !== "") yield danger("high", "its option --template brings hooks, which run");
}

const goesElsewhere = danger("medium", "it changes where git fetches from and pushes to");

const remoteVerbs = byVerb(
  [
    ["add, set-url", ({ operands }) => [goesElsewhere, ...operands.slice(1).flatMap(wayTo)]],
    ["remove, rm", [danger("medium", "it forgets a remote and its branches")]],
    ["rename, set-head, set-branches, get-url", []],
    ["show, prune, update", [{ type: "fetches", from: undefined }]],
  ],
  { short: "tm" },
  [danger("high", "it is an unknown subcommand of git remote")],
);

const losesModule = danger("high", "it deletes a submodule together with changes that are not committed");

const submoduleVerbs = byVerb(
  [
    ["add", addsModule, { short: "bj", long: ["branch", "name", "reference", "depth"] }],
    ["set-url", ({ operands }) => [goesElsewhere, ...operands.slice(1).flatMap(wayTo)]],
    ["update", [{ type: "fetches", from: undefined }]],
    ["foreach", forEachModule, { stopAtOperand: true }],
    ["deinit", ({ has }) => (has("f", "force") ? [losesModule] : []), { known: ["force", "all"] }],
    ["status, summary, init, sync, set-branch, absorbgitdirs", []],
  ],
  {},
  [danger("high", "it is no command of git submodule that is known")],
);

function* addsModule({ operands: [address, path] }: Use): Iterable<Effect> {
  if (!address) return;
  yield* fetchesFrom(address);
  yield { type: "writes", path: path ?? cloneName(address), how: "creates", content: fromNetwork };
}

/** Its words form one shell command. Only git's own commands, the usual case, are judged by their words alone. */
function* forEachModule({ operands }: Use): Iterable<Effect> {
  const [first] = operands;
  if (!first) return;
  if (!/^git(?:\s|$)/u.test(first.text) || isUnknown(first))
    yield danger("high", "it runs a command in every submodule");
  yield interprets("shell", joined(operands, " "));
}

function* archive(use: Use): Iterable<Effect> {
  yield* servers(use);
  const from = use.value("remote");
  if (from) yield* fetchesFrom(from);
  yield* writes(use.values("o", "output"), "replaces");
  yield* readsFiles(use.values("add-file"));
}

function* lsRemote(use: Use): Iterable<Effect> {
  yield* servers(use);
  yield* fetchesFrom(use.operands[0]);
}

const fetching: OptionForm = {
  short: "jo",
  long: namesIn(`upload-pack jobs depth shallow-since shallow-exclude deepen submodule-prefix refmap
      recurse-submodules-default server-option negotiation-tip filter`),
  known: ["multiple", "update-head-ok", "update-shallow", "unshallow", "force", "all", "prune", "tags"],
};

export const remotes: readonly Subcommand[] = [
  wide("push", push, {
    options: {
      short: "o",
      long: ["repo", "recurse-submodules", "receive-pack", "exec", "push-option"],
      known:
        namesIn(`force force-with-lease force-if-includes delete mirror prune dry-run all tags set-upstream no-verify
      follow-tags signed atomic progress porcelain thin`),
    },
  }),
  wide("send-pack http-push", push, {
    options: { known: ["force", "mirror", "dry-run", "receive-pack", "exec", "remote"] },
  }),
  wide("fetch backfill", fetch, { options: fetching }),
  wide("pull", pull, {
    options: {
      ...fetching,
      short: "sXo",
      attached: "Srj",
      long: [...(fetching.long ?? []), "strategy", "strategy-option", "cleanup"],
    },
  }),
  wide("fetch-pack http-fetch", lsRemote, { options: { known: ["upload-pack", "exec", "all", "stdin"] } }),
  wide("clone", clone, {
    options: {
      short: "jobuc",
      long: namesIn(`jobs template reference reference-if-able origin branch upload-pack depth filter shallow-since
      shallow-exclude separate-git-dir config server-option bundle-uri revision`),
      known: namesIn("recurse-submodules recursive single-branch mirror bare no-checkout shared local"),
    },
  }),
  wide("ls-remote", lsRemote, {
    options: {
      short: "o",
      long: ["upload-pack", "exec", "sort", "server-option"],
      known: ["heads", "tags", "refs"],
    },
  }),
  wide("remote", remoteVerbs, {
    isLocal: isOneOf("get-url", "-v"),
    options: { stopAtOperand: true },
  }),
  wide("submodule submodule--helper", submoduleVerbs, {
    isLocal: isOneOf("status", "summary"),
    options: { stopAtOperand: true },
  }),
  wide("archive", archive, {
    isLocal: ({ has }) => !has("remote"),
    options: {
      short: "o",
      long: ["output", "remote", "exec", "format", "prefix", "add-file", "add-virtual-file", "mtime"],
    },
  }),
  wide("request-pull", ({ operands }) => fetchesFrom(operands[1])),
];
