/** A file in the state directory that names the running gateway, so that others find it and no second one starts. */

import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { randomHex } from "../base/crypto.ts";
import { parseJson } from "../base/json.ts";
import { isSameProcess, livenessOf, ownIdentity } from "../base/process-identity.ts";

const running = z.object({
  url: z.string(),
  pid: z.number(),
  process: z.object({
    pid: z.number(),
    started: z.string(),
    boot: z.string(),
    space: z.string(),
    host: z.string(),
  }),
});
export type RunningGateway = z.infer<typeof running>;

const placeOf = (stateDir: string): string => join(stateDir, "gateway.json");

/** Ignores an entry whose process is gone. */
export async function runningGateway(stateDir: string): Promise<RunningGateway | undefined> {
  const found = await readRunning(stateDir);
  return found && livenessOf(found.process) === "alive" ? found : undefined;
}

/** Registers this process as the running gateway. Returns the other gateway if there already is one. */
export async function claimRunning(stateDir: string, url: string): Promise<RunningGateway | undefined> {
  const path = placeOf(stateDir);
  const own: RunningGateway = { url, pid: process.pid, process: ownIdentity() };
  const draft = `${path}.${randomHex(8)}`;
  await writeFile(draft, `${JSON.stringify(own)}\n`, { mode: 0o600, flag: "wx" });
  try {
    const isFirst = await link(draft, path).then(
      () => true,
      () => false,
    );
    if (isFirst) return undefined;
    const other = await runningGateway(stateDir);
    if (other && !isOwn(other)) return other;
    await rename(draft, path);
    const now = await readRunning(stateDir);
    return now && !isOwn(now) ? now : undefined;
  } finally {
    await rm(draft, { force: true });
  }
}

export async function releaseRunning(stateDir: string): Promise<void> {
  const found = await readRunning(stateDir);
  if (found && isOwn(found)) await rm(placeOf(stateDir), { force: true });
}

const isOwn = ({ process }: RunningGateway): boolean => isSameProcess(process, ownIdentity());

async function readRunning(stateDir: string): Promise<RunningGateway | undefined> {
  const text = await readFile(placeOf(stateDir), "utf8").catch(() => undefined);
  const parsed = text === undefined ? undefined : parseJson(text);
  const read = running.safeParse(parsed?.ok ? parsed.value : undefined);
  return read.success ? read.data : undefined;
}
