/** A real Ollama with real weights, as a process of its own. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ollamaModels, ollamaProgram } from "./fetch-ollama.ts";
import { weightsPath } from "./fetch.ts";
import { qwenCoder, smolLm, type WeightsPackage } from "./packages.ts";

export type OllamaServer = {
  url: string;
  /** What makes our command find it, and no other. */
  env: Record<string, string>;
  /** Resolves once it has written, or given up, that many more answers to chats than when this was called. */
  untilEnded(count: number): Promise<void>;
  /** Ends it and what runs the weights, at once. */
  kill(): Promise<void>;
};

/** Its chat format and its calls as its makers trained it, in the words of Go's templates. */
const qwenTemplate = `{{- if or .System .Tools }}<|im_start|>system
{{ .System }}
{{- if .Tools }}

You may call functions. Their signatures, one in each line, between <tools> and </tools>:
<tools>
{{- range .Tools }}
{{ . }}
{{- end }}
</tools>
For each call, write a JSON object with its name and arguments between <tool_call> and </tool_call>:
<tool_call>
{"name": <name>, "arguments": <object>}
</tool_call>
{{- end }}<|im_end|>
{{ end }}
{{- range $index, $message := .Messages }}
{{- $isLast := eq (len (slice $.Messages $index)) 1 }}
{{- if eq .Role "user" }}<|im_start|>user
{{ .Content }}<|im_end|>
{{ else if eq .Role "assistant" }}<|im_start|>assistant
{{ .Content }}
{{- range .ToolCalls }}
<tool_call>
{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}
</tool_call>
{{- end }}{{ if not $isLast }}<|im_end|>
{{ end }}
{{- else if eq .Role "tool" }}<|im_start|>user
<tool_response>
{{ .Content }}
</tool_response><|im_end|>
{{ end }}
{{- if and (ne .Role "assistant") $isLast }}<|im_start|>assistant
{{ end }}
{{- end }}`;

/** By the models' names: what is said of them beside their weights. */
const models: readonly { weights: WeightsPackage; template?: string; longest: number }[] = [
  { weights: smolLm, longest: 4_096 },
  { weights: qwenCoder, template: qwenTemplate, longest: 96 },
];

/** Gives Ollama the weights that the other tests fetched; what it has is not copied again. */
export async function createOllamaModels(): Promise<void> {
  const server = await startOllama();
  const folder = await mkdtemp(join(tmpdir(), "modelfiles-"));
  try {
    for (const { weights, template, longest } of models) {
      const file = join(folder, weights.file);
      const lines = [
        `FROM ${weightsPath(weights)}`,
        ...(template === undefined ? [] : [`TEMPLATE """${template}"""`]),
        ...[`num_predict ${longest}`, "temperature 0", "seed 1"].map((set) => `PARAMETER ${set}`),
      ];
      await writeFile(file, lines.join("\n"));
      await runOllama(["create", weights.name, "-f", file], server.url);
    }
  } finally {
    await rm(folder, { recursive: true });
    await server.kill();
  }
}

async function runOllama(words: readonly string[], url: string): Promise<void> {
  const child = spawn(ollamaProgram, words, {
    env: { HOME: ollamaModels, OLLAMA_HOST: url },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`ollama ${words.join(" ")} ended with ${String(code)}:\n${said}`);
}

/** `port`: 0 for a free one. */
export async function startOllama({ port = 0 } = {}): Promise<OllamaServer> {
  const child = spawn(ollamaProgram, ["serve"], {
    // What runs the weights is a process of its own, which would outlive a killed server.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      HOME: ollamaModels,
      OLLAMA_MODELS: ollamaModels,
      OLLAMA_HOST: `127.0.0.1:${port}`,
      OLLAMA_NUM_PARALLEL: "2",
      OLLAMA_NOPRUNE: "1",
      OMP_WAIT_POLICY: "passive",
    },
  });
  const closed = once(child, "close");
  const heard = hear([child.stdout, child.stderr]);
  const address = await Promise.race([
    heard.until((said) => /Listening on (127\.0\.0\.1:\d+)/u.exec(said)?.[1]),
    closed.then(() => undefined),
  ]);
  if (address === undefined) throw new Error(`Ollama did not start:\n${heard.text()}`);
  const url = `http://${address}`;
  return {
    url,
    env: { OLLAMA_HOST: url },
    async untilEnded(count) {
      const before = chatsIn(heard.text());
      await heard.until((said) => (chatsIn(said) >= before + count ? true : undefined));
    },
    async kill() {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        process.kill(-child.pid, "SIGKILL");
      await closed;
    },
  };
}

/** It writes a line for each request when that has ended, however it ended. */
const chatsIn = (said: string): number =>
  said.match(/^\[GIN\].*"\/(?:api\/chat|v1\/chat\/completions)"/gmu)?.length ?? 0;

type Heard = { text(): string; until<T>(look: (said: string) => T | undefined): Promise<T> };

function hear(streams: readonly NodeJS.ReadableStream[]): Heard {
  let said = "";
  const waiting = new Set<() => void>();
  for (const stream of streams)
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      for (const check of waiting) check();
    });
  return {
    text: () => said,
    until: (look) =>
      new Promise((resolve) => {
        const check = (): void => {
          const found = look(said);
          if (found === undefined) return;
          waiting.delete(check);
          resolve(found);
        };
        waiting.add(check);
        check();
      }),
  };
}
