/** For tests of doctor: a home without configuration, from which no model server is found. */

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { runCli } from "../../src/cli/main.ts";
import { testTerminal } from "../../src/tui/testing/terminal.ts";

const nothing = "http://127.0.0.1:9";
const servers = ["OLLAMA_HOST", "LMSTUDIO_BASE_URL", "LLAMACPP_BASE_URL", "VLLM_BASE_URL", "SGLANG_BASE_URL"];

export type Told = { check: string; state: string; words: string; fix?: string };

export async function newHome() {
  const home = await mkdtemp(join(tmpdir(), "toolwright-doctor-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  await mkdir(join(home, "work"));
  const env = {
    HOME: home,
    PATH: process.env["PATH"] ?? "",
    ...Object.fromEntries(servers.map((name) => [name, nothing])),
  };
  const run = async (argv: readonly string[], more: Record<string, string> = {}) => {
    const terminal = testTerminal({ env: { ...env, ...more }, cwd: join(home, "work") });
    const code = await runCli(["doctor", ...argv], terminal);
    return { code, text: terminal.printed() };
  };
  const doctor = async (argv: readonly string[] = [], more: Record<string, string> = {}) => {
    const { code, text } = await run(["--output", "json", ...argv], more);
    const findings: Told[] = JSON.parse(text);
    return { code, findings, of: (check: string) => findings.filter((one) => one.check === check) };
  };
  /** Writes the configuration of a place below home: the user's, or the workspace's. */
  const write = async (place: string, text: string): Promise<string> => {
    const path = join(home, place, "config.jsonc");
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { mode: 0o600 });
    return path;
  };
  const configure = (value: object): Promise<string> => write(".config/toolwright", JSON.stringify(value));
  return { home, env, run, doctor, write, configure };
}

/** The findings that are not "ok". */
export const unwell = (findings: readonly Told[]): Told[] => findings.filter(({ state }) => state !== "ok");
