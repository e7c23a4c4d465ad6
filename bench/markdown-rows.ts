/** Markdown as rows of a terminal, 4 characters at a time: CPU for n and 4 n deltas, as one kind of text and another. */

import { codeColours, loadCodeColours } from "../src/tui/markdown/code-colours.ts";
import { MarkdownRows } from "../src/tui/markdown/markdown-rows.ts";
import { styleFor } from "../src/view/style.ts";
import { least, printTable, shown } from "./figures.ts";

const deltas = 20_000;
const deltaLength = 4;
const framesEvery = 10;

const prose =
  "The comparison leaves out an order of exactly `100.00`: **where** it says `>`, it means `>=`. It's in src/total.ts (line 4), and [the issue](https://example.org/issues/1) says so. ";
const code =
  'export function total(lines: Line[]): number {\n  // the sum\n  return lines.length * 2 + "text".length;\n}\n';
const comment = "/* a comment that never ends\n   with many lines\n";

/** A text of at least so many characters. */
const kinds: Readonly<Record<string, (length: number) => string>> = {
  "prose, paragraphs": (length) => `${prose.repeat(3)}\n\n`.repeat(length / (prose.length * 3) + 1),
  "prose, one paragraph": (length) => prose.repeat(length / prose.length + 1),
  "one code block": (length) => `\`\`\`ts\n${code.repeat(length / code.length + 1)}`,
  "one comment in code": (length) => `\`\`\`ts\n${comment.repeat(length / comment.length + 1)}`,
  "one list": (length) => `- ${prose}\n  - nested\n`.repeat(length / prose.length + 1),
  "tables of 20 rows": (length) =>
    `| a | b |\n|---|---|\n${"| one cell | another `one` |\n".repeat(20)}\n`.repeat(length / 500 + 1),
  "one table": (length) =>
    `| a | b |\n|---|---|\n${"| one cell | another `one` |\n".repeat(length / 25 + 1)}`,
  "one endless word": (length) => "x".repeat(length),
  "open emphasis": (length) => "*a _b ".repeat(length / 6 + 1),
  "open brackets": (length) => "[a ".repeat(length / 3 + 1),
  backticks: (length) => "`a ``b ".repeat(length / 7 + 1),
  "deep quotes": (length) => `${"> ".repeat(200)}text\n`.repeat(length / 400 + 1),
};

await loadCodeColours();
const chosen = process.argv[2] ?? "";
const rows = Object.entries(kinds)
  .filter(([name]) => name.includes(chosen))
  .map(([name, textOf]) => row(name, textOf));
printTable([["CPU", "ms for n", "ms for 4 n", "ratio", "with frames", ""], ...rows]);

function row(name: string, textOf: (length: number) => string): string[] {
  const small = textOf((deltas / 4) * deltaLength).slice(0, (deltas / 4) * deltaLength);
  const large = textOf(deltas * deltaLength).slice(0, deltas * deltaLength);
  cpuMs(small, Infinity);
  const [some, all] = [cpuMs(small, Infinity), cpuMs(large, Infinity)];
  const ratio = all / some;
  const cells = [some, all, ratio, cpuMs(large, framesEvery)].map(shown);
  return [name, ...cells, ratio > 6 ? "GROWS FASTER THAN ITS CAUSE" : ""];
}

/** `every`: after so many deltas the screen looks at the open rows. */
function cpuMs(text: string, every: number): number {
  const runs = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage();
    const markdown = new MarkdownRows({
      columns: () => 100,
      style: styleFor({}, true),
      links: true,
      unicode: true,
      highlight: codeColours,
    });
    for (let at = 0; at < text.length; at += deltaLength) {
      markdown.append(text.slice(at, at + deltaLength));
      if ((at / deltaLength) % every === every - 1) markdown.open();
    }
    markdown.end();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return least(runs);
}
