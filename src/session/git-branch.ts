/**
 * Creates a git branch for a session's work. Writes only references: reads no files and runs no program of the
 * repository.
 */

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Expected } from "../base/expected.ts";
import { type GitPlace, plainEnvironment, runGit } from "../base/git-run.ts";
import type { FactOf } from "../protocol/facts.ts";
import { typedIn } from "../protocol/messages.ts";
import type { SessionState } from "../protocol/session-state.ts";

type Branch = FactOf<"branch">;
/** Git's output without the last line end; undefined if it failed. */
type Git = (...words: readonly string[]) => Promise<string | undefined>;

/**
 * Creates the branch and checks it out; uncommitted changes stay as they are. Undefined if there is no repository; the
 * problem is why it cannot have a branch right now. If this session's branch is already checked out, it is used: a
 * crash may have come before its fact.
 */
export async function startBranch(
  place: GitPlace,
  state: SessionState,
): Promise<Expected<Branch> | undefined> {
  const git = gitIn(place);
  const start = await startIn(place, git);
  if (!start?.ok) return start;
  const { directory, commit } = start.value;
  const from = (await currentBranch(place)) ?? "";
  if (isOwn(from, state)) return { ok: true, value: await branchFact(git, from, commit) };
  const going = workInProgress(directory);
  if (going !== undefined) return problem(`${going} is in progress`);
  return make(git, state, { from, commit });
}

/** Why a session in this workspace cannot have a branch; undefined if it can, unless something is just in progress. */
export async function whyNoBranch(place: GitPlace): Promise<string | undefined> {
  const start = await startIn(place, gitIn(place));
  if (!start) return "no git repository has files of this directory (`git init` makes one)";
  return start.ok ? undefined : start.problem;
}

/** Where a branch would begin; undefined if there is no repository, or if it has nothing of the workspace. */
async function startIn(place: GitPlace, git: Git): Promise<Expected<BranchStart> | undefined> {
  if (!isInRepository(place.workspace)) return undefined;
  const directory = await git("rev-parse", "--absolute-git-dir");
  if (directory === undefined) return problem("git cannot read the repository (`git status` may say why)");
  if (!(await isTracked(git))) return undefined;
  const commit = await git("rev-parse", "--verify", "--quiet", "HEAD^{commit}");
  return commit === undefined
    ? problem("the repository has no commit yet (`git commit` makes one)")
    : { ok: true, value: { directory, commit } };
}

/** `directory`: that of git. */
type BranchStart = { directory: string; commit: string };

/** The branch that is checked out, even one without a commit; undefined if there is none or git fails. */
export async function currentBranch(place: GitPlace): Promise<string | undefined> {
  const reference = await gitIn(place)("symbolic-ref", "--quiet", "HEAD");
  return reference?.startsWith(heads) ? reference.slice(heads.length) : undefined;
}

/** "toolwright/1a2b3c-fix-the-parser": the end of the session's id, as people name it, and its title. */
function branchName(state: SessionState): string {
  const slug = slugOf(state.title ?? firstWords(state));
  return slug === "" ? `toolwright/${shortId(state)}` : `${prefixOf(state)}${slug}`;
}

const heads = "refs/heads/";
const shortId = ({ session }: SessionState): string => session.slice(-6).toLowerCase();
const prefixOf = (state: SessionState): string => `toolwright/${shortId(state)}-`;
const isOwn = (name: string, state: SessionState): boolean =>
  `${name}-` === prefixOf(state) || name.startsWith(prefixOf(state));

async function branchFact(git: Git, name: string, commit: string): Promise<Branch> {
  return { type: "branch", name, from: (await git("rev-parse", "--abbrev-ref", "@{-1}")) ?? "", commit };
}

/** Ignores a repository further up that tracks nothing of the workspace, such as one of the home directory. */
async function isTracked(git: Git): Promise<boolean> {
  return (
    (await git("rev-parse", "--show-prefix")) === "" || ((await git("ls-files", "--", ".")) ?? "") !== ""
  );
}

function firstWords({ said }: SessionState): string {
  const [first = []] = said;
  return typedIn(first, " ").slice(0, 400);
}

const longestSlug = 40;

/** Letters, digits and single hyphens, cut between words if possible. */
function slugOf(title: string): string {
  const plain = title
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, "-")
    .replaceAll(/^-+|-+$/gu, "");
  if (plain.length <= longestSlug) return plain;
  const cut = plain.slice(0, longestSlug + 1);
  const end = cut.lastIndexOf("-");
  return cut.slice(0, end > 0 ? end : longestSlug);
}

async function make(
  git: Git,
  state: SessionState,
  { from, commit }: { from: string; commit: string },
): Promise<Expected<Branch>> {
  const name = await freeName(git, branchName(state));
  if (name === undefined) return problem("its names are all taken");
  // Only if the branch does not exist yet: of two concurrent programs, one creates it.
  const made = await git("update-ref", `${heads}${name}`, commit, "0".repeat(commit.length));
  if (made === undefined) return problem(`git cannot make the branch ${name}`);
  // As `git switch` records it, so that `git switch -` finds the way back.
  const note = `checkout: moving from ${from === "" ? commit : from} to ${name}`;
  const switched = await git("symbolic-ref", "-m", note, "HEAD", `${heads}${name}`);
  if (switched === undefined) {
    await git("update-ref", "-d", `${heads}${name}`, commit);
    return problem(`git cannot check out the branch ${name}`);
  }
  return { ok: true, value: { type: "branch", name, from, commit } };
}

async function freeName(git: Git, wanted: string): Promise<string | undefined> {
  for (const name of [wanted, ...Array.from({ length: 9 }, (_, at) => `${wanted}-${at + 2}`)])
    if ((await git("rev-parse", "--verify", "--quiet", `${heads}${name}`)) === undefined) return name;
  return undefined;
}

/** Moving HEAD now would break the operation in progress. */
function workInProgress(directory: string): string | undefined {
  return inProgress.find(([, names]) => names.some((name) => existsSync(join(directory, name))))?.[0];
}

const inProgress: readonly (readonly [string, readonly string[]])[] = [
  ["a merge", ["MERGE_HEAD"]],
  ["a rebase", ["rebase-merge", "rebase-apply"]],
  ["a cherry-pick", ["CHERRY_PICK_HEAD"]],
  ["a revert", ["REVERT_HEAD"]],
  ["a sequence of picks", ["sequencer"]],
  ["a bisection", ["BISECT_LOG"]],
];

/** Checked without starting git, so that workspaces outside a repository cost nothing. */
function isInRepository(workspace: string): boolean {
  for (let at = workspace; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return true;
    if (dirname(at) === at) return false;
  }
}

function gitIn({ workspace, env }: GitPlace): Git {
  const plain = plainEnvironment(env, workspace);
  return async (...words) => {
    const pieces: Buffer[] = [];
    const isWell = await runGit({
      directory: workspace,
      env: plain,
      arguments: words,
      onBytes: (bytes) => void pieces.push(bytes),
    });
    return isWell ? Buffer.concat(pieces).toString().replace(/\n$/u, "") : undefined;
  };
}

const problem = (because: string): { ok: false; problem: string } => ({ ok: false, problem: because });
