/** Finding tools by words. */

import { expect, test } from "vitest";
import { schemaTool } from "./schema-tool.ts";
import { searchTools } from "./search-tools.ts";
import { testContext } from "./testing/context.ts";
import { ok } from "./tool.ts";

const tool = (name: string, summary: string) =>
  schemaTool({
    name,
    summary,
    told: { type: "object", properties: { repository: { type: "string" } } },
    schema: { type: "object" },
    does: "execute",
    title: () => name,
    run: async () => ok(""),
  });
const all = [
  tool("mcp__github__create_issue", "Open a new issue in a repository."),
  tool("mcp__github__list_issues", "List the issues of a repository."),
  tool("mcp__files__readFile", "Read a file."),
  ...Array.from({ length: 50 }, (_, at) => tool(`mcp__x__thing_${at}`, "Does a thing with the repository.")),
];

async function find(query: string): Promise<string[]> {
  const prepared = searchTools("53 of servers", () => all).prepare({ query });
  if (!prepared.ok) throw new Error(prepared.problem);
  const produced = await prepared.value.run(testContext(import.meta.dirname));
  return produced.found ?? [produced.outcome];
}

test.each([
  ["create an issue", "mcp__github__create_issue"],
  ["issues listing", "mcp__github__list_issues"],
  ["read files", "mcp__files__readFile"],
  ["mcp__x__thing_7", "mcp__x__thing_7"],
])("%s finds the matching tool", async (query, name) => {
  const [first] = await find(query);
  expect(first).toBe(name);
});

test("a word in a tool's name counts more than one in a description", async () => {
  const tools = [
    tool("copy", "Copies, and can archive what it copies."),
    tool("mcp__x__archive", "Puts files away."),
  ];
  const prepared = searchTools("2", () => tools).prepare({ query: "archive" });
  if (!prepared.ok) throw new Error(prepared.problem);
  const { found } = await prepared.value.run(testContext(import.meta.dirname));
  expect(found?.[0]).toBe("mcp__x__archive");
});

test("at most a few tools are found, and none where nothing matches", async () => {
  expect((await find("repository thing")).length).toBe(8);
  expect(await find("???")).toEqual(["failed"]);
});
