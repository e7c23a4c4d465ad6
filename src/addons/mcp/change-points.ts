/** Tools that a server has for the core instead of for the model: called before and after each change. */

import type { JsonObject } from "../../base/json.ts";
import { isObject } from "../../base/json.ts";
import { toolServerBounds } from "./bounds.ts";
import type { KnownMcpServer } from "./known-server.ts";
import { contentOf } from "./result.ts";

export type ChangePoint = "before-change" | "after-change";

/** Where a tool's definition says so, in its `_meta`. */
export const pointKey = "toolwright/point";

export function pointOf(definition: JsonObject): ChangePoint | undefined {
  const meta = definition["_meta"];
  const point = isObject(meta) ? meta[pointKey] : undefined;
  return point === "before-change" || point === "after-change" ? point : undefined;
}

/** `change` is the same at a change's beginning and at its end; `paths` are relative to the workspace. */
export type ChangeAtPoint = { change: string; paths: readonly string[] };

/** What the servers have to say to the model. One that fails or is late says nothing. */
export async function askedAtPoint(
  known: readonly KnownMcpServer[],
  point: ChangePoint,
  { change, paths }: ChangeAtPoint,
  signal: AbortSignal,
): Promise<string[]> {
  const calls = known.flatMap(({ server }) => {
    const tool = server.offer?.tools.find((definition) => pointOf(definition) === point);
    return tool && server.state.type === "ready" ? [{ server, tool }] : [];
  });
  const answers = await Promise.all(
    calls.map(({ server, tool }) =>
      server.ask(
        "tools/call",
        { name: tool["name"] ?? "", arguments: { change, paths: [...paths] } },
        { signal, timeout: toolServerBounds.changePoint.most },
      ),
    ),
  );
  return answers.flatMap((answer) => {
    if (!answer.ok || answer.value["isError"] === true) return [];
    const words = contentOf(answer.value["content"]).words.join("\n");
    return words.trim() === "" ? [] : [words];
  });
}
