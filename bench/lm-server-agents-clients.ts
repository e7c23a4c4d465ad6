/** Coding agents as npm has them: how each is pointed at the server, and with which of its tools it reads and edits a file. */

import { join } from "node:path";
import { type Agent, claudeCode as testedClaudeCode, codex as testedCodex } from "../test/agents/agents.ts";
import type { Move } from "./lm-server-agents-forms.ts";

export type AgentPlace = { packages: string; url: string; token: string; home: string; workspace: string };
/** The one edit that is asked for. */
type FileEdit = { file: string; from: string; to: string };

export type BenchAgent = {
  name: string;
  packageName: string;
  /** The version that was tried last. */
  version: string;
  /** A word of its tools, by which the model knows that it was taught them. */
  taught: RegExp;
  read: (edit: FileEdit) => Move;
  change: (edit: FileEdit) => Move;
  /** A step before the others, until the lesson has the tool that is looked for. */
  search?: { until: RegExp; move: Move };
  /** The command's name in `.bin`, or "node"; run in the workspace, or where the packages are. */
  program: string;
  fromPackages?: true;
  args: (task: string, place: AgentPlace) => string[];
  /** A command of its own before the task. */
  first?: (place: AgentPlace) => string[];
  env?: (place: AgentPlace) => Record<string, string>;
  /** Settings files, by path in its home. */
  files?: (place: AgentPlace) => Record<string, string>;
};

const moves = (
  [reader, editor]: readonly [string, string],
  [path, old, fresh]: readonly [string, string, string],
): Pick<BenchAgent, "read" | "change"> => ({
  read: ({ file }) => ({ tool: reader, values: { [path]: file } }),
  change: ({ file, from, to }) => ({ tool: editor, values: { [path]: file, [old]: from, [fresh]: to } }),
});

/** How the tests set it up, too. */
const setUpOf = ({ name, packageName, args, env, files }: Agent) => ({
  name,
  packageName,
  args,
  env,
  ...(files ? { files } : {}),
});

const claudeCode: BenchAgent = {
  ...setUpOf(testedClaudeCode),
  version: "2.1.332",
  taught: /old_string/,
  ...moves(["Read", "Edit"], ["file_path", "old_string", "new_string"]),
  program: "claude",
};

const patchOf = ({ file, from, to }: FileEdit): string =>
  `*** Begin Patch\n*** Update File: ${file}\n@@\n-${from}\n${to.replace(/^/gm, "+")}\n leeks\n*** End Patch\n`;

const codex: BenchAgent = {
  ...setUpOf(testedCodex),
  version: "0.171.0",
  taught: /exec_command/,
  read: ({ file }) => ({ tool: "exec_command", values: { cmd: `cat ${file}` } }),
  change: (edit) => ({ tool: "apply_patch", values: { input: patchOf(edit) } }),
  program: "codex",
};

const toolServer = "@modelcontextprotocol/server-filesystem";

const withServer = ({ packages, workspace }: AgentPlace): string => `
[mcp_servers.fs]
command = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify([join(packages, toolServer, "dist", "index.js"), workspace])}
default_tools_approval_mode = "approve"
`;

const codexWithServer: BenchAgent = {
  ...codex,
  name: "Codex with a tool server",
  read: ({ file }) => ({ tool: "mcp__fs__read_text_file", values: { path: file } }),
  change: ({ file, from, to }) => ({
    tool: "mcp__fs__edit_file",
    values: { path: file, edits: [{ oldText: from, newText: to }] },
  }),
  search: { until: /edit_file/, move: { tool: "tool_search", values: { query: "read and edit a file" } } },
  files: (place) =>
    Object.fromEntries(
      Object.entries(codex.files?.(place) ?? {}).map(([path, settings]) => [
        path,
        settings + withServer(place),
      ]),
    ),
};

const opencode: BenchAgent = {
  name: "opencode",
  packageName: "opencode-ai",
  version: "1.18.33",
  taught: /oldString/,
  ...moves(["read", "edit"], ["filePath", "oldString", "newString"]),
  program: "opencode",
  args: (task) => ["run", "-m", "toolwright/m", task],
  env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" }),
  files: ({ url, token }) => ({
    ".config/opencode/opencode.json": JSON.stringify({
      permission: "allow",
      provider: {
        toolwright: {
          npm: "@ai-sdk/openai-compatible",
          name: "Toolwright",
          options: { baseURL: `${url}/v1`, apiKey: token },
          models: { m: { name: "m" } },
        },
      },
    }),
  }),
};

const pi: BenchAgent = {
  name: "pi",
  packageName: "@earendil-works/pi-coding-agent",
  version: "1.6.0",
  taught: /oldText|edits/,
  read: ({ file }) => ({ tool: "read", values: { path: file } }),
  change: ({ file, from, to }) => ({
    tool: "edit",
    values: { path: file, edits: [{ oldText: from, newText: to }] },
  }),
  program: "pi",
  args: (task) => ["--offline", "--provider", "toolwright", "--model", "m", "-p", task],
  files: ({ url, token }) => ({
    ".pi/agent/models.json": JSON.stringify({
      providers: {
        toolwright: {
          api: "openai-completions",
          baseUrl: `${url}/v1`,
          apiKey: token,
          models: [{ id: "m" }],
        },
      },
    }),
  }),
};

const copilot: BenchAgent = {
  name: "Copilot CLI",
  packageName: "@github/copilot",
  version: "1.0.102",
  taught: /old_str/,
  ...moves(["view", "edit"], ["path", "old_str", "new_str"]),
  program: "copilot",
  args: (task) => ["-p", task, "--allow-all-tools", "--allow-all-paths"],
  env: ({ url, token }) => ({
    COPILOT_PROVIDER_TYPE: "openai",
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_WIRE_API: "completions",
    COPILOT_PROVIDER_API_KEY: token,
    COPILOT_MODEL: "m",
    COPILOT_OFFLINE: "true",
  }),
};

const cline: BenchAgent = {
  name: "Cline",
  packageName: "cline",
  version: "3.0.65",
  taught: /read_files/,
  read: ({ file }) => ({ tool: "read_files", values: { files: [{ path: file }] } }),
  change: ({ file, from, to }) => ({ tool: "editor", values: { path: file, old_text: from, new_text: to } }),
  program: "cline",
  first: ({ url, token }) => ["auth", "-p", "openai", "-b", `${url}/v1`, "-k", token, "-m", "m"],
  args: (task) => [task],
};

/** The default provider of the AI SDK, over Responses, with two tools. */
const sdkProgram = `
import { readFileSync, writeFileSync } from "node:fs";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, stepCountIs, tool } from "ai";
import { z } from "zod";
const [url, token, prompt] = process.argv.slice(1);
const read_file = tool({
  description: "Reads a file",
  inputSchema: z.object({ path: z.string() }),
  execute: async ({ path }) => readFileSync(path, "utf8"),
});
const edit_file = tool({
  description: "Replaces a text in a file",
  inputSchema: z.object({ path: z.string(), old_string: z.string(), new_string: z.string() }),
  execute: async ({ path, old_string, new_string }) => {
    const before = readFileSync(path, "utf8");
    if (!before.includes(old_string)) throw new Error("The text is not in the file.");
    writeFileSync(path, before.replace(old_string, () => new_string));
    return "done";
  },
});
const model = createOpenAI({ baseURL: url + "/v1", apiKey: token })("m");
const { text } = await generateText({ model, prompt, stopWhen: stepCountIs(10), tools: { read_file, edit_file } });
console.log(text);
`;

const sdk: BenchAgent = {
  name: "AI SDK",
  packageName: "@ai-sdk/openai",
  version: "4.0.118",
  taught: /edit_file/,
  ...moves(["read_file", "edit_file"], ["path", "old_string", "new_string"]),
  program: "node",
  fromPackages: true,
  args: (task, { url, token }) => ["--input-type=module", "-e", sdkProgram, url, token, task],
};

export const benchAgents: readonly BenchAgent[] = [
  claudeCode,
  codex,
  codexWithServer,
  opencode,
  pi,
  copilot,
  cline,
  sdk,
];
/** Packages that these need besides their own. */
export const benchPackages = ["ai@7.0.173", "zod@4.6.7", `${toolServer}@2026.8.31`];
