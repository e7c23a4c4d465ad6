/** The tool that reads a file: text with line numbers, images as images, anything else only by name and size. */

import * as z from "zod/mini";
import { sizeInWords } from "../base/amounts.ts";
import { otherEncoding } from "../base/media-type.ts";
import { insideWorkspace } from "../base/paths.ts";
import { whyNotShown } from "../base/picture.ts";
import { decodeText, hasNul, splitLines } from "../base/text.ts";
import { countField } from "./arguments/shape.ts";
import { hashOf } from "./changes/change.ts";
import { linesOfLargeFile } from "./files/large-file.ts";
import { page, type LineRange } from "./files/page.ts";
import { asSentence, largestFile, pathAliases } from "./files/place.ts";
import { similarFiles } from "./files/similar-files.ts";
import { defineTool, failedResult, ok, type ToolResult, text, type ToolContext } from "./tool.ts";

export const readFile = defineTool({
  name: "read_file",
  aliases: ["read", "view_file", "open_file"],
  argumentAliases: {
    path: pathAliases,
    from: ["startLine", "start_line", "start"],
    to: ["endLine", "end_line", "end"],
  },
  summary:
    "Read a text file or image. Of a text the lines `from` to `to`, at most 2000, each after its number and a tab.",
  does: "read",
  basic: ["path"],
  input: () => ({
    path: z.string(),
    from: z.optional(countField()),
    to: z.optional(countField()),
  }),
  title: ({ path, from, to }) => `Read ${path}${rangeInWords({ from, to })}`,
  paths: ({ path }) => [path],
  async run({ path, from, to }, context) {
    const place = await insideWorkspace(context.workspace, path);
    if (!place.ok) return failedResult(place.problem);
    if (from !== undefined && to !== undefined && to < from)
      return failedResult(`\`to\` (${to}) is before \`from\` (${from}).`);
    const range = { from, to };
    const { relative } = place.value;
    const file = await context.files.read(relative, { maxBytes: largestFile });
    if (!file.ok && file.problem.code === "ENOENT")
      return failedResult(`${asSentence(file.problem)}${await similarFiles(relative, context)}`);
    if (!file.ok && file.problem.code !== "EFBIG") return failedResult(asSentence(file.problem));
    const produced = file.ok
      ? fileResult(relative, file.value, range)
      : await large(relative, range, context);
    return withNote(produced, await noteOnLinks(relative, context));
  },
});

const imageTypes: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

function rangeInWords({ from, to }: LineRange): string {
  if (from === undefined && to === undefined) return "";
  return to === undefined ? `, from line ${from}` : `, lines ${from ?? 1}-${to}`;
}

function fileResult(relative: string, bytes: Uint8Array, range: LineRange): ToolResult {
  const seen = [{ path: relative, hash: hashOf(bytes) }];
  if (bytes.length === 0) return { ...ok(`${relative} is empty (0 bytes).`), seen };
  const decoded = decodeText(bytes);
  if (decoded.kind === "text") return { ...page(relative, splitLines(decoded.text), range), seen };
  const size = `${decoded.type}, ${sizeInWords(bytes.length)}`;
  if (imageTypes.includes(decoded.type)) return image(relative, bytes, decoded.type);
  if (decoded.type !== otherEncoding)
    return failedResult(`${relative} is binary (${size}); its content cannot be shown.`);
  const lossy = page(relative, splitLines(new TextDecoder().decode(bytes)), range);
  const note = `[${relative} is not UTF-8: characters shown as \uFFFD are others in the file; edit only passages of plain ASCII.]`;
  return { ...lossy, content: [...lossy.content, ...text(note)], seen };
}

function image(path: string, bytes: Uint8Array, mediaType: string): ToolResult {
  const about = `${path}: ${mediaType}, ${sizeInWords(bytes.length)}`;
  const why = whyNotShown(bytes, mediaType);
  if (why !== undefined) return failedResult(`${about}; this image cannot be shown, because ${why}.`);
  const data = Buffer.from(bytes).toString("base64");
  return {
    outcome: "ok",
    content: [...text(about), { type: "image", mediaType, data }],
    seen: [{ path, hash: hashOf(bytes) }],
  };
}

/** A file too large to read whole has no known hash, so it cannot be edited here. */
async function large(path: string, range: LineRange, { files, signal }: ToolContext): Promise<ToolResult> {
  const found = await linesOfLargeFile(files, path, { range, signal });
  if (!found.ok) return failedResult(asSentence(found.problem));
  const { lines, size, start, more } = found.value;
  if (hasNul(start))
    return failedResult(`${path} is binary (${sizeInWords(size)}); its content cannot be shown.`);
  if (lines.length === 0) {
    return failedResult(
      `${path} is ${sizeInWords(size)}; line ${range.from ?? 1} is beyond what can be reached in it. Search it instead.`,
    );
  }
  return page(path, lines, range, { first: range.from ?? 1, more, size });
}

/** A hard link may also exist outside the workspace, so the content may belong to someone else. */
async function noteOnLinks(path: string, { files }: ToolContext): Promise<string | undefined> {
  const status = await files.look(path);
  if (!status.ok || status.value === null || status.value.links < 2) return undefined;
  return `[${path} has ${status.value.links} names (hard links), perhaps outside the workspace; a change here gives this name a file of its own.]`;
}

const withNote = (produced: ToolResult, note: string | undefined): ToolResult =>
  note === undefined ? produced : { ...produced, content: [...produced.content, ...text(note)] };
