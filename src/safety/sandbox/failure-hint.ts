/** Explains how the sandbox may have caused a command's failure, such as "Read-only file system". */

import { basename, relative } from "node:path";
import { isWithin } from "../../base/paths.ts";
import type { Profile } from "../../protocol/fact-words.ts";
import { plainly } from "../refusals.ts";
import type { Sandbox } from "./sandbox-kinds.ts";

/** What is said in a profile, in every one that contains, or in all; the first of these that is there. */
type HintWords = Partial<Record<Profile | "contained" | "always", string>>;

/** `isKnown`: where something looked at what the kernel refused, that tells it, and words are no sign. */
type HintRow = HintWords & { readonly said: RegExp; readonly isKnown?: true };

const wordsFor = (hint: HintWords, profile: Profile): string | undefined =>
  hint[profile] ?? (profile === "open" ? hint.always : (hint.contained ?? hint.always));

/** A contained command reaches only servers in its own sandbox; each terminal has a sandbox of its own. */
const localHint = {
  contained:
    "In the sandbox a command has a network of its own: it only reaches a server that it has started itself, or, typed into a terminal's shell, one that was started there",
  open: "If a terminal runs that server, it is reached from that terminal's sandbox only: start it in a terminal's shell, with & at its end, and type the request into that same shell",
};

/** curl and wget can fail on loopback without output, so the command line itself is matched. */
const silentRequest = /\b(?:curl|wget)\b[^\n]*(?:\blocalhost\b|\b127\.0\.0\.1\b|\[::1\])/iu;

const gitHint =
  "In the sandbox .git can only be written by a line that runs no other code (builds, tests, scripts, wrappers such as xargs): run the git commands as a call of their own";

/** `git stash` says nothing at all when it may not write. */
const silentGit = /\bgit\s+(?:-\S+\s+)*stash\b(?!\s+(?:list|show)\b)/u;

const onlyReads = "This command was understood to only read, so the sandbox let it change nothing";

/** The first matching row wins. */
const rows: readonly HintRow[] = [
  {
    said: /(?:could not lock config file|\.git\/(?:config|hooks|info|modules)\b)[^\n]*: (?:Read-only file system|Permission denied)/iu,
    contained:
      "In the sandbox nothing changes a repository's settings, hooks or submodules (.git/config, .git/hooks, .git/modules)",
  },
  {
    said: /\.git\/[^\n]*: (?:Read-only file system|Permission denied)/iu,
    contained: gitHint,
  },
  {
    said: /detected dubious ownership in repository/u,
    git: "In the sandbox git uses no repository that was not seen before the command: none in directories of packages or very deep ones. Nothing is wrong with its owner, and no setting helps",
  },
  {
    said: /could not read (?:Username|Password) for 'https:/u,
    contained:
      'In the sandbox git has none of the user\'s logins: if the remote wants one, run the same command once more with outside: its host and port ("github.com:443"); the user is asked',
  },
  {
    isKnown: true,
    said: /Read-only file system|\bEROFS\b|readonly database|unable to open database file/iu,
    read: onlyReads,
    contained:
      "In the sandbox only the workspace can be written, without its protected places (.git, .husky, .vscode and their like) and without what a trusted hook or tool server runs",
  },
  {
    said: /Invalid cross-device link|\bEXDEV\b/iu,
    always:
      "In the sandbox a directory that was there before cannot be renamed in one step, nor a file from one mounted place to another: mv, which copies and deletes, works",
  },
  {
    said: /Value too large for defined data type|\bEOVERFLOW\b/iu,
    always:
      "What belongs to another user or group cannot be changed over a layer of the workspace; a person may give it to you with chown",
  },
  {
    isKnown: true,
    said: /could not resolve host|EAI_AGAIN|ENOTFOUND|ENETUNREACH|temporary failure in name resolution|network is unreachable|name or service not known|dial tcp: lookup|failed to lookup address|failed to connect to (?!localhost|127\.|\[?::1)\S+ port/iu,
    install: "In the sandbox installs reach package registries only",
    contained: "In the sandbox this command has no network",
  },
  {
    isKnown: true,
    said: /(?:localhost|127\.0\.0\.1|\[::1\]|::1)[^\n]*(?:refused|could(?:n't| not) connect)|(?:refused|could(?:n't| not) connect|ECONNREFUSED)[^\n]*(?:localhost|127\.0\.0\.1|::1)/iu,
    ...localHint,
  },
  {
    said: /\.(?:ssh|gnupg|aws|azure|kube|docker|netrc|npmrc|pypirc|pgpass|git-credentials)\b[^\n]*(?:Permission denied|EACCES)|(?:^|[\s/'"`])\.env(?:rc|\.[\w.-]+)?\b[^\n]*(?:Permission denied|EACCES|not a regular file|can only add regular files|busy)|EACCES[^\n]*\.env/imu,
    always:
      "Files with secrets (.env and their like) are hidden from commands in the sandbox, but for one that names such a file itself (cat .env), once the user has agreed",
  },
  {
    said: /\/(?:var\/)?tmp\/[^\n]*(?:No such file|ENOENT|not found|does not exist)|(?:ENOENT|No such file)[^\n]*\/tmp\//iu,
    contained:
      "In the sandbox /tmp is empty when a command starts and gone when it ends: keep files in the workspace",
  },
];

/** Where Landlock is the sandbox, for what the rows above do not explain. */
const landlockRows: readonly HintRow[] = [
  {
    said: /Address family not supported|EAFNOSUPPORT/iu,
    contained: "In this sandbox a command has no sockets at all: it can reach no server, and start none",
  },
  {
    said: /Permission denied|\bEACCES\b|Operation not permitted|\bEPERM\b/iu,
    read: onlyReads,
    contained:
      "In this sandbox a command writes to the workspace and to $TMPDIR only, and where a protected or hidden place is directly in a directory (.git in the workspace's own), it can make, rename and remove nothing directly there. Make what is missing with a file tool first, such as a file in the directory that the command wants to make, and run the command again",
  },
];

/** Only the end of a long output is searched. */
const mostLookedAt = 16_384;

/**
 * `places`: the workspace and the home. They may lie in /tmp and persist, so paths in them are no sign of the sandbox.
 * `held`: files that no command can change, because something trusted runs them. `hidden`: what it could not open.
 */
type HintOptions = {
  places?: readonly string[];
  held?: readonly string[];
  hidden?: readonly string[] | undefined;
  command?: string | undefined;
  /** Something looked at what the kernel refused the command. */
  isObserved?: boolean;
  sandbox?: Sandbox["kind"] | undefined;
};

export function failureHint(
  profile: Profile,
  output: string,
  { places = [], held = [], hidden = [], command = "", sandbox, isObserved = false }: HintOptions = {},
): string | undefined {
  const name = profile === "read" ? undefined : heldIn(output.slice(-mostLookedAt), held, command);
  if (name !== undefined) return heldHint(name);
  const secret = hiddenIn(output.slice(-mostLookedAt), hidden, places);
  if (secret !== undefined) return hiddenHint(secret, places);
  const end = places.reduce((text, place) => text.replaceAll(place, ""), output.slice(-mostLookedAt));
  if (!isObserved && end.trim() === "" && silentRequest.test(command.slice(-mostLookedAt)))
    return `${wordsFor(localHint, profile)}.`;
  for (const row of [...rows, ...(sandbox === "landlock" ? landlockRows : [])]) {
    const words = !(isObserved && row.isKnown) && row.said.test(end) ? wordsFor(row, profile) : undefined;
    if (words !== undefined) return `${words}.`;
  }
  const isShut = profile === "build" || profile === "install";
  return isShut && silentGit.test(command.slice(-mostLookedAt)) ? `${gitHint}.` : undefined;
}

const notChanged = /^.*(?:Read-only file system|\bEROFS\b|resource busy|\bEBUSY\b).*$/gimu;

/** The held file that a command could not change. Some programs name only a temporary file of theirs. */
function heldIn(output: string, held: readonly string[], command: string): string | undefined {
  const lines = held.length === 0 ? "" : (output.match(notChanged) ?? []).join("\n");
  if (lines === "") return undefined;
  const names = held.map((path) => basename(path));
  return [lines, command]
    .map((text) => text.split(/[\s'"`:,;|&<>()=/]+/u))
    .flatMap((words) => names.filter((name) => words.includes(name)))
    .at(0);
}

const heldHint = (name: string): string =>
  `${name} is part of what a trusted hook or tool server runs, so no command can change it, not even an approved one. A file tool can, after a question. Or a person runs this command in a terminal of their own, or takes the approval back before it (toolwright trust forget, in a conversation /trust forget). After the change the hook or server waits for approval again.`;

const notOpened = /^.*(?:Permission denied|\bEACCES\b).*$/gimu;

/** Nothing sees that a hidden file is opened, but what is hidden is known, and programs say what they could not open. */
function hiddenIn(output: string, hidden: readonly string[], places: readonly string[]): string | undefined {
  const lines = hidden.length === 0 ? [] : (output.match(notOpened) ?? []);
  if (lines.length === 0) return undefined;
  return hidden.find((path) => {
    const names = [
      path,
      ...places.flatMap((place) => (isWithin(place, path) ? [relative(place, path)] : [])),
    ];
    return names.some((name) => lines.some((line) => isNamedIn(line, name)));
  });
}

/** Not as a part of a longer name. */
function isNamedIn(line: string, name: string): boolean {
  if (name === "") return false;
  const pieces = line.split(name);
  return pieces.slice(1).some((after, at) => {
    const before = pieces.slice(0, at + 1).join(name);
    const isWhole = /(?:^|[^\w./-]|(?:^|[^\w.-])(?:\.|~)\/)$/u.test(before);
    return isWhole && /^(?![\w-]|\.\w)/u.test(after);
  });
}

function hiddenHint(path: string, [workspace]: readonly string[]): string {
  const name = workspace !== undefined && isWithin(workspace, path) ? relative(workspace, path) : path;
  return `${plainly(name)} may hold secrets, so it is hidden from commands in the sandbox, but for one that names it itself, once the user has agreed.`;
}
