/** What the model says in each scenario of the race, whatever tools the agent offers. */

import { isObject, type Json } from "../../src/base/json.ts";
import type { Prompt, ToolDescription } from "../../src/protocol/messages.ts";
import type { ScriptedAnswer, ScriptedStep } from "../../src/providers/scripted-model.ts";

export type Scenario = {
  /** Characters in each piece of text and arguments; whole without it. */
  pieces?: number;
  /** `round`: how many of the agent's requests were answered before. `called` notes when a call was complete. */
  answer(prompt: Prompt, round: number, called: () => void): ScriptedAnswer;
};

const over: ScriptedAnswer = [{ say: "Hello there, all is well." }];
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const oneShot: Scenario = { answer: () => over };

const rounds: Scenario = {
  answer: ({ tools }, round) => (round < 30 ? [callTo(readWith, tools, `src/file-${round}.ts`)] : over),
};

const deltas: Scenario = {
  pieces: 8,
  answer: () => [{ say: "word123 ".repeat(20_000) }],
};

const argument: Scenario = {
  pieces: 53,
  answer: ({ tools }, round) =>
    round === 0 ? [callTo(writeWith, tools, "big.txt", "0123456789abcdef".repeat(16_384))] : over,
};

/** A command that says when it began, while the answer goes on for a second and a half. */
const early: Scenario = {
  answer({ tools }, round, called) {
    if (round >= 2) return over;
    const going = Array.from({ length: 15 }, (_, at) => [
      { wait: pause(100 * (at + 1)) },
      { say: `word${at} ` },
    ]).flat();
    queueMicrotask(called);
    return [callTo(runWith, tools, `date +%s%N; echo ${round} > begun-${round}`), ...going];
  },
};

const six: Scenario = {
  answer: ({ tools }, round) =>
    round > 0
      ? over
      : Array.from({ length: 6 }, (_, at) => callTo(runWith, tools, `sleep 1; echo ${at} > out-${at}`)),
};

export const scenarios = { oneShot, rounds, deltas, argument, early, six };

/** How a thing is done with one agent's tool: the names of the tool and its parameters. */
type Way = { tool: RegExp; values: readonly RegExp[]; make?: (...values: string[]) => string[] };

const readWith: readonly Way[] = [
  { tool: /^(?!.*(?:image|resource|mcp)).*(?:read|view)/iu, values: [/^(?:absolute_?)?(?:file_?)?path$/iu] },
  { tool: /shell|exec|bash/iu, values: [/^(?:command|cmd)$/iu], make: (path) => [`cat ${path ?? ""}`] },
];

const writeWith: readonly Way[] = [
  { tool: /^write/iu, values: [/^(?:file_?)?path$/iu, /^content$/iu] },
  {
    tool: /patch/iu,
    values: [/^(?:input|patch)$/iu],
    make: (path, text) => [`*** Begin Patch\n*** Add File: ${path ?? ""}\n+${text ?? ""}\n*** End Patch\n`],
  },
];

const runWith: readonly Way[] = [{ tool: /shell|exec|bash|command/iu, values: [/^(?:command|cmd)$/iu] }];

function callTo(ways: readonly Way[], tools: readonly ToolDescription[], ...values: string[]): ScriptedStep {
  for (const way of ways)
    for (const { name, schema } of tools.filter((tool) => way.tool.test(tool.name))) {
      const properties = isObject(schema["properties"]) ? schema["properties"] : {};
      const required = Array.isArray(schema["required"]) ? schema["required"].map(String) : [];
      const keys = way.values.map((named) => Object.keys(properties).find((key) => named.test(key)));
      if (keys.includes(undefined)) continue;
      const given = way.make?.(...values) ?? values;
      const fillers = required.map((key): [string, Json] => [key, filler(properties[key])]);
      const input = {
        ...Object.fromEntries(fillers),
        ...Object.fromEntries(keys.map((key, at) => [key, given[at] ?? ""])),
      };
      return { call: name, with: input };
    }
  throw new Error(`None of these tools will do: ${tools.map(({ name }) => name).join(", ")}`);
}

const filler = (schema: unknown): Json =>
  JSON.stringify(schema ?? {}).includes('"type":"string"') ? "Go on" : 1;
