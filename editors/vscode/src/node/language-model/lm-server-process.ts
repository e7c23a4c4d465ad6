/** A language-model server as a child, for as long as somebody here asks models. It ends with us, however we end. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { randomHex } from "../../../../../src/base/crypto.ts";
import { type Expected, refuse } from "../../../../../src/base/expected.ts";
import type { LmServerPlace } from "../../common/language-model/lm-server-client.ts";
import { t } from "../../common/translate.ts";

/** The command line: a Node, and `toolwright` with its options. `directory` is no workspace: nothing is read there. */
export type ProgramStart = {
  path: string;
  words: readonly string[];
  env: NodeJS.ProcessEnv;
  directory: string;
};

export type LmServerProcess = LmServerPlace & { isRunning(): boolean; stop(): Promise<void> };

/** Time for it to listen, in milliseconds. */
const startMs = 30_000;
/** Longer than the server itself gives to answers that have begun, in milliseconds; after that it is killed. */
const stopMs = 12_000;

/** `models`: served by their own names, the first one by any other name as well. */
export async function startLmServer(
  { path, words, env, directory }: ProgramStart,
  models: readonly string[],
  log: (line: string) => void,
): Promise<Expected<LmServerProcess>> {
  const token = randomHex(32);
  const [usual = ""] = models;
  const own = ["lm-server", "--port", "0", "--models", models.join(","), "--model", usual];
  const child = spawn(path, [...words, ...own], {
    cwd: directory,
    env: { ...env, TOOLWRIGHT_LM_TOKEN: token },
    // The server ends when this channel does: an extension host that is killed leaves nothing behind.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    windowsHide: true,
  });
  const said = listen(child, log);
  const url = await Promise.race([said.url, said.ended, after(startMs)]);
  if (url === undefined) {
    child.kill("SIGKILL");
    const why = said.problem() === "" ? t("It said nothing in time.") : said.problem();
    return refuse(t("Toolwright's models cannot be served: {0}", why));
  }
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  return { ok: true, value: { url, token, isRunning, stop: () => stop(child, isRunning) } };
}

function listen(child: ChildProcess, log: (line: string) => void) {
  let heard = "";
  let problem = "";
  const url = new Promise<string>((resolve) => {
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      heard += text;
      const [, found] = /runs at (http:\/\/127\.0\.0\.1:\d+) /u.exec(heard) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    for (const line of text.split("\n").filter((one) => one.trim() !== "")) {
      problem = line.replace(/^toolwright: /u, "");
      log(line);
    }
  });
  const ended = new Promise<undefined>((resolve) => {
    child.once("error", (error) => {
      problem = error.message;
      resolve(undefined);
    });
    child.once("exit", () => resolve(undefined));
  });
  return { url, ended, problem: () => problem };
}

async function stop(child: ChildProcess, isRunning: () => boolean): Promise<void> {
  if (!isRunning()) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), stopMs);
  await ended;
  clearTimeout(late);
}

const after = (ms: number): Promise<undefined> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(undefined), ms).unref();
  });
