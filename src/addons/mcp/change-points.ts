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

/** In the `_meta` of an answer: those of the paths whose problems it tells, so that nobody else need look for them. */
export const checkedKey = "toolwright/checked";

/**
 * `change` is the same at a change's beginning and at its end; `paths` are relative to the workspace; `seen` are others
 * that the model has seen, which the change may break.
 */
export type ChangeAtPoint = { change: string; paths: readonly string[]; seen: readonly string[] };

/** `words` are for the model. */
export type PointAnswer = { words: string[]; checked: string[] };

type PointTool = { server: KnownMcpServer["server"]; tool: JsonObject };

/** The servers that answer now and have a tool for the point. */
export const answering = (known: readonly KnownMcpServer[], point: ChangePoint): PointTool[] =>
  known.flatMap(({ server }) => {
    const tool = server.offer?.tools.find((definition) => pointOf(definition) === point);
    return tool && server.state.type === "ready" ? [{ server, tool }] : [];
  });

/** What the servers have to say. One that fails or is late says nothing. */
export async function askedAtPoint(
  known: readonly KnownMcpServer[],
  point: ChangePoint,
  { change, paths, seen }: ChangeAtPoint,
  signal: AbortSignal,
): Promise<PointAnswer> {
  const answers = await Promise.all(
    answering(known, point).map(({ server, tool }) =>
      server.ask(
        "tools/call",
        { name: tool["name"] ?? "", arguments: { change, paths: [...paths], seen: [...seen] } },
        { signal, timeout: toolServerBounds.changePoint.most },
      ),
    ),
  );
  const said = answers.flatMap((answer) =>
    answer.ok && answer.value["isError"] !== true ? [answer.value] : [],
  );
  return {
    words: said
      .map((value) => contentOf(value["content"]).words.join("\n"))
      .filter((words) => words.trim() !== ""),
    checked: said.flatMap(checkedIn).filter((path) => paths.includes(path)),
  };
}

function checkedIn({ _meta: meta }: JsonObject): string[] {
  const checked = isObject(meta) ? meta[checkedKey] : undefined;
  return Array.isArray(checked) ? checked.filter((path) => typeof path === "string") : [];
}
