/** Functions of `git.yaml`: what git does to files, branches and other repositories. */

import { isUnknown, joinWords, literal, type Word, withText } from "../../command-line/word.ts";
import type { WordsDo } from "../data/does.ts";
import { danger, interprets } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { fetched } from "../elsewhere/carried.ts";
import { edits, printsFound, readsFiles } from "../file-effect-makers.ts";
import type { Use } from "../program.ts";
import { mayBeOption } from "../use.ts";
import { cloneName, fetchesFrom, namesHost, pushesTo, wayTo } from "./address.ts";
import { settings } from "./config.ts";
import { settingOnce } from "./settings.ts";

const discards = danger("high", "it throws away changes that are not committed");
const letsGo = danger("high", "it lets go of commits that may be nowhere else");

/** Its first word could be any option, so anything the subcommand can do is possible. */
const startsOpen = ({ words: [first] }: Use): boolean => first !== undefined && mayBeOption(first);

const hiddenEffects = (use: Use): Effect[] =>
  startsOpen(use) ? [danger("high", "what it does to your changes is only known when it runs")] : [];

/** A path, a hidden name, or a name with an ending; `main..next` and `v1.2` do not count. */
const looksLikeFile = (text: string): boolean =>
  /^(?:~|\/|\.[^.]|\.\.?(?:\/|$))|\/\.[A-Za-z][^/]*$/u.test(text) ||
  /^(?!.*\.\.)(?:.*\/)?[^/]*[^/\d]\.[A-Za-z]\w*$/su.test(text);

/** Words that name files, current or at a revision (`HEAD:file`). A name without a dot may be a branch. */
function filesAmong(operands: readonly Word[], { words, name, has }: Use): Word[] {
  if (name === "grep" && !has("e", "f")) return namedIn(operands.slice(1), words);
  const isLog = /^(?:log|whatchanged|shortlog|rev-list)$/u.test(name);
  if (isLog && !has("p", "u", "patch", "L", "S", "G", "c", "cc")) return []; // it only tells their names
  return namedIn(operands, words);
}

function namedIn(operands: readonly Word[], words: readonly Word[]): Word[] {
  const end = words.findIndex(({ text }) => text === "--");
  const behindDashes = new Set(end < 0 ? [] : words.slice(end + 1));
  return operands.flatMap((word) => {
    if (behindDashes.has(word)) return [word];
    const path = word.text.replace(/^[^:]*:(?:[0-3]:|\/)?/u, "");
    return looksLikeFile(path) ? [withText(word, path)] : [];
  });
}

const wellKnown = /(?:^|\/)(?:Makefile|Dockerfile|LICENSE|README|Gemfile|Rakefile|Procfile|src)$/u;

/** Whether files to restore are named: behind `--`, as a second operand, or recognisable as paths. */
function namesFiles({ operands: [first, second], words }: Use): boolean {
  const dashes = words.findIndex(({ text }) => text === "--");
  if (dashes >= 0) return dashes < words.length - 1;
  if (!first || second || first.isPattern) return first !== undefined;
  return looksLikeFile(first.text) || /^:[/(!^]|[*?]|\/$/u.test(first.text) || wellKnown.test(first.text);
}

function checkout(use: Use): Effect[] {
  const { has } = use;
  if (startsOpen(use)) return hiddenEffects(use);
  if (has("f", "force")) return [discards];
  if (has("B")) return [letsGo];
  if (has("b", "orphan", "detach", "d", "t", "track")) return [];
  return has("p", "patch", "pathspec-from-file") || namesFiles(use) ? [discards] : [];
}

const prints = (text: string): Effect[] => [{ type: "prints", text: literal(text) }];

/** Anywhere in the workspace this is the workspace's repository; elsewhere the answer is known only at run time. */
function place({ words, around: { workspace, directory } }: Use): Effect[] {
  if (directory !== workspace && directory?.startsWith(`${workspace}/`) !== true) return [];
  const [first, second] = words.filter(({ text }) => !text.startsWith("--path-format"));
  if (first?.text === "--git-path" && second) return prints(`${workspace}/.git/${second.text}`);
  if (!first || second) return [];
  if (/^--show-(?:toplevel|cdup)$/u.test(first.text)) return prints(workspace);
  return /^--(?:absolute-git|git|git-common)-dir$/u.test(first.text) ? prints(`${workspace}/.git`) : [];
}

/** `+ref` rewrites it, `:ref` deletes it. */
const push = ([first, ...refs]: readonly Word[], { value, has }: Use): Effect[] => [
  ...pushesTo(first ?? value("repo")),
  ...(has("n", "dry-run") ? [] : [danger("medium", "it publishes commits")]),
  ...(refs.some(({ text }) => /^[+:]./su.test(text))
    ? [danger("high", "it rewrites or deletes what the remote has")]
    : []),
];

function fetch(operands: readonly Word[], { has }: Use): Effect[] {
  const addresses = has("multiple") ? operands : [operands[0]];
  const moved = operands.slice(1).filter(({ text }) => /:(?!refs\/remotes\/)./su.test(text));
  const isMoving = moved.some(({ text }) => has("f", "force") || text.startsWith("+"));
  return [...addresses.flatMap(fetchesFrom), ...(isMoving ? [letsGo] : [])];
}

function clone([address, directory]: readonly Word[], { values }: Use): Effect[] {
  if (!address) return [];
  const path = directory ?? cloneName(address);
  const isFetched = namesHost(address) || isUnknown(address);
  return [
    ...fetchesFrom(address),
    { type: "writes", path, how: "creates", ...(isFetched ? { content: fetched } : {}) },
    ...values("c", "config").flatMap(settingOnce),
  ];
}

/** Its words form one shell command. Only git's own commands, the usual case, are judged by their words alone. */
function eachModule(words: readonly Word[]): Effect[] {
  const [first] = words;
  if (!first) return [];
  const isOfGit = /^git(?:\s|$)/u.test(first.text) && !isUnknown(first);
  const code = interprets("shell", joinWords(words, " "));
  return isOfGit ? [code] : [danger("high", "it runs a command in every submodule"), code];
}

const strategies = /^(?:ours|recursive|resolve|octopus|subtree|ort|theirs)$/u;
const expiry = /^(?:never|\d+[. ](?:day|week|month|year)s?(?:[. ]ago)?)$/u;

export const gitFunctions: Readonly<Record<string, WordsDo>> = {
  "git settings": (_, use) => settings(use),
  "git files": (words, use) => readsFiles(filesAmong(words, use)),
  "git names": () => [printsFound([literal(".")])],
  "git place": (_, use) => place(use),
  "git hidden options": (_, use) => hiddenEffects(use),
  "git checkout": (_, use) => checkout(use),
  "git restore": (_, use) =>
    use.has("S", "staged") && !use.has("W", "worktree") && !startsOpen(use) ? [] : [discards],
  "git clean": (_, { has }) => (has("n", "dry-run") && !has("no-dry-run") ? [] : [discards]),
  "git add": (words) => readsFiles(words.filter((word) => !isUnknown(word))),
  "git if forced": (_, { has }) => (has("f", "force") ? [discards] : []),
  "git strategy": (words) =>
    words.every(({ text }) => strategies.test(text))
      ? []
      : [danger("high", "its option --strategy names a program, which git runs")],
  "git collects": (words) => (words.every(({ text }) => expiry.test(text)) ? [] : [letsGo]),
  /** Git refuses a place where something is. */
  "git new place": (paths) => paths.map((path) => ({ type: "writes", path, how: "creates", isNew: true })),
  "git points": (words) =>
    words.length > 0 ? [danger("medium", "it makes one reference stand for another")] : [],
  /** The files that a patch changes, or any if its text is not known. */
  "git patch": (_, { input: { text } }) => {
    const found = text?.text.matchAll(/^(?:\+\+\+ (?:b\/)?|rename to |copy to )([^\t\n]+)/gmu) ?? [["", "."]];
    return edits([...found].map(([, path = ""]) => literal(path)));
  },
  "git push": push,
  "git fetch": fetch,
  "git fetches": ([address]) => fetchesFrom(address),
  "git clone": clone,
  "git way": (words) => words.flatMap(wayTo),
  "git each module": eachModule,
};
