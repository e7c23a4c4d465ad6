import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { options } from "../src/configuration/options/options.ts";
import { facts } from "../src/protocol/facts.ts";
import { catalog } from "../src/providers/catalog.ts";
import { inWords } from "./architecture/problem.ts";
import { checkDocuments } from "./docs/check.ts";
import { configurationPage } from "./docs/configuration-page.ts";
import { commentAbove, eventsPage } from "./docs/events-page.ts";
import { readMarkdown } from "./docs/markdown.ts";
import { modelsPage } from "./docs/models-page.ts";
import { factSources } from "./docs/pages.ts";
import { withRequirementLinks } from "./docs/requirement-links.ts";

const project = join(import.meta.dirname, "..");
let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "toolwright-documents-"));
  await put({
    "package.json": '{ "scripts": { "test": "x", "check": "x" } }',
    "tsconfig.json": await readFile(join(project, "tsconfig.json"), "utf8"),
    "src/index.ts": "export const one: number = 1;\n",
    "src/testing.ts": 'export { one as two } from "./index.ts";\n',
  });
  await mkdir(join(root, "node_modules"));
  for (const name of ["typescript", "@types", "undici-types", "@typescript"])
    await symlink(join(project, "node_modules", name), join(root, "node_modules", name));
});
afterEach(() => rm(root, { recursive: true }));

async function put(files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

async function problemsOf(files: Record<string, string>): Promise<string[]> {
  await put(files);
  return (await checkDocuments(root)).problems.map(inWords);
}

test("accurate documents have no problems", async () => {
  const readme = [
    "# A title, with `code`!",
    "[below](#a-title-with-code) [docs](docs/more.md#part-2) [web](https://example.com/x) `[no](link.md)`",
    "Run `npm test`, see `src/index.ts`.",
    "```sh",
    "npm ci && npm run check",
    "```",
    "```ts",
    'import { one } from "toolwright";',
    'import { two } from "toolwright/testing";',
    "console.log(await Promise.resolve(one + two));",
    "```",
  ];
  expect(await problemsOf({ "README.md": readme.join("\n"), "docs/more.md": "## Part 2\n" })).toEqual([]);
});

test("a link must lead to a file, and its anchor to a heading", async () => {
  const files = {
    "README.md": "# A\n[x](docs/none.md)\n[y](#b) [z](docs/b.md#c)\n",
    "docs/b.md": "[up](../README.md#a)\n```\n# c\n```\n",
  };
  expect(await problemsOf(files)).toEqual([
    "README.md:2: the link docs/none.md leads nowhere",
    "README.md:3: README.md has no heading for #b",
    "README.md:3: docs/b.md has no heading for #c",
  ]);
});

test("a name behind a link to code stands in that file", async () => {
  const lines = ["# A", "[x](src/index.ts) (`present`), [y](src/index.ts) (`absent`)"];
  const files = { "ARCHITECTURE.md": lines.join("\n"), "src/index.ts": "export const present = 1;\n" };
  expect(await problemsOf(files)).toEqual(["ARCHITECTURE.md:2: src/index.ts has no absent"]);
});

test("a decision in ARCHITECTURE.md must link the file in which it lives", async () => {
  const lines = ["# A", "- not one", "## Decisions worth knowing", "- one → [x](src/index.ts)", "- two"];
  expect(await problemsOf({ "ARCHITECTURE.md": lines.join("\n") })).toEqual([
    "ARCHITECTURE.md:5: this decision links no file in which it lives",
  ]);
});

test("an id of a requirement must be a link to it, outside of code", async () => {
  const files = {
    "README.md": "`A17`, [A17](docs/requirements.md#a17), A17 and M2\n",
    "docs/a.md": "so (B2)\n```\nA17\n```\n",
    "docs/requirements.md": '| <a id="a17"></a>A17 | x |\n',
  };
  expect(await problemsOf(files)).toEqual([
    "README.md:1: A17 is a requirement: write [A17](docs/requirements.md#a17)",
    "docs/a.md:1: B2 is a requirement: write [B2](requirements.md#b2)",
  ]);
  expect(withRequirementLinks("B2–B6 `A17`\n```\nA17\n```")).toBe(
    "[B2](requirements.md#b2)–[B6](requirements.md#b6) `A17`\n```\nA17\n```",
  );
});

test("a path in code must exist, but the changelog may name removed files", async () => {
  const files = { "docs/a.md": "\n`src/gone.ts` and `src/index.ts`\n", "CHANGELOG.md": "`src/gone.ts`\n" };
  expect(await problemsOf(files)).toEqual(["docs/a.md:2: there is no src/gone.ts"]);
});

test("an npm script that is named must be in package.json, in prose and in code blocks", async () => {
  expect(await problemsOf({ "README.md": "`npm run checks`\n```sh\nnpm ci && npm start\n```\n" })).toEqual([
    'README.md:1: package.json has no script "checks"',
    'README.md:3: package.json has no script "start"',
  ]);
});

test("a ts block that does not compile is reported at its line", async () => {
  const files = {
    "README.md": '```ts\nimport { one } from "toolwright";\n\nconst text: string = one;\n```\n',
    "docs/a.md": '```ts\nimport { three } from "toolwright";\n```\n',
  };
  expect(await problemsOf(files)).toEqual([
    "README.md:4: error TS2322: Type 'number' is not assignable to type 'string'.",
    expect.stringMatching(/^docs\/a.md:2: error TS2305: /u),
  ]);
});

test("a longer fence encloses a shorter one, and an unclosed fence is not a block", () => {
  const { blocks } = readMarkdown(
    "a.md",
    "````md\n```ts\nx\n```\n````\n  ```sh run\r\n  y\r\n  ```\n```ts\nopen",
  );
  expect(blocks).toEqual([
    { language: "md", marks: [], line: 2, text: "```ts\nx\n```" },
    { language: "sh", marks: ["run"], line: 7, text: "  y" },
  ]);
});

test("the events page lists every fact with its comment and fields", async () => {
  const source = await factSources(project);
  const signals = await readFile(join(project, "src/protocol/signals.ts"), "utf8");
  const page = eventsPage(source, signals);
  for (const type of Object.keys(facts))
    expect(page).toContain(`### \`${type}\`\n\n${commentAbove(type, source)}`);
  expect(page).toContain("| `usage` (optional) | { `inputTokens`: number");
  expect(page).toContain("export type Signal =");
});

test("a fact without a comment is refused", () => {
  expect(() => commentAbove("x", "export const facts = {\n  x: z.object({}),\n")).toThrow(
    'src/protocol/facts.ts says nothing above "x"',
  );
  expect(
    commentAbove(
      "x",
      "/** No. */\n  y: z.object({}),\n  /**\n   * Two\n   * lines.\n   */\n  x: z.object({})",
    ),
  ).toBe("Two lines.");
});

test("the options page has a row for each option", () => {
  const page = configurationPage();
  for (const { flag, help } of options) {
    expect(page).toContain(`--${flag}`);
    expect(page).toContain(help);
  }
});

test("the models page has a row for each provider and keeps the text around its table", async () => {
  const page = await readFile(join(project, "docs/models.md"), "utf8");
  for (const { name, keyNames } of catalog)
    expect(page).toMatch(
      new RegExp(`^\\| [^|]+ \\| \`${name}\` \\| [^|]*${keyNames.join(".*")}[^|]* \\|`, "mu"),
    );
  expect(modelsPage(page)).toBe(page);
  const stale = page.replace("| `groq` |", "| `grok` |");
  expect(modelsPage(stale)).toBe(page);
});

test("a page of models without a place for its table is refused", () => {
  expect(() => modelsPage("# Models\n")).toThrow("docs/models.md has no place for the table of providers");
});
