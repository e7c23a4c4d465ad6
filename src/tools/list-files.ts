/** The tool that lists files and directories of the workspace. */

import * as z from "zod/mini";
import { insideWorkspace } from "../base/paths.ts";
import { countField } from "./arguments/shape.ts";
import { toolBounds } from "./bounds.ts";
import { asSentence, pathAliases } from "./files/place.ts";
import { globFilter } from "./search/glob.ts";
import { leftOutNotes } from "./search/left-out.ts";
import { cutNote, walk, type WalkEntry } from "./search/walk.ts";
import { defineTool, failedResult, ok } from "./tool.ts";

export const listFiles = defineTool({
  name: "list_files",
  aliases: ["list_dir", "list_directory", "ls", "glob"],
  argumentAliases: {
    path: [...pathAliases, "dir", "directory"],
    depth: ["maxDepth", "max_depth"],
    pattern: ["glob"],
  },
  summary:
    "List a directory, without what git ignores. `depth`: levels to go down (2); with a `pattern` like **/*.ts all files that match.",
  does: "read",
  basic: ["path"],
  input: () => ({
    path: z.optional(z.string()),
    depth: z.optional(countField()),
    pattern: z.optional(z.string()),
  }),
  title: ({ path = ".", pattern }) => (pattern === undefined ? `List ${path}` : `List ${pattern} in ${path}`),
  paths: ({ path = "." }) => [path],
  async run({ path = ".", depth, pattern }, context) {
    const place = await insideWorkspace(context.workspace, path);
    if (!place.ok) return failedResult(place.problem);
    const { relative: start } = place.value;
    const status = await context.files.look(start);
    if (!status.ok) return failedResult(asSentence(status.problem));
    if (status.value === null) return failedResult(`There is no directory ${start}.`);
    if (status.value.kind !== "directory") return failedResult(`${start} is a file, not a directory.`);
    const levels = depth ?? (pattern === undefined ? 2 : undefined);
    const walked = walk(context.files, {
      start,
      depth: levels,
      order: "directories-first",
      signal: context.signal,
    });
    const filter = pattern === undefined ? undefined : globFilter(pattern, start);
    if (filter?.ok === false) return failedResult(filter.problem);
    const { lines, more } = await take(walked.entries, filter?.value);
    const problem = walked.problem();
    if (problem) return failedResult(asSentence(problem));
    const none = filter ? `No file in ${start} matches ${pattern}.` : `${start} is empty.`;
    const leftOut = { does: "listed", how: "list it by its own path" };
    const notes = [
      ...(more ? [tooMany] : []),
      ...(walked.isCut() ? [cutNote] : []),
      ...(await leftOutNotes(walked.withheld(), leftOut, context)),
    ];
    return ok([...(lines.length === 0 ? [none] : lines), ...notes].join("\n"));
  },
});

const mostEntries = toolBounds.listedEntries.most;
const tooMany = `[More than ${mostEntries} entries; give a deeper path, a smaller depth or a pattern.]`;

async function take(
  entries: AsyncIterable<WalkEntry>,
  filter: ((path: string) => boolean) | undefined,
): Promise<{ lines: string[]; more: boolean }> {
  const lines: string[] = [];
  for await (const { path, kind } of entries) {
    if (filter && (kind === "directory" || !filter(path))) continue;
    if (lines.length === mostEntries) return { lines, more: true };
    lines.push(kind === "directory" ? `${path}/` : kind === "link" ? `${path} (link)` : path);
  }
  return { lines, more: false };
}
