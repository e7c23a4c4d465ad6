import { expect, test } from "vitest";
import * as z from "zod/mini";
import type { Json, JsonObject } from "../base/json.ts";
import { countField, textField } from "./arguments/shape.ts";
import { findTool, tools } from "./index.ts";
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

test("A24: the editor agent's built-ins exist under its names, except the one an editor provides", () => {
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

test("names and aliases resolve to their tool, also with a prefix, another case or other separators", () => {
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

test("D8: a call of an unknown tool is answered with the names of the existing ones", () => {
  expect(nameOf("delete_everything")).toBe(
    `ERROR: The tool "delete_everything" does not exist. The tools that exist: read_file, list_files, search_workspace, write_file, edit_file, apply_patch, run_command, terminal, read_result, ask_user, todos, delegate, propose_plan, apply_file_change, preview_write_file, preview_edit_file.`,
  );
  expect(nameOf("")).toContain(`The tool "" does not exist`);
  expect(findTool([], "x")).toEqual({
    ok: false,
    problem: `ERROR: The tool "x" does not exist. The tools that exist: none.`,
  });
});

test.each<[string, JsonObject[], string]>([
  [
    "read_file",
    [{ path: "a" }, { file: "a" }, { filePath: "a" }, { file_path: "a" }, { target_file: "a" }],
    "Read a",
  ],
  ["read_file", [{ path: "a", start_line: "2", endLine: 3 }], "Read a, lines 2-3"],
  [
    "write_file",
    [
      { file: "a", contents: "" },
      { filePath: "a", file_text: "" },
    ],
    "Write a",
  ],
  [
    "edit_file",
    [
      { file: "a", oldString: "x", newString: "y" },
      { file_path: "a", old_string: "x", new_string: "y", replace_all: "true" },
      { path: "a", old_str: "x", new_str: "y" },
    ],
    "Edit a",
  ],
  ["list_files", [{ directory: "a" }, { dir: "a", maxDepth: 1 }], "List a"],
  ["search_workspace", [{ query: "x" }, { regex: "x", context_lines: 1 }], "Search the workspace for x"],
  ["run_command", [{ cmd: "x" }, { command: "x", working_directory: "." }], "Run x"],
])("A23: %s accepts its arguments under the names other agents use", (name, inputs, title) => {
  const found = findTool(tools, name);
  for (const input of inputs)
    expect(found.ok && found.value.prepare(input), JSON.stringify(input)).toMatchObject({ value: { title } });
});

test("no two tools share a name or alias", () => {
  const names = tools.flatMap((tool) => [tool.name, ...tool.aliases]).map((name) => name.replaceAll("_", ""));
  expect(new Set(names).size).toBe(names.length);
});

test("all descriptions together leave room for a first request of 9 KB", () => {
  const told = tools.filter(({ modes }) => modes === undefined).map(describeTool);
  const sent = told.map(({ name, description, schema }) => ({ name, description, schema }));
  expect(JSON.stringify(sent).length).toBeLessThan(6_250);
});

test("C9: a tool is described by a plain JSON Schema of an object", () => {
  expect(describeTool(greet)).toEqual({
    name: "greet",
    description: "Greet.",
    aliases: { whom: ["name"] },
    schema: {
      type: "object",
      properties: {
        whom: path,
        times: { type: "integer", minimum: 1, maximum: 3 },
        how: { type: "string", enum: ["softly", "loudly"] },
      },
      required: ["whom"],
    },
  });
  expect(greet.schema).toBe(greet.schema);
});

test("a sent schema omits the implied: that unknown arguments are refused and counts start at 0 or 1", () => {
  const count = defineTool({
    name: "count",
    summary: "Count.",
    does: "read",
    input: { from: countField("First"), skip: countField("How many", 0), least: z.int().check(z.minimum(2)) },
    title: () => "Count",
    run: async () => ok("1"),
  });
  expect(count.schema["properties"]).toEqual({
    from: { type: "integer", description: "First" },
    skip: { type: "integer", description: "How many" },
    least: { type: "integer", minimum: 2 },
  });
  expect(count.prepare({ from: 0, skip: 0, least: 2 })).toMatchObject({
    problem: expect.stringContaining('"from" must be at least 1'),
  });
  expect(count.prepare({ from: 1, skip: 0, least: 2, odd: 1 })).toMatchObject({
    problem: expect.stringContaining('unknown argument "odd"; known are: from, skip, least'),
  });
  const bare = defineTool({
    name: "wait",
    summary: "Wait.",
    does: "read",
    input: {},
    title: () => "Wait",
    run: async () => ok(""),
  });
  expect(bare.schema).toEqual({ type: "object", properties: {}, additionalProperties: false });
});

test("a prepared call has a title, its paths and its repairs", () => {
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

const takes = `The tool takes: { whom: string, times?: integer, how?: "softly" | "loudly" }`;
const told = (why: string, written: JsonObject): string =>
  `ERROR: Your input to the tool was invalid (${why})\nPlease check your input and try again.\nYou wrote: ${JSON.stringify(written)}\n${takes}`;

test.each<[string, JsonObject]>([
  [`"whom" is required`, {}],
  [`"whom" must be a string`, { whom: ["x"] }],
  [`"times" must be at most 3`, { whom: "x", times: 4 }],
  [`"times" must be an integer`, { whom: "x", times: 1.5 }],
  [`"how" must be one of "softly", "loudly"`, { whom: "x", how: "oddly" }],
  [`unknown argument "why", "wherefore"; known are: whom, times, how`, { whom: "x", why: 1, wherefore: 2 }],
  [
    `"whom" is required; "times" must be at least 1; unknown argument "x"; known are: whom, times, how`,
    { times: 0, x: 1 },
  ],
])("D8: that %s is reported with the input written and the arguments the tool takes", (why, input) => {
  expect(problem(input)).toBe(told(why, input));
});

test("N17: arguments nested too deeply are reported without showing them", () => {
  let deep: Json = 1;
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
  expect(problem({ whom: deep })).toBe(
    `ERROR: Your input to the tool was invalid (it is nested more than 128 levels deep)\nPlease check your input and try again.\n${takes}`,
  );
});

test("B7: the tools are found under the names used in envelopes", () => {
  const known = [
    "read_file",
    "preview_write_file",
    "preview_edit_file",
    "apply_file_change",
    "write_file",
    "edit_file",
    "list_dir",
    "grep",
    "run_command",
    "todos",
    "virtual_terminal",
  ];
  for (const name of known) expect(findTool(tools, name), name).toMatchObject({ ok: true });
});
