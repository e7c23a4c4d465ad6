/** `toolwright serve link`: requests a one-time code from the running gateway, and prints the address for a browser. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { bounds } from "../../../base/bounds.ts";
import type { Expected } from "../../../base/expected.ts";
import { HttpProblem, readAll, request } from "../../../base/http.ts";
import { isObject, parseJson } from "../../../base/json.ts";
import { runningGateway } from "../../gateway/running-file.ts";
import { complain, exitCodes, type CliRoom } from "../room.ts";

export async function printLink({ terminal, settings }: CliRoom): Promise<number> {
  const link = await linkOf(settings.stateDir);
  if (!link.ok) {
    complain(terminal, link.problem);
    return exitCodes.failed;
  }
  const text = settings.output === "text" ? link.value : JSON.stringify({ link: link.value });
  terminal.print(`${text}\n`);
  return exitCodes.done;
}

async function linkOf(stateDir: string): Promise<Expected<string>> {
  const running = await runningGateway(stateDir);
  if (!running)
    return {
      ok: false,
      problem: "No gateway runs with this state directory: start one with toolwright serve.",
    };
  const token = await readFile(join(stateDir, "gateway-token"), "utf8").catch(() => "");
  try {
    const reply = await request({
      url: `${running.url}/codes`,
      method: "POST",
      headers: { authorization: `Bearer ${token.trim()}` },
    });
    const code = codeIn(await readAll(reply.body, bounds.gateway.codeBytes.most));
    return code === undefined
      ? { ok: false, problem: refused(running.url, reply.status) }
      : { ok: true, value: `${running.url}/#code=${code}` };
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    return { ok: false, problem: `The gateway at ${running.url} does not answer: ${error.message}` };
  }
}

const refused = (url: string, status: number): string =>
  `The gateway at ${url} gave no code (status ${status}): it was started with another token. Stop it and start it again.`;

function codeIn(text: string): string | undefined {
  const parsed = parseJson(text);
  if (!parsed.ok || !isObject(parsed.value)) return undefined;
  const { code } = parsed.value;
  return typeof code === "string" ? code : undefined;
}
