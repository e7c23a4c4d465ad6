/** Doctor's check of the gateway: whether one runs with this state directory, and whether its page was built. */

import { once } from "node:events";
import { createServer } from "node:net";
import { errorMessage } from "../../base/expected.ts";
import type { Config } from "../../configuration/config.ts";
import { type RunningGateway, runningGateway } from "../../gateway/running-file.ts";
import { pageFolder, usualPort } from "../serving/page-folder.ts";
import { type DoctorFinding } from "./finding.ts";

export async function gatewayFindings({
  stateDir,
  host,
  port = usualPort,
}: Pick<Config, "stateDir" | "host" | "port">): Promise<DoctorFinding[]> {
  const running = await runningGateway(stateDir);
  const page = pageFinding(pageFolder().pageFolder);
  const problem = running || port === 0 ? undefined : await portProblem(host, port);
  if (problem === undefined) return [gatewayFinding(running), page];
  const words = `none runs with this state directory, and none could: port ${port} of ${host} ${problem}`;
  const fix = "`toolwright serve --port 0` takes any that is free";
  return [{ check: "gateway", state: "warn", words, fix }, page];
}

/** Opens the port as `serve` would, and closes it again. */
async function portProblem(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  try {
    await once(server.listen({ host, port, exclusive: true }), "listening");
    return undefined;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EADDRINUSE") return "is taken by another program";
    return code === "EACCES" ? "may not be used" : `cannot be used (${errorMessage(error)})`;
  } finally {
    server.close();
  }
}

function gatewayFinding(running: RunningGateway | undefined): DoctorFinding {
  const words = running
    ? `runs at ${running.url}, process ${running.pid}: \`toolwright serve link\` lets a browser in`
    : "none runs with this state directory: `toolwright serve` starts one";
  return { check: "gateway", state: "ok", words };
}

export function pageFinding(folder: string | undefined): DoctorFinding {
  if (folder !== undefined) return { check: "page", state: "ok", words: "built" };
  const words =
    "not built: a gateway serves programs only. Reinstall Toolwright, or run `npm run build` in a checkout";
  return { check: "page", state: "warn", words };
}
