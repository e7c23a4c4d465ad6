/** Requests to the running gateway of this state directory, with the token of its file. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { otherProgramBounds } from "../../base/bounds.ts";
import { type Expected, refuse } from "../../base/expected.ts";
import { HttpProblem, readAll, request } from "../../base/http.ts";
import { parseJson } from "../../base/json.ts";
import type { RunningGateway } from "../../gateway/running-file.ts";

/** The file with the gateway's token. */
export const tokenPathIn = (stateDir: string): string => join(stateDir, "gateway-token");

type GatewayReply = { status: number; value: unknown };

/** `value`: the reply as JSON, undefined if it is none. */
export async function askGateway(
  stateDir: string,
  { url }: RunningGateway,
  { method, path }: { method: "GET" | "POST" | "DELETE"; path: string },
): Promise<Expected<GatewayReply>> {
  const token = await readFile(tokenPathIn(stateDir), "utf8").catch(() => "");
  try {
    const headers = { authorization: `Bearer ${token.trim()}` };
    const reply = await request({ url: `${url}${path}`, method, headers });
    const text = await readAll(reply.body, otherProgramBounds.message.most);
    const parsed = parseJson(text);
    if (reply.status === 401) return refuse(otherToken(url));
    return { ok: true, value: { status: reply.status, value: parsed.ok ? parsed.value : undefined } };
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    return refuse(`The gateway at ${url} does not answer: ${error.message}`);
  }
}

const otherToken = (url: string): string =>
  `The gateway at ${url} was started with another token (status 401). Stop it and start it again.`;
