/** One addition of each kind that ARCHITECTURE.md explains: whole new files, and lines for those that exist. */

/** `row`: the first cell of its row. `lines`: each stands before a piece of text of that file. */
export type Addition = {
  row: string;
  files: Readonly<Record<string, string>>;
  lines: Readonly<Record<string, readonly { line: string; before: string }[]>>;
};

export const tool: Addition = {
  row: "a tool",
  files: {
    "src/tools/weather.ts": `/** The tool for the weather. */

import * as z from "zod/mini";
import { defineTool, ok } from "./tool.ts";

export const weather = defineTool({
  name: "weather",
  does: "read",
  summary: "Tell the weather in a city.",
  input: () => ({ city: z.string() }),
  title: ({ city }) => \`Weather in \${city}\`,
  run: async ({ city }) => ok(\`It is always sunny in \${city}.\`),
});
`,
    "src/tools/weather.test.ts": `import { expect, test } from "vitest";
import { testTool } from "../testing/test-tool.ts";
import { weather } from "./weather.ts";

test("the weather is sunny", async () => {
  expect((await testTool(weather, { input: { city: "Rome" } })).text).toBe("It is always sunny in Rome.");
});
`,
  },
  lines: {
    "src/tools/index.ts": [
      {
        line: 'import { weather } from "./weather.ts";',
        before: 'import { writeFile } from "./write-file.ts";',
      },
      { line: "  weather,", before: "  proposePlan,\n  apply" },
    ],
  },
};

export const peculiarity: Addition = {
  row: "a provider's peculiarity",
  files: {},
  lines: {
    "src/providers/catalog.ts": [
      {
        line: '    adjust: { "openai-chat": (body) => ({ ...body, service_tier: "flex" }) },',
        before: '    keyNames: ["GROQ_API_KEY"],',
      },
    ],
  },
};

export const dialect: Addition = {
  row: "a text dialect",
  files: {
    "src/dialects/at-call.ts": `/** A call as JSON between two words of its own. */

import { jsonDialect } from "./grammar/json-dialect.ts";

export const atCall = jsonDialect({ name: "at-call", opener: "<@call>", closer: "</@call>" });
`,
  },
  lines: {
    "src/dialects/index.ts": [
      {
        line: 'import { atCall } from "./at-call.ts";',
        before: 'import { bareJson } from "./bare-json.ts";',
      },
      { line: "  atCall,", before: "  yipsAgent,\n  yipsTools,\n" },
    ],
  },
};

export const surface: Addition = {
  row: "a surface",
  files: {
    "src/telegraph/telegraph.ts": `/** A surface that sends one message to a new session, and tells its answer as a telegraph would. */

import type { Runtime } from "../runtime/runtime.ts";

export async function telegraph(runtime: Runtime, text: string): Promise<string> {
  const opened = await runtime.open({});
  if (!opened.ok) return opened.problem;
  const session = opened.value;
  await session.command({ type: "send", content: [{ type: "text", text }] });
  await session.idle();
  const words = session.state.turns.at(-1)?.text ?? "";
  await session.close();
  return \`\${words.toUpperCase()} STOP\`;
}
`,
  },
  lines: {
    "scripts/architecture/rooms.ts": [
      {
        line: '  { name: "telegraph", mayImport: ["runtime"], says: "one message, one answer" },',
        before: '  { name: "gateway", mayImport: surface,',
      },
      { line: '  "telegraph",', before: '  "tui",\n  "cli",\n]' },
    ],
    "src/configuration/options/commands.ts": [
      {
        line: '  { name: "telegraph", group: "serving", json: false, words: "TEXT", help: "Telegraph.", takes: { words: "TEXT", help: "What to send." } },',
        before: '  { name: "demo", group: "start",',
      },
    ],
    "src/cli/main.ts": [
      {
        line: `  telegraph: async ({ terminal, settings }, { words }) => {
    const { startRuntime } = await import("../runtime/runtime.ts");
    const runtime = await startRuntime(settings, { env: terminal.env, interactive: false });
    if (!runtime.ok) return usageError(terminal, runtime.problem);
    const { telegraph } = await import("../telegraph/telegraph.ts");
    terminal.print(\`\${await telegraph(runtime.value, words.join(" "))}\\n\`);
    await runtime.value.close();
    return exitCodes.done;
  },`,
        before: "  mcp: async (context, asked) =>",
      },
    ],
  },
};
