/** Runs git for checkouts: without the settings of people where it writes files, with them where it fetches. */

import { type EnvironmentVariables } from "../../base/environment-variables.ts";
import { type Expected, refuse } from "../../base/expected.ts";
import { type GitRun, plainEnvironment, runGit } from "../../base/git-run.ts";
import { checkoutBounds } from "./bounds.ts";

type GitWords = readonly string[];
type More = Pick<GitRun, "input" | "signal"> & {
  /** Added to git's environment. */
  variables?: Readonly<Record<string, string>>;
  onBytes?: (bytes: Buffer) => void;
};

export type CheckoutGit = {
  /** In a repository of ours (a bare one ends with `.git`, as no tree does): no settings but its own, so no filter, helper or hook of anybody. */
  here: (directory: string, words: GitWords, more?: More) => Promise<Expected<string>>;
  /** As `here`, and it may fetch from another repository of this machine. */
  between: (directory: string, words: GitWords, more?: More) => Promise<Expected<string>>;
  /** Fetches and pushes, with the helpers and logins that git has on this machine. */
  away: (directory: string, words: GitWords, more?: More) => Promise<Expected<string>>;
};

/** `env`: of this process. `tree`: where no program is taken from. `protocols`: those that may be fetched over. */
export function checkoutGit(
  env: EnvironmentVariables,
  { tree, protocols }: { tree: string; protocols: readonly string[] },
): CheckoutGit {
  const plain = plainEnvironment(env, tree);
  const own = { ...plain, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  return {
    here: runner(own, undefined),
    between: runner(own, "file"),
    away: runner({ ...plain, ...loginsIn(env), ...askNobody(env) }, protocols.join(":")),
  };
}

const runner =
  (env: EnvironmentVariables, protocols: string | undefined): CheckoutGit["here"] =>
  (directory, words, { variables = {}, ...more } = {}) =>
    textOrProblem({
      directory,
      env: { ...env, ...(directory.endsWith(".git") ? { GIT_DIR: directory } : {}), ...variables },
      arguments: words,
      patienceMs: checkoutBounds.gitTime.most,
      protocols,
      ...more,
    });

/** Of the variables that control git, those that say how it proves who it is; never those that move or trace it. */
const ofLogins =
  /^GIT_(?:ASKPASS|SSH|SSH_COMMAND|SSH_VARIANT|SSL_\w+|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+))$/u;

const loginsIn = (env: EnvironmentVariables): EnvironmentVariables =>
  Object.fromEntries(Object.entries(env).filter(([name]) => ofLogins.test(name)));

/** ssh asks a program, if any, and never the terminal that Toolwright is started on. */
const askNobody = (env: EnvironmentVariables): EnvironmentVariables => ({
  SSH_ASKPASS: env["SSH_ASKPASS"] ?? "false",
  SSH_ASKPASS_REQUIRE: "force",
});

/** What git says is cut to its last lines. */
const mostTroubleLines = 3;
const mostTrouble = 4_000;

async function textOrProblem(
  run: Omit<GitRun, "onBytes" | "onTrouble"> & { onBytes?: ((bytes: Buffer) => void) | undefined },
): Promise<Expected<string>> {
  const pieces: Buffer[] = [];
  let trouble = "";
  const isWell = await runGit({
    onBytes: (bytes) => void pieces.push(bytes),
    ...run,
    onTrouble: (bytes) => void (trouble = (trouble + bytes.toString()).slice(-mostTrouble)),
  });
  return isWell ? { ok: true, value: Buffer.concat(pieces).toString() } : refuse(troubleWords(trouble));
}

/** In one line, without what may be a login. */
function troubleWords(trouble: string): string {
  const lines = trouble
    .split(/[\r\n]+/u)
    .filter((line) => /^(?:fatal|error|remote|ssh|host key)|! \[|denied/iu.test(line));
  const told = lines
    .slice(-mostTroubleLines)
    .join("; ")
    .replaceAll(/\/\/[^/@\s]*@/gu, "//");
  return told === ""
    ? "git did not end in time, or could not be started"
    : told.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
}
