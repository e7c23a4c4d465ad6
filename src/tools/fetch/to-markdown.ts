/**
 * The program that converts a page to Markdown: HTML on standard input, title and text as JSON on standard output. It
 * imports nothing of ours, so that bundlers put it in a chunk of its own.
 */

import { readFileSync } from "node:fs";
import type Turndown from "turndown";

/** This file, to be run by Node. Its argument is the page's address, for resolving links. */
export const program = import.meta.filename;

/** Prefers the page's main element, if there is exactly one. */
async function convertPage(html: string, base: string) {
  const { default: Converter } = await import("turndown");
  const mark = `\u{F0000}${Math.random().toString(36).slice(2)}\u{F0000}`;
  const service = withRules(new Converter(options), { base: baseIn(html, base), mark });
  const pieces = service.turndown(html).split(mark);
  const [, main = ""] = pieces;
  const isMain = pieces.length === 3 && main.trim().length >= shortestMain;
  const text = isMain ? main : pieces.join("");
  return { title: titleIn(html, service), text: text.replaceAll(/\n{3,}/gu, "\n\n").trim(), isMain };
}

const shortestMain = 200;
/** How far to search for metadata, which a page has at its beginning. */
const headLength = 100_000;

function baseIn(html: string, base: string): string {
  const told = /<base\s[^>]{0,500}?href\s*=\s*["']?([^"'\s>]{1,2000})/iu.exec(html.slice(0, headLength))?.[1];
  return told !== undefined && URL.canParse(told, base) ? new URL(told, base).href : base;
}

function titleIn(html: string, service: Turndown): string {
  const written = /<title\b[^>]{0,500}>([^<]{1,1000})/iu.exec(html.slice(0, headLength))?.[1] ?? "";
  return written === "" ? "" : service.turndown(`<p>${written}</p>`).replaceAll(/\s+/gu, " ").slice(0, 300);
}

const noText =
  "script style noscript template svg canvas iframe object embed applet audio video map link meta title button input select textarea dialog";
const noTextTags = new Set(noText.toUpperCase().split(" "));

const options: Turndown.Options = {
  headingStyle: "atx",
  bulletListMarker: "-",
  codeBlockStyle: "fenced",
  emDelimiter: "*",
  hr: "---",
};

function withRules(service: Turndown, { base, mark }: { base: string; mark: string }): Turndown {
  // No escaping: models read names like my_name, not Markdown source.
  service.escape = (text) => text;
  service.addRule("link", {
    filter: "a",
    replacement: (content, node: Element) => link(content, attribute(node, "href"), base),
  });
  service.addRule("image", {
    filter: "img",
    replacement: (_, node: Element) => {
      const alt = attribute(node, "alt").replaceAll(/\s+/gu, " ").trim();
      return alt === "" ? "" : `[image: ${alt.slice(0, 300)}]`;
    },
  });
  service.addRule("code", {
    filter: "pre",
    replacement: (_, node: Element) => codeBlock(node.textContent ?? ""),
  });
  service.addRule("cell", { filter: ["td", "th"], replacement: cell });
  service.addRule("row", { filter: "tr", replacement: row });
  service.addRule("rows", {
    filter: ["thead", "tbody", "tfoot"],
    replacement: (content) => `\n${content.trim()}\n`,
  });
  service.addRule("item", { filter: "li", replacement: itemIn() });
  service.addRule("details", {
    filter: ["details", "summary"],
    replacement: (content) => `\n\n${content}\n\n`,
  });
  service.addRule("main", {
    filter: "main",
    replacement: (content) => `\n\n${mark}\n\n${content}\n\n${mark}\n\n`,
  });
  service.addRule("none", { filter: isNotShown, replacement: () => "" });
  return service;
}

/** The part of the library's DOM used here. */
type Element = {
  nodeName: string;
  textContent: string | null;
  childNodes: Iterable<{ nodeName: string }>;
  parentNode: { nodeName: string; getAttribute?(name: string): string | null } | null;
  getAttribute(name: string): string | null;
  hasAttribute(name: string): boolean;
};

const attribute = (node: Element, name: string): string => node.getAttribute(name) ?? "";

function isNotShown(node: Element): boolean {
  if (noTextTags.has(node.nodeName) || node.hasAttribute("hidden")) return true;
  return /display\s*:\s*none|visibility\s*:\s*hidden/iu.test(attribute(node, "style").slice(0, 500));
}

/** Numbers list items as they come: searching among siblings would take quadratic time. */
function itemIn(): (content: string, node: Element) => string {
  const counts = new WeakMap<object, number>();
  return (content, { parentNode: list }) => {
    const isNumbered = list?.nodeName === "OL";
    const start = isNumbered ? Number.parseInt(list.getAttribute?.("start") ?? "", 10) || 1 : 1;
    const number = (list && counts.get(list)) ?? start - 1;
    if (list) counts.set(list, number + 1);
    const mark = isNumbered ? `${number + 1}. ` : "- ";
    return `${mark}${content.trim().replaceAll("\n", `\n${" ".repeat(mark.length)}`)}\n`;
  };
}

function link(content: string, href: string, base: string): string {
  const words = content.replaceAll(/\s*\n\s*/gu, " ").trim();
  if (words === "" || href === "" || href.startsWith("#") || !URL.canParse(href, base)) return words;
  const url = new URL(href, base);
  return ["http:", "https:", "mailto:"].includes(url.protocol) ? `[${words}](${url.href})` : words;
}

function codeBlock(code: string): string {
  const longest = (code.match(/^\s*`{3,}/gmu) ?? []).reduce(
    (most, run) => Math.max(most, run.trim().length),
    2,
  );
  const fence = "`".repeat(longest + 1);
  return `\n\n${fence}\n${code.replace(/^\n+/u, "").trimEnd()}\n${fence}\n\n`;
}

/** Code inside a table keeps its line breaks. */
const cell = (content: string): string =>
  content.includes("```") ? `\n\n${content}\n\n` : ` ${content.trim().replaceAll(/\s*\n\s*/gu, " ")} |`;

function row(content: string, node: Element): string {
  if (content.includes("```")) return `\n\n${content}\n\n`;
  const cells = [...node.childNodes].map(({ nodeName }) => nodeName).filter((name) => /^T[DH]$/u.test(name));
  const isHead = cells.length > 0 && cells.every((name) => name === "TH");
  const line = `|${content.replaceAll(/\s*\n\s*/gu, " ")}`;
  return `\n${line}${isHead ? `\n|${" --- |".repeat(cells.length)}` : ""}\n`;
}

if (process.argv[1] === program) {
  const [, , base = ""] = process.argv;
  void convertPage(readFileSync(0, "utf8"), base).then((page) => process.stdout.write(JSON.stringify(page)));
}
