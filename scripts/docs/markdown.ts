/** Parses a Markdown file as far as the checks need: its fenced blocks and the prose between them. */

export type Block = {
  /** The first word after the fence: "ts", "sh". */
  language: string;
  /** Further words after the fence: "run". */
  marks: readonly string[];
  text: string;
  /** 1-based line of the file on which `text` starts. */
  line: number;
};

export type Markdown = {
  /** From the project's root, with forward slashes. */
  path: string;
  blocks: Block[];
  /** The lines of the file, with those of fenced blocks emptied. */
  prose: string[];
};

export function readMarkdown(path: string, text: string): Markdown {
  const prose: string[] = [];
  const blocks: Block[] = [];
  let open: { fence: string; language: string; marks: string[]; line: number; lines: string[] } | undefined;
  for (const [index, line] of text.split(/\r?\n/u).entries()) {
    const fence = /^\s*(`{3,}|~{3,})(.*)$/u.exec(line);
    prose.push(open || fence ? "" : line);
    if (open && fence?.[1]?.startsWith(open.fence) && fence[2]?.trim() === "") {
      blocks.push({
        language: open.language,
        marks: open.marks,
        line: open.line,
        text: open.lines.join("\n"),
      });
      open = undefined;
    } else if (open) open.lines.push(line);
    else if (fence) {
      const [language = "", ...marks] = (fence[2] ?? "").trim().split(/\s+/u);
      open = { fence: fence[1] ?? "", language, marks, line: index + 2, lines: [] };
    }
  }
  return { path, blocks, prose };
}

/** The anchors of a file: those of its headings, and those it sets. */
export function anchors({ prose }: Markdown): Set<string> {
  const headings = prose.flatMap((line) => /^#{1,6}\s+(.*?)\s*#*$/u.exec(line)?.[1] ?? []);
  const set = prose.flatMap((line) => [...line.matchAll(/<a id="([^"]+)">/gu)].map(([, id = ""]) => id));
  const made = headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(/\s/gu, "-"),
  );
  return new Set([...made, ...set]);
}
