/** The tool that finds deferred tools, too many to list to the model: by words, returning the best few with schemas. */

import { textField } from "./arguments/shape.ts";
import { defineTool, failedResult, type ToolResult, text, type Tool } from "./tool.ts";

/** `among`: the tools available now. `what`: whose tools they are, in a few words. */
export const searchTools = (what: string, among: () => readonly Tool[]): Tool =>
  defineTool({
    name: "search_tools",
    aliases: ["find_tools", "tool_search"],
    argumentAliases: { query: ["words", "search", "q", "name", "keywords"] },
    summary: `Find more tools by what they do, then call them. There are: ${what}.`,
    does: "read",
    input: () => ({ query: textField("Words of what is to be done, or a tool's name") }),
    title: ({ query }) => `Look for tools: ${query}`,
    run: async ({ query }) => toolSearchResult(query, among()),
  });

/** Tools found by one search for tools. */
const mostFound = 8;

function toolSearchResult(query: string, tools: readonly Tool[]): ToolResult {
  const best = bestFor(query, tools).slice(0, mostFound);
  if (best.length === 0) {
    const names = tools.slice(0, mostNamed).map(({ name }) => name);
    const more = tools.length > names.length ? `, and ${tools.length - names.length} more` : "";
    return failedResult(
      `No tool fits "${query.slice(0, 200)}". Try other words. There are: ${names.join(", ")}${more}.`,
    );
  }
  const words = best.map(
    ({ name, summary, schema }) => `${name}: ${summary}\n  takes ${JSON.stringify(schema)}`,
  );
  return {
    outcome: "ok",
    content: text([`Found, and ready to be called by name:`, ...words].join("\n")),
    found: best.map(({ name }) => name),
  };
}

const mostNamed = 50;

/** Rare words weigh more, and words of the name most. Only tools with a matching word are returned. */
function bestFor(query: string, tools: readonly Tool[]): Tool[] {
  const wanted = [...new Set(wordsOf(query))];
  const indexed = tools.map((tool) => ({
    tool,
    named: new Set(wordsOf(tool.name)),
    said: new Set(wordsOf(`${tool.summary} ${Object.keys(propertiesOf(tool)).join(" ")}`)),
  }));
  const weights = new Map(
    wanted.map((word) => {
      const having = indexed.filter(({ named, said }) => named.has(word) || said.has(word)).length;
      return [word, Math.log(1 + tools.length / (1 + having))];
    }),
  );
  const exact = query.trim();
  return indexed
    .map(({ tool, named, said }) => ({
      tool,
      score: wanted.reduce(
        (sum, word) =>
          sum + (weights.get(word) ?? 0) * ((named.has(word) ? 3 : 0) + (said.has(word) ? 1 : 0)),
        tool.name === exact ? 1_000 : 0,
      ),
    }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ tool }) => tool);
}

/** Stems words, so that "issues" finds "issue" and "listing" finds "list". */
function wordsOf(words: string): string[] {
  return words
    .slice(0, mostRead)
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1 && !common.has(word))
    .map((word) => (word.length > 3 ? word.replace(/(?:ies|ing|ed|es|[sye])$/u, "") : word));
}

const mostRead = 4_000;
const common: ReadonlySet<string> = new Set(
  "the an of to in on for and or with by from it is this that tool tools mcp".split(" "),
);

function propertiesOf({ schema }: Tool): object {
  const properties = schema["properties"];
  return typeof properties === "object" && properties !== null ? properties : {};
}
