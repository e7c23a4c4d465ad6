/** Functions of `git.yaml`: what git does to files, branches and other repositories. */

import { isUnknown, literal, type Word, withText } from "../../command-line/word.ts";
import { danger, interprets } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { edits, fetched, printsFound, readsFiles } from "../file-effect-makers.ts";
import type { Use, WordsDo } from "../program.ts";
import { settings, settingOnce } from "./settings.ts";

const discards = danger("high", "it throws away changes that are not committed");

/** A path, a hidden name, or a name with an ending; `main..next` and `v1.2` do not count. */
const looksLikeFile = (text: string): boolean =>
  /^(?:~|\/|\.[^.]|\.\.?(?:\/|$))|\/\.[A-Za-z][^/]*$/u.test(text) ||
  /^(?!.*\.\.)(?:.*\/)?[^/]*[^/\d]\.[A-Za-z]\w*$/su.test(text);

/** Words that name files, current or at a revision (`HEAD:file`). A name without a dot may be a branch. */
function filesAmong(operands: readonly Word[], { name, has }: Use): Word[] {
  const isLog = /^(?:log|whatchanged|shortlog|rev-list)$/u.test(name);
  if (isLog && !has("p", "u", "patch", "L", "S", "G", "c", "cc")) return []; // it only tells their names
  const named = name === "grep" && !has("e", "f") ? operands.slice(1) : operands;
  return named
    .map((word) => withText(word, word.text.replace(/^[^:]*:(?:[0-3]:|\/)?/u, "")))
    .filter(({ text }) => looksLikeFile(text));
}

const wellKnown = /(?:^|\/)(?:Makefile|Dockerfile|LICENSE|README|Gemfile|Rakefile|Procfile|src)$/u;

/** Whether files to restore are named: behind `--`, as a second operand, or recognisable as paths. */
function namesFiles({ operands: [first, second], words }: Use): boolean {
  if (!first || second || words.slice(0, -1).some(({ text }) => text === "--")) return first !== undefined;
  return looksLikeFile(first.text) || /^:[/(!^]|[*?]|\/$/u.test(first.text) || wellKnown.test(first.text);
}

/** Unless it makes a branch, or only moves to a commit. */
const checkout = (use: Use): Effect[] =>
  use.has("f", "force", "p", "patch", "pathspec-from-file") ||
  (!use.has("b", "B", "orphan", "detach", "d", "t", "track") && namesFiles(use))
    ? [discards]
    : [];

/** Anywhere in the workspace this is the workspace's repository; elsewhere the answer is known only at run time. */
function place({ words: [first, second], around: { workspace, directory } }: Use): Effect[] {
  if (!`${directory}/`.startsWith(`${workspace}/`)) return [];
  const [, asked = ""] = /^--(git-path|show-toplevel|(?:absolute-)?git-dir)$/u.exec(first?.text ?? "") ?? [];
  const inside =
    asked === "git-path" ? `/.git/${second?.text ?? ""}` : asked === "show-toplevel" ? "" : "/.git";
  return asked === "" ? [] : [{ type: "prints", text: literal(`${workspace}${inside}`) }];
}

/** Unlike a configured remote, an address in the words is a destination that the user has not approved. */
const push = ([to, ...refs]: readonly Word[]): Effect[] => [
  ...fetchesFrom(to),
  ...(to && namesHost(to) ? [{ type: "sends", to } as const] : []),
  ...(refs.some(({ text }) => /^[+:]./su.test(text))
    ? [danger("high", "it rewrites or deletes what the remote has")]
    : []),
];

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

const strategies = /^(?:ours|recursive|resolve|octopus|subtree|ort|theirs)$/u;
const expiry = /^(?:never|\d+[. ](?:day|week|month|year)s?(?:[. ]ago)?)$/u;

export const gitFunctions: Readonly<Record<string, WordsDo>> = {
  "git settings": (_, use) => settings(use),
  "git files": (words, use) => readsFiles(filesAmong(words, use)),
  "git names": () => [printsFound([literal(".")])],
  "git place": (_, use) => place(use),
  "git checkout": (_, use) => checkout(use),
  "git strategy": (words) =>
    words.every(({ text }) => strategies.test(text))
      ? []
      : [danger("high", "its option --strategy names a program, which git runs")],
  "git collects": (words) =>
    words.every(({ text }) => expiry.test(text))
      ? []
      : [danger("high", "it lets go of commits that may be nowhere else")],
  /** Git refuses a place where something is. */
  "git new place": (paths) => paths.map((path) => ({ type: "writes", path, how: "creates", isNew: true })),
  /** The files that a patch changes, or any if its text is not known. */
  "git patch": (_, { input: { text } }) => {
    const found = text?.text.matchAll(/^(?:\+\+\+ (?:b\/)?|rename to |copy to )([^\t\n]+)/gmu) ?? [["", "."]];
    return edits([...found].map(([, path = ""]) => literal(path)));
  },
  "git fetches": ([address]) => fetchesFrom(address),
  /** Unlike a configured remote, an address in the words is a destination that the user has not approved. */
  "git push": push,
  "git clone": clone,
};

/** `https://host/x`, `git@host:x`; anything else is a path, or the name of a configured remote. */
const namesHost = ({ text }: Word): boolean => /^(?:[\w+]+:\/\/|[^/]*:)/u.test(text);

/** A transport that is a program or, for ssh, an option. */
const running = /^(?:(?!(?:https?|ftps?|git|ssh|file)::)[\w+.-]+::|(?:[\w+]+:\/\/)?(?:[^/@:]*@)?-)/u;

/** Fetches from this address or, without one, from the configured remote. */
function fetchesFrom(address: Word | undefined): Effect[] {
  const fetches: Effect = { type: "fetches", from: address && namesHost(address) ? address : undefined };
  if (!address || !running.test(address.text)) return [fetches];
  // In such addresses a blank inside a word is written `% `.
  const code = withText(address, address.text.replace(/^ext::/u, "").replaceAll("% ", "\\ "));
  return [danger("high", "its address runs a command"), interprets("shell", code), fetches];
}

/** The directory that a clone creates if none is given. */
export function cloneName(address: Word): Word {
  const name = address.text.replace(/(?<![/\\])[/\\]+$/u, "").replace(/\/?\.git$/u, "");
  const last = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf(":")) + 1);
  return last === "" || last === "." || last === ".." ? literal(".") : withText(address, last);
}
