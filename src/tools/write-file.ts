/** The tool that writes a whole file: creates it or replaces its content, byte for byte as given. */

import * as z from "zod/mini";
import { countOf, sizeInWords } from "../base/amounts.ts";
import { fileImage } from "../base/safe-fs/image.ts";
import { decodeText, encodeText, splitLines } from "../base/text.ts";
import { type FileNow, fileToWrite, pathAliases } from "./files/place.ts";
import { defineTool, failedResult, ok } from "./tool.ts";

export const writeFile = defineTool({
  name: "write_file",
  aliases: ["write", "create_file"],
  argumentAliases: { path: pathAliases, content: ["contents", "text", "fileContent", "fileText"] },
  summary: "Create a file and its directories, or replace all of its content.",
  does: "change",
  basic: ["path", "content"],
  whenTooLong: "write the first part of the file like this, then add the rest by editing it",
  input: () => ({
    path: z.string(),
    content: z.string(),
  }),
  title: ({ path }) => `Write ${path}`,
  paths: ({ path }) => [path],
  async run({ path, content }, context) {
    const file = await fileToWrite(context, path);
    if (!file.ok) return failedResult(file.problem);
    const { relative, bytes: before, image } = file.value;
    const after = encodeText(content, { bom: false });
    if (before && Buffer.compare(before, after) === 0)
      return ok(`${relative} already has exactly this content; nothing changed.`);
    const lost = await leftOut(content, file.value);
    if (lost !== undefined) return failedResult(lost);
    const lines = splitLines(content).length;
    const size = `${countOf(lines, "line")}, ${sizeInWords(after.length)}`;
    const done =
      before === null ? `Created ${relative} (${size}).` : `Replaced the content of ${relative} (${size}).`;
    return { ...ok(done), changes: [{ path: relative, before: image, after: fileImage(after) }] };
  },
});

/** Describes what the new content omits; only a file that had content can lose any. */
async function leftOut(content: string, { relative, bytes }: FileNow): Promise<string | undefined> {
  if (bytes === null || bytes.length === 0) return undefined;
  const { newPlaceholder, placeholderAdvice } = await import("./edit/placeholders.ts"); // large
  const before = decodeText(bytes);
  const had = before.kind === "text" ? [before.text] : [];
  const placeholder = newPlaceholder(content, { path: relative, had, replaces: had.join("") });
  return placeholder === undefined
    ? undefined
    : `The content leaves something out (\`${placeholder}\`), which would be lost from ${relative}; nothing was changed. ${placeholderAdvice}`;
}
