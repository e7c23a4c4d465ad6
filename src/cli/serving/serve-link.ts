/** `toolwright serve link`: requests a one-time code from the running gateway, and prints the address for a browser. */

import { type Expected, refuse } from "../../base/expected.ts";
import { isObject } from "../../base/json.ts";
import { runningGateway } from "../../gateway/running-file.ts";
import { exitCodes, type CliContext, failWith } from "../cli-context.ts";
import { askGateway } from "./asking-gateway.ts";

export async function printLink({ terminal, settings }: CliContext): Promise<number> {
  const link = await linkOf(settings.stateDir);
  if (!link.ok) return failWith(terminal, link.problem);
  const text = settings.output === "text" ? link.value : JSON.stringify({ link: link.value });
  terminal.print(`${text}\n`);
  return exitCodes.done;
}

async function linkOf(stateDir: string): Promise<Expected<string>> {
  const running = await runningGateway(stateDir);
  if (!running) return refuse("No gateway runs with this state directory: start one with toolwright serve.");
  const reply = await askGateway(stateDir, running, { method: "POST", path: "/codes" });
  if (!reply.ok) return reply;
  const code = isObject(reply.value.value) ? reply.value.value["code"] : undefined;
  return typeof code === "string"
    ? { ok: true, value: `${running.url}/#code=${code}` }
    : refuse(`The gateway at ${running.url} gave no code (status ${reply.value.status}).`);
}
