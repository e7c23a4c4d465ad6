/** The agents of the race: how each is pointed at a server, told to answer once, and allowed to do everything. */

import { join } from "node:path";
import { claudeCode, codex, type Agent, type Place } from "../../test/agents/agents.ts";

export type Racer = Agent & {
  /** True if the program is not run by Node. */
  isNative?: boolean;
};

const prettyJson = (value: object): string => JSON.stringify(value, null, 2);

const claude: Racer = {
  ...claudeCode,
  args: (task) => ["-p", task, "--model", claudeCode.model, "--dangerously-skip-permissions"],
  // Without IS_SANDBOX it refuses to skip its questions for root.
  env: (place) => ({ ...claudeCode.env(place), IS_SANDBOX: "1" }),
};

const pi: Racer = {
  name: "pi",
  packageName: "@earendil-works/pi-coding-agent",
  speaks: "OpenAI Chat Completions",
  path: /^\/v1\/chat\/completions$/u,
  model: "bench",
  program: "dist/bundle/cli.js",
  args: (task) => ["-p", "--offline", "--model", "bench/bench", task],
  env: () => ({}),
  files: ({ url, token }) => ({
    ".pi/agent/models.json": prettyJson({
      providers: {
        bench: {
          baseUrl: `${url}/v1`,
          api: "openai-completions",
          apiKey: token,
          models: [{ id: "bench" }],
        },
      },
    }),
  }),
};

const opencode: Racer = {
  name: "opencode",
  packageName: "opencode-linux-x64",
  speaks: "OpenAI Chat Completions",
  path: /^\/v1\/chat\/completions$/u,
  model: "bench",
  program: "bin/opencode",
  isNative: true,
  args: (task) => ["run", "--model", "bench/bench", task],
  env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" }),
  files: ({ url, token }) => ({
    "config/opencode/opencode.json": prettyJson({
      autoupdate: false,
      share: "disabled",
      permission: { edit: "allow", bash: "allow", webfetch: "deny" },
      provider: {
        bench: {
          npm: "@ai-sdk/openai-compatible",
          options: { baseURL: `${url}/v1`, apiKey: token },
          models: { bench: { name: "bench", tool_call: true } },
        },
      },
    }),
  }),
};

/** The built command of this checkout. */
const toolwright: Racer = {
  name: "toolwright",
  packageName: "",
  speaks: "OpenAI Chat Completions",
  path: /^\/v1\/chat\/completions$/u,
  model: "bench",
  program: join(import.meta.dirname, "..", "..", "dist", "bin.cjs"),
  args: (task) => ["-p", task, "--mode", "auto", "--model", "openai-compatible/bench", "--max-rounds", "100"],
  env: ({ url, token }) => ({
    OPENAI_COMPATIBLE_BASE_URL: `${url}/v1`,
    OPENAI_COMPATIBLE_API_KEY: token,
  }),
};

/** What no agent of Node can be below: it starts a command when the answer is over, and holds none of them. */
const floor: Racer = {
  name: "bare loop",
  packageName: "",
  speaks: "OpenAI Chat Completions",
  path: /^\/v1\/chat\/completions$/u,
  model: "bench",
  program: join(import.meta.dirname, "..", "floor.cjs"),
  args: (_, { url }) => [url, "bench", "tools"],
  env: () => ({}),
};

export const racers: readonly Racer[] = [toolwright, claude, codex, pi, opencode, floor];

/** The program and arguments that run an agent once. */
export function commandOf(racer: Racer, task: string, place: Place): string[] {
  const program = join(
    racer.packageName === "" ? "" : join(place.packages, racer.packageName),
    racer.program,
  );
  return racer.isNative === true
    ? [program, ...racer.args(task, place)]
    : [process.execPath, program, ...racer.args(task, place)];
}
