/** Attaches to the gateway that runs already with this state directory (`toolwright serve`). */

import { readFile } from "node:fs/promises";
import { stateDirectory } from "../../../../src/base/paths.ts";
import { livenessOf } from "../../../../src/base/process-identity.ts";
import { tokenPathIn } from "../../../../src/cli/serving/asking-gateway.ts";
import { type RunningGateway, runningGateway } from "../../../../src/gateway/running-file.ts";
import { t } from "../common/translate.ts";
import type { CoreEndpoint } from "./core-process.ts";

/** How often a gateway that is not our child is looked after, in milliseconds. */
const lookMs = 2_000;

export async function runningCore(
  env: Readonly<Record<string, string | undefined>>,
): Promise<CoreEndpoint | undefined> {
  const stateDir = stateDirectory(env);
  const running = await runningGateway(stateDir);
  if (!running) return undefined;
  const token = await readFile(tokenPathIn(stateDir), "utf8").catch(() => "");
  if (!(await answers(running.url, token.trim()))) return undefined;
  return { address: { url: running.url, token: token.trim() }, isOurs: false, ...watched(running) };
}

async function answers(url: string, token: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}` };
  const signal = AbortSignal.timeout(lookMs);
  const reply = await fetch(`${url}/health`, { headers, signal }).catch(() => undefined);
  return reply?.ok === true;
}

/** It is nobody's child here, so only looking tells whether it is still there. */
function watched({ process }: RunningGateway): Pick<CoreEndpoint, "ended" | "stop"> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const timer = setInterval(() => {
    if (livenessOf(process) === "alive") return;
    clearInterval(timer);
    resolve(t("the gateway it was attached to has ended"));
  }, lookMs);
  timer.unref();
  return { ended: promise, stop: () => clearInterval(timer) };
}
