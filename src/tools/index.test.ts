import * as z from "zod/mini";
import { expect, test } from "vitest";
import { findTool, tools } from "./index.ts";
import { textField } from "./shape.ts";
import { defineTool, describeTool, ok } from "./tool.ts";

const nameOf = (asked: string): string => {
  const found = findTool(tools, asked);
  return found.ok ? found.value.name : found.problem;
};

const path = { type: "string", description: "Where" };
const greet = defineTool({
  name: "greet",
  argumentAliases: { whom: ["name"] },
  summary: "Greet.",
  does: "read",
  input: {
    whom: textField("Where"),
    times: z.optional(z.int().check(z.minimum(1), z.maximum(3))),
    how: z.optional(z.enum(["softly", "loudly"])),
  },
  title: ({ whom }) => `Greet ${whom}`,
  paths: ({ whom }) => [whom],
  run: async ({ whom, times = 1 }) => ok(`hello ${whom} `.repeat(times)),
});

test("A24: the built-ins of the editor agent are there under its names, but for the one that an editor lends", () => {
  const asked = ["read_file", "write_file", "list_files", "search_workspace", "run_terminal_command"];
  expect(asked.map(nameOf)).toEqual([
    "read_file",
    "write_file",
    "list_files",
    "search_workspace",
    "run_command",
  ]);
  expect(findTool(tools, "get_diagnostics").ok).toBe(false); // an editor lends it: it comes with that surface
});

test("names and aliases find their tool, also with a prefix, another case or other separators", () => {
  const asked = [
    "read_file",
    "list_dir",
    "ls",
    "grep",
    "bash",
    "run_terminal_command",
    "functions.edit_file",
  ];
  asked.push(
    "default_api.write_file",
    "tools.grep",
    "ReadFile",
    "Search-Workspace",
    "functions.Bash",
    "LIST_DIRECTORY",
  );
  expect(asked.map(nameOf)).toEqual([
    "read_file",
    "list_files",
    "list_files",
    "search_workspace",
    "run_command",
    "run_command",
    "edit_file",
    "write_file",
    "search_workspace",
    "read_file",
    "search_workspace",
    "run_command",
    "list_files",
  ]);
});

test("D8: a tool that does not exist is told in these words, with those that do", () => {
  expect(nameOf("delete_everything")).toBe(
    `ERROR: The tool "delete_everything" does not exist. The tools that exist: read_file, list_files, search_workspace, write_file, edit_file, run_command.`,
  );
  expect(nameOf("")).toContain(`The tool "" does not exist`);
  expect(findTool([], "x")).toEqual({
    ok: false,
    problem: `ERROR: The tool "x" does not exist. The tools that exist: none.`,
  });
});

test("no two tools answer to one name", () => {
  const names = tools.flatMap((tool) => [tool.name, ...tool.aliases]).map((name) => name.replaceAll("_", ""));
  expect(new Set(names).size).toBe(names.length);
});

test("all descriptions together leave room for a first request of 9 KB", () => {
  expect(JSON.stringify(tools.map(describeTool)).length).toBeLessThan(4000);
});

test("C9: a tool is described by a plain JSON Schema of an object", () => {
  expect(describeTool(greet)).toEqual({
    name: "greet",
    description: "Greet.",
    schema: {
      type: "object",
      properties: {
        whom: path,
        times: { type: "integer", minimum: 1, maximum: 3 },
        how: { type: "string", enum: ["softly", "loudly"] },
      },
      required: ["whom"],
      additionalProperties: false,
    },
  });
  expect(greet.schema).toBe(greet.schema);
});

test("a call that can be read says what it is about and what was mended", () => {
  const prepared = greet.prepare({ name: "Ada", times: "2" });
  expect(prepared).toMatchObject({
    ok: true,
    value: {
      title: "Greet Ada",
      paths: ["Ada"],
      repairs: [
        { code: "argument-renamed", detail: `"name" to "whom"` },
        { code: "text-to-number", detail: `"times": string read as integer` },
      ],
    },
  });
  expect(greet.prepare({ whom: "Ada" })).not.toHaveProperty("value.repairs");
});

const problem = (input: Parameters<typeof greet.prepare>[0]): string => {
  const prepared = greet.prepare(input);
  return prepared.ok ? "" : prepared.problem;
};

const told = (why: string): string =>
  `ERROR: Your input to the tool was invalid (${why})\nPlease check your input and try again.`;

test("D8: arguments that cannot be used are told in these words", () => {
  expect(problem({})).toBe(told(`"whom" is required`));
  expect(problem({ whom: ["x"] })).toBe(told(`"whom" must be a string`));
  expect(problem({ whom: "x", times: 4 })).toBe(told(`"times" must be at most 3`));
  expect(problem({ whom: "x", times: 1.5 })).toBe(told(`"times" must be an integer`));
  expect(problem({ whom: "x", how: "oddly" })).toBe(told(`"how" must be one of "softly", "loudly"`));
  expect(problem({ whom: "x", why: 1, wherefore: 2 })).toBe(
    told(`unknown argument "why", "wherefore"; known are: whom, times, how`),
  );
  expect(problem({ times: 0, x: 1 })).toBe(
    told(`"whom" is required; "times" must be at least 1; unknown argument "x"; known are: whom, times, how`),
  );
});
