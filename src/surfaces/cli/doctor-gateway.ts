/** What `toolwright doctor` tells of the gateway: whether one runs with this state directory, and whether it has its page. */
import { type Running, runningGateway } from "../gateway/running-file.ts";
import type { Finding } from "./doctor-finding.ts";
import { pageFolder } from "./page-folder.ts";

export async function gatewayFindings(stateDir: string): Promise<Finding[]> {
  return [gatewayFinding(await runningGateway(stateDir)), pageFinding(pageFolder().pageFolder)];
}

export function gatewayFinding(running: Running | undefined): Finding {
  const words = running
    ? `runs at ${running.url}, process ${running.pid}: \`toolwright serve link\` lets a browser in`
    : "none runs with this state directory: `toolwright serve` starts one";
  return { check: "gateway", state: "ok", words };
}

export function pageFinding(folder: string | undefined): Finding {
  if (folder !== undefined) return { check: "page", state: "ok", words: "built" };
  const words =
    "not built: a gateway serves programs only. Install Toolwright anew, or run `npm run build` in a checkout";
  return { check: "page", state: "warn", words };
}
