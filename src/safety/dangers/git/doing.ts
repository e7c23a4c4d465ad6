/** Functions of `git.yaml`: what git does to files, branches and other repositories. */

import { isUnknown, joined, literal, unknownWord, type Word, withText } from "../../command-line/word.ts";
import type { WordsDo } from "../data/does.ts";
import { danger, interprets } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import {
  deletes,
  edits,
  movesAway,
  printsFound,
  readsFiles,
  runsByOption,
  writes,
} from "../file-effect-makers.ts";
import { cutAt } from "../parts.ts";
import type { Use } from "../program.ts";
import { addressOf, cloneName, fetchesFrom, pushesTo, startsServer, wayTo } from "./address.ts";
import { settings } from "./config.ts";
import { settingEffects } from "./settings.ts";

const discards = danger("high", "it throws away changes in files that are not committed");
const takesSide = danger("medium", "it replaces files by one side of a conflict");
const movesBranch = danger("medium", "it moves a branch away from the commits it has");
const rewrites = danger("high", "it rewrites the remote's history");

/** Whether this is a dry run: the last of `-n` and `--no-dry-run` wins. */
const isRehearsal = ({ options }: Use): boolean =>
  options.findLast(({ name }) => ["n", "dry-run", "no-dry-run"].includes(name))?.name.startsWith("no-") ===
  false;

/** Whether its first word is unknown: it could be any option, so anything the subcommand can do is possible. */
const startsOpen = ({ words: [first] }: Use): boolean =>
  first !== undefined && isUnknown(first) && (first.mayBeSeveral || first.text.startsWith("-"));

const hidden = (use: Use): Effect[] =>
  startsOpen(use) ? [danger("high", "what it does to your changes is only known when it runs")] : [];

/** Whether the text is a path, a hidden name, or has a file extension; `main..next` and `v1.2` do not count. */
const looksLikeFile = (text: string): boolean =>
  /^(?:~|\/|\.[^.]|\.\.?(?:\/|$))|\/\.[A-Za-z][^/]*$/u.test(text) ||
  /^(?!.*\.\.)(?:.*\/)?[^/]*[^/\d]\.[A-Za-z]\w*$/su.test(text);

const wellKnown =
  /(?:^|\/)(?:Makefile|Dockerfile|Containerfile|LICENSE|README|Gemfile|Rakefile|Procfile|Jenkinsfile|src)$/u;

/** Operands that name files, current or at a revision (`HEAD:file`). A name without a dot may be a branch. */
function filesAmong({ operands, words }: Use): Word[] {
  const end = words.findIndex(({ text }) => text === "--");
  const afterDashes = new Set(end < 0 ? [] : words.slice(end + 1));
  return operands.flatMap((word) => {
    if (afterDashes.has(word)) return [word];
    const name = word.text.replace(/^[^:]*:(?:[0-3]:|\/)?/u, "");
    return looksLikeFile(name) ? [withText(word, name)] : [];
  });
}

/** Whether files to restore are named: after `--`, as a second operand, or recognisable as paths. */
function namesFiles({ operands, words }: Use): boolean {
  const dashes = words.findIndex(({ text }) => text === "--");
  if (dashes >= 0) return dashes < words.length - 1;
  const [first] = operands;
  const isFile =
    first?.isPattern === true ||
    looksLikeFile(first?.text ?? "") ||
    /^:[/(!^]|[*?]|\/$/u.test(first?.text ?? "") ||
    wellKnown.test(first?.text ?? "");
  return operands.length > 1 || isFile;
}

function checkout(use: Use): Effect[] {
  const { has } = use;
  if (startsOpen(use)) return hidden(use);
  if (has("f", "force")) return [discards];
  if (has("B")) return [movesBranch];
  if (has("b", "orphan", "detach", "d", "t", "track")) return [];
  if (has("ours", "theirs", "merge", "m", "conflict") && namesFiles(use)) return [takesSide];
  return has("p", "patch", "pathspec-from-file") || namesFiles(use) ? [discards] : [];
}

function restore(use: Use): Effect[] {
  const { has } = use;
  if (has("S", "staged") && !has("W", "worktree") && !startsOpen(use)) return [];
  return [has("ours", "theirs", "m", "merge", "conflict") ? takesSide : discards];
}

/** Without force git refuses to remove files that differ from the last commit, so their content is recoverable. */
function remove(use: Use): Effect[] {
  if (isRehearsal(use) || (use.has("cached") && !startsOpen(use))) return [];
  return use.has("f", "force")
    ? [
        danger("high", "it deletes files together with changes that are not committed"),
        ...deletes(use.operands, use.has("r")),
      ]
    : movesAway(use.operands);
}

function branch(use: Use): Effect[] {
  const isForced = use.has("f", "force");
  if (use.has("D") || (isForced && use.has("d", "delete")))
    return [danger("high", "it deletes a branch even when its commits are nowhere else")];
  return isForced ? [movesBranch] : hidden(use);
}

/** The files that a patch changes, or any in the directory if its text is not known. */
function applies({ name, has, input: { text } }: Use): Effect[] {
  if (name === "apply" && has("stat", "numstat", "summary", "check") && !has("apply")) return [];
  const found = text?.text.matchAll(/^(?:\+\+\+ (?:b\/)?|rename to |copy to )([^\t\n]+)/gmu) ?? [["", "."]];
  const paths = [...found].map(([, path = ""]) => literal(path)).filter((path) => path.text !== "/dev/null");
  return [
    ...(has("unsafe-paths")
      ? [danger("high", "it lets a patch change files outside of the repository")]
      : []),
    ...edits(paths),
  ];
}

function grep({ options, operands, has }: Use): Effect[] {
  const files = has("e", "f", "and", "or") ? operands : operands.slice(1);
  return [
    ...options.flatMap(({ name, value }) =>
      value && ["O", "open-files-in-pager"].includes(name) ? runsByOption("-O", value) : [],
    ),
    ...readsFiles(files.filter(({ text }) => text !== "HEAD")),
  ];
}

const prints = (text: string): Effect[] => [{ type: "prints", text: literal(text) }];

/** Anywhere in the workspace this is the workspace's repository; elsewhere the answer is known only at run time. */
function place({ words, around: { workspace, directory } }: Use): Effect[] {
  if (directory !== workspace && directory?.startsWith(`${workspace}/`) !== true) return [];
  const [first, second] = words.filter(({ text }) => !text.startsWith("--path-format"));
  if (!first || (second && first.text !== "--git-path")) return [];
  if (/^--show-(?:toplevel|cdup)$/u.test(first.text)) return prints(workspace);
  if (/^--(?:absolute-git|git|git-common)-dir$/u.test(first.text)) return prints(`${workspace}/.git`);
  return first.text === "--git-path" && second ? prints(`${workspace}/.git/${second.text}`) : [];
}

const strategies = /^(?:ours|recursive|resolve|octopus|subtree|ort|theirs)$/u;

function push(use: Use): Effect[] {
  const { has, operands } = use;
  const [first, ...refs] = operands;
  const to = pushesTo(first ?? use.value("repo"));
  if (isRehearsal(use)) return to;
  const isDeleting = has("d", "delete") || refs.some(({ text }) => /^\+?:./su.test(text));
  return [
    ...to,
    danger("medium", "it publishes commits"),
    ...(has("f", "force", "force-with-lease") ? [rewrites] : []),
    ...(has("mirror", "prune") ? [danger("high", "it deletes on the remote what is not here")] : []),
    ...(isDeleting
      ? [danger("high", "it deletes branches or tags on the remote")]
      : refs.some(({ text }) => text.startsWith("+"))
        ? [rewrites]
        : []),
  ];
}

function fetch({ operands, has }: Use): Effect[] {
  const addresses = has("multiple") ? operands : [operands[0]];
  const moved = operands.slice(1).filter(({ text }) => /:(?!refs\/remotes\/)./su.test(text));
  const isMoving = moved.some(({ text }) => has("f", "force") || text.startsWith("+"));
  return [...addresses.flatMap(fetchesFrom), ...(isMoving ? [movesBranch] : [])];
}

const fromNetwork = unknownWord(new Set(["network"]));

function clone({ operands: [address, directory], values }: Use): Effect[] {
  if (!address) return [];
  const isRemote = ["host", "unknown"].includes(addressOf(address).type);
  const path = directory ?? cloneName(address);
  return [
    ...fetchesFrom(address),
    { type: "writes", path, how: "creates", ...(isRemote ? { content: fromNetwork } : {}) },
    ...values("c", "config").flatMap(keeps),
  ];
}

/** A setting for the new repository, which git already obeys while creating it. */
function keeps(setting: Word): readonly Effect[] {
  const { before: key, after: value } = cutAt(setting, "=") ?? { before: setting, after: literal("true") };
  return settingEffects({ key, value, lasting: "once" });
}

/** Its words form one shell command. Only git's own commands, the usual case, are judged by their words alone. */
const eachModule: WordsDo = (words) => [
  ...(words.slice(0, 1).some((first) => !/^git(?:\s|$)/u.test(first.text) || isUnknown(first))
    ? [danger("high", "it runs a command in every submodule")]
    : []),
  ...(words.length > 0 ? [interprets("shell", joined(words, " "))] : []),
];

const forgets = danger("high", "it drops commits that nothing else may hold, for good");
const expiry = /^(?:never|\d+[. ](?:day|week|month|year)s?(?:[. ]ago)?)$/u;

export const gitFunctions: Readonly<Record<string, WordsDo>> = {
  "git settings": (_, use) => settings(use),
  "git files": (_, use) => readsFiles(filesAmong(use)),
  "git names": () => [printsFound([literal(".")])],
  /** A log lists files, but prints their content only if an option requests it. */
  "git log": (_, use) =>
    use.has("p", "u", "patch", "L", "S", "G", "c", "cc") ? readsFiles(filesAmong(use)) : [],
  "git grep": (_, use) => grep(use),
  "git place": (_, use) => place(use),
  "git hidden options": (_, use) => hidden(use),
  "git checkout": (_, use) => checkout(use),
  "git restore": (_, use) => restore(use),
  "git clean": (_, use) =>
    isRehearsal(use) ? [] : [danger("high", "it deletes files that git does not keep, for good")],
  "git rm": (_, use) => remove(use),
  "git mv": (words, use) =>
    isRehearsal(use) ? [] : [...movesAway(words.slice(0, -1)), ...writes(words.slice(-1), "replaces")],
  "git add": (words) => readsFiles(words.filter((word) => !isUnknown(word))),
  "git checkout-index": (_, { has }) => (has("f", "force") && !has("prefix") ? [discards] : []),
  "git branch": (_, use) => branch(use),
  "git strategy": (words) =>
    words.some(({ text }) => !strategies.test(text))
      ? [danger("high", "its option --strategy names a program, which git runs")]
      : [],
  "git expires": (_, use) => (isRehearsal(use) ? [] : [forgets]),
  "git collects": (_, { values }) =>
    values("prune").some(({ text }) => !expiry.test(text)) ? [forgets] : [],
  /** Git refuses a place where something is. */
  "git new place": (paths) => paths.map((path) => ({ type: "writes", path, how: "creates", isNew: true })),
  "git removes tree": (_, { has }) =>
    has("f", "force")
      ? [danger("high", "it deletes a working tree together with changes that are not committed")]
      : [],
  "git points": (words) =>
    words.length > 0 ? [danger("medium", "it makes one reference stand for another")] : [],
  "git apply": (_, use) => applies(use),
  "git templates": (words) =>
    words.some(({ text }) => text !== "")
      ? [danger("high", "its option --template brings hooks, which run")]
      : [],
  "git edits": (_, { operands }) => edits(operands),
  "git push": (_, use) => push(use),
  "git fetch": (_, use) => fetch(use),
  "git fetches": ([address]) => fetchesFrom(address),
  "git clone": (_, use) => clone(use),
  "git way": (words) => words.flatMap(wayTo),
  "git server": (words) => words.flatMap(startsServer),
  "git adds module": ([address, path]) =>
    address
      ? [
          ...fetchesFrom(address),
          { type: "writes", path: path ?? cloneName(address), how: "creates", content: fromNetwork },
        ]
      : [],
  "git each module": eachModule,
  "git drops module": (_, { has }) =>
    has("f", "force")
      ? [danger("high", "it deletes a submodule together with changes that are not committed")]
      : [],
};
