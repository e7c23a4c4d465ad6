/** The third-party agents under test: how to point each at a server, keep it non-interactive, and give it a task. */

import { join } from "node:path";

/** Places and credentials for an agent. `url` has no version prefix. */
export type Place = { packages: string; home: string; url: string; token: string };

export type Agent = {
  name: string;
  packageName: string;
  /** Its wire format, and the path of its requests. */
  speaks: string;
  path: RegExp;
  /** The model that it is configured to use. */
  model: string;
  /** The file of the package that Node runs. */
  program: string;
  args: (task: string, place: Place) => string[];
  env: (place: Place) => Record<string, string>;
  /** Requests to its makers that no setting prevents. */
  asksAnyway?: RegExp;
  /** Settings files, by path in its home. */
  files?: (place: Place) => Record<string, string>;
};

const prettyJson = (value: object): string => JSON.stringify(value, null, 2);

export const claudeCode: Agent = {
  name: "Claude Code",
  packageName: "@anthropic-ai/claude-code",
  speaks: "Anthropic Messages",
  path: /^\/v1\/messages\b/u,
  model: "claude-sonnet-5",
  program: "cli-wrapper.cjs",
  args: (task) => ["-p", task, "--model", "claude-sonnet-5", "--permission-mode", "acceptEdits"],
  env: ({ url, token }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_AUTH_TOKEN: token,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  }),
};

export const codex: Agent = {
  name: "Codex",
  packageName: "@openai/codex",
  speaks: "OpenAI Responses",
  path: /^\/v1\/responses$/u,
  model: "gpt-5.5",
  program: "bin/codex.js",
  args: (task) => ["exec", "--skip-git-repo-check", "--sandbox", "danger-full-access", task],
  env: ({ token }) => ({ TOOLWRIGHT_TOKEN: token }),
  files: ({ url }) => ({
    ".codex/config.toml": `
model = "gpt-5.5"
model_provider = "toolwright"
check_for_update_on_startup = false
analytics.enabled = false
features.plugins = false
features.apps = false

[model_providers.toolwright]
name = "Toolwright"
base_url = "${url}/v1"
env_key = "TOOLWRIGHT_TOKEN"
wire_api = "responses"
`,
  }),
};

const geminiCli: Agent = {
  name: "Gemini CLI",
  packageName: "@google/gemini-cli",
  speaks: "Gemini",
  path: /^\/v1beta\/models\/[^/]+:streamGenerateContent\b/u,
  model: "gemini-3-pro",
  program: "bundle/gemini.js",
  args: (task) => ["-p", task, "--model", "gemini-3-pro", "--skip-trust", "--approval-mode", "auto_edit"],
  env: ({ url, token }) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: token }),
  files: () => ({
    ".gemini/settings.json": prettyJson({
      security: { auth: { selectedType: "gemini-api-key" } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    }),
  }),
};

const qwenCode: Agent = {
  name: "Qwen Code",
  packageName: "@qwen-code/qwen-code",
  speaks: "OpenAI Chat Completions",
  path: /^\/v1\/chat\/completions$/u,
  model: "qwen3-coder",
  program: "cli-entry.js",
  args: (task) => ["-p", task, "--approval-mode", "auto-edit"],
  env: ({ url, token }) => ({
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_KEY: token,
    OPENAI_MODEL: "qwen3-coder",
  }),
  files: () => ({
    ".qwen/settings.json": prettyJson({
      security: { auth: { selectedType: "openai" } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
    }),
  }),
};

const continueCli: Agent = {
  name: "Continue",
  packageName: "@continuedev/cli",
  speaks: "OpenAI Chat Completions, as it does for Ollama",
  path: /^\/v1\/chat\/completions$/u,
  model: "qwen:1b",
  program: "dist/cn.js",
  args: (task, { home }) => ["-p", task, "--config", join(home, "continue.yaml"), "--auto"],
  env: () => ({ CONTINUE_CLI_ENABLE_TELEMETRY: "0" }),
  asksAnyway: /^CONNECT api\.continue\.dev:443 /u, // checks for the newest version
  files: ({ url, token }) => ({
    "continue.yaml": `
name: Toolwright
version: 0.0.1
schema: v1
models:
  - name: Toolwright
    provider: ollama
    model: qwen:1b
    apiBase: ${url}
    apiKey: ${token}
    capabilities: [tool_use]
    roles: [chat]
`,
  }),
};

export const agents: readonly Agent[] = [claudeCode, codex, geminiCli, qwenCode, continueCli];
