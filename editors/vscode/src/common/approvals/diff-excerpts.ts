/** The diff of an approval as two texts for each file, with everything made visible that could hide. */

import { type DiffBlock, diffBlocks, type DiffLine } from "../../../../../src/view/diff-blocks.ts";

/** `name`: the file's path, and what happens to it where that is more than an edit: "a.txt (new)". */
type FileExcerpt = { name: string; before: string; after: string };

export function diffExcerpts(diff: string): FileExcerpt[] {
  const files: FileExcerpt[] = [];
  for (const block of diffBlocks(diff)) addBlock(files, block);
  return files;
}

function addBlock(files: FileExcerpt[], block: DiffBlock): void {
  if (block.type === "heading") return void files.push({ name: block.text, before: "", after: "" });
  const file = files.at(-1) ?? { name: "", before: "", after: "" };
  if (files.length === 0) files.push(file);
  switch (block.type) {
    case "hunk": {
      const gap = file.before === "" && file.after === "" ? "" : "\n⋯\n\n";
      return addLines(file, gap, gap);
    }
    case "same":
      return addLines(file, textOf(block.lines), textOf(block.lines));
    case "change":
      return addLines(file, textOf(block.removed), textOf(block.added));
    default:
      return block satisfies never;
  }
}

function addLines(file: FileExcerpt, before: string, after: string): void {
  file.before += before;
  file.after += after;
}

const textOf = (lines: readonly DiffLine[]): string =>
  lines.map(({ text, note }) => `${text}${note === undefined ? "" : ` (${note})`}\n`).join("");
