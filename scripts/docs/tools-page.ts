/**
 * Updates two tables of docs/tools.md: the tools, from their own definitions, and the ladder of tolerant edits; the prose
 * is written by hand.
 */

import { build } from "../../src/addons/checks/build.ts";
import { languageTools } from "../../src/addons/languages/part.ts";
import { webSearch } from "../../src/addons/web/search.ts";
import { isObject } from "../../src/base/json.ts";
import { ladder } from "../../src/tools/edit/ladder.ts";
import { fetchUrl } from "../../src/tools/fetch-url.ts";
import { tools } from "../../src/tools/index.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { cell } from "./schema-table.ts";

/** Returns the page with fresh tables. Throws if the markers are missing. */
export function toolsPage(text: string): string {
  const withTools = replaced(text, { name: "tools", from: "the tools' definitions", table: toolTable() });
  return replaced(withTools, { name: "ladder", from: "src/tools/edit/ladder.ts", table: ladderTable() });
}

type Table = { name: string; from: string; table: readonly string[] };

function replaced(text: string, { name, from, table }: Table): string {
  const open = `<!-- ${name}: written by npm run docs from ${from} -->\n`;
  const close = `\n<!-- end of ${name} -->`;
  const [before, rest] = text.split(open);
  const [, after] = rest?.split(close) ?? [];
  if (before === undefined || after === undefined)
    throw new Error(`docs/tools.md has no place for its ${name}`);
  return `${before}${open}${table.join("\n")}${close}${after}`;
}

function toolTable(): string[] {
  const rows = [...tools, ...toolsOfAddons()].map(
    (tool) =>
      `| \`${tool.name}\` | ${tool.aliases.map((name) => `\`${name}\``).join(", ")} | ${tool.does}${modesOf(tool)} | ${argumentsOf(tool)} | ${cell(tool.summary)} |`,
  );
  return [
    "| tool | also known as | does | arguments | what the model is told |",
    "|---|---|---|---|---|",
    ...rows,
  ];
}

const modesOf = ({ modes }: Tool): string => (modes ? ` (mode \`${modes.join("`, `")}\`)` : "");

function argumentsOf({ schema }: Tool): string {
  const { properties, required } = schema;
  const needed = Array.isArray(required) ? required : [];
  const names = isObject(properties) ? Object.keys(properties) : [];
  return names.map((name) => `\`${name}\`${needed.includes(name) ? "" : "?"}`).join(", ");
}

/** The tools that addons bring for themselves, outside of any session: only described here, never run. */
function toolsOfAddons(): Tool[] {
  const search = webSearch({}, "");
  return [fetchUrl(), search, build("", { isTold: true }), ...languageTools];
}

function ladderTable(): string[] {
  const rows = ladder.map(
    ({ tolerance, allows, rule }, at) => `| ${at + 1} | ${tolerance} | ${allows} | ${rule} |`,
  );
  return ["| | rung | what may differ | what is done about it |", "|---|---|---|---|", ...rows];
}
