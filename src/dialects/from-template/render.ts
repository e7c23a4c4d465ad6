/** Renders a chat template in a process of its own, because a hostile template can exhaust time and memory. */

import { mib } from "../../base/bound.ts";
import { parseJson } from "../../base/json.ts";
import { runProcess } from "../../base/process.ts";
import { templateBounds } from "../bounds.ts";
import { conversations, tools, type ConversationName } from "./conversation.ts";

/** What became of each conversation; absent where the template refused it. */
export type Renderings = { readonly [Name in ConversationName]?: string };

/** Limits CPU time, in case we are killed meanwhile, and prevents a core dump. */
const bounded = 'ulimit -c 0; ulimit -t "$1"; shift; exec "$@"';

/** Undefined if it cannot be rendered within the limits. `signal` ends it; `milliseconds` is for tests. */
export async function renderTemplate(
  template: string,
  signal?: AbortSignal,
  milliseconds: number = templateBounds.templateTime.most,
): Promise<Renderings | undefined> {
  if (template.length > templateBounds.templateBytes.most) return undefined;
  const { program } = await import("./render-program.ts");
  const seconds = String(2 * Math.ceil(milliseconds / 1000));
  const memory = `--max-old-space-size=${templateBounds.templateMemory.most / mib}`;
  const { output, exit, flooded } = await runProcess({
    command: ["/bin/sh", "-c", bounded, "sh", seconds, process.execPath, memory, program],
    cwd: "/",
    // Inside an editor, execPath may be Electron, which runs as Node only with this variable.
    env: { ELECTRON_RUN_AS_NODE: "1" },
    input: Buffer.from(JSON.stringify({ template, conversations: Object.values(conversations), tools })),
    signal,
    wallMs: milliseconds,
    maxOutput: templateBounds.templateBytes.most,
    maxKeep: templateBounds.templateBytes.most,
    keepErrors: 0,
  });
  if (exit !== 0 || flooded) return undefined;
  const printed = parseJson(Buffer.from(output.bytes).toString("utf8"));
  return printed.ok && Array.isArray(printed.value) ? renderingsOf(printed.value) : undefined;
}

function renderingsOf(texts: readonly unknown[]): Renderings {
  const names = Object.keys(conversations);
  return Object.fromEntries(
    names.flatMap((name, index) => (typeof texts[index] === "string" ? [[name, texts[index]]] : [])),
  );
}
