/** A session, told by a scriptedModel model, with everything that the page can show. */

import type { Message } from "../../src/protocol/messages.ts";
import { ModelError } from "../../src/protocol/model-events.ts";
import {
  scriptedModel,
  type ScriptedAnswer,
  type ScriptedModel,
} from "../../src/providers/scripted-model.ts";

/** Answers by the request to which they belong. */
export type Scenes = Readonly<Record<string, readonly ScriptedAnswer[]>>;

/** Plays the scene of the newest request that has one, answer by answer, and then says that it is done. */
export function acting(scenes: Scenes, pieces = 12): ScriptedModel {
  let [scene, round] = ["", 0];
  return scriptedModel(
    ({ messages }) => {
      const asked = messages.map((message) => requestIn(message, scenes)).filter((request) => request !== "");
      const [request = ""] = asked.slice(-1);
      // The same request may occur twice.
      const now = `${request} ${asked.length}`;
      round = now === scene ? round + 1 : 0;
      scene = now;
      return scenes[request]?.[round] ?? [{ say: "Done." }];
    },
    { pieces, contextTokens: 200_000 },
  );
}

/** Toolwright's own notes to the model may be part of the same message. */
function requestIn(message: Message, scenes: Scenes): string {
  if (message.role !== "user") return "";
  const texts = message.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return Object.keys(scenes).find((request) => texts.some((text) => text.includes(request))) ?? "";
}

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, at) => `const line${from + at} = ${from + at};\n`).join("");

/** Far enough apart for two hunks. */
export const files = {
  "README.md": "# A small shop\n",
  "build/old.js": "old\n",
  "src/total.ts": `export const rate = 1;\n${lines(2, 29)}export const total = (sum: number) => sum * rate;\n`,
};

const edits = [
  { old: "rate = 1;", new: "rate = 1.19;" },
  { old: "sum * rate;", new: "Math.round(sum * rate * 100) / 100;" },
];

const report = `The total is **rounded** now.

| file | change |
|---|---|
| \`src/total.ts\` | rate and rounding |

\`\`\`ts
export const total = (sum: number) => Math.round(sum * rate * 100) / 100;
\`\`\`

1. The rate is 1.19
2. Results have two decimals

> See [the documentation](https://example.org/rounding) for more.`;

export const requests = {
  change: "Add the tax to the total",
  question: "Which database shall we take?",
  plan: "Plan the release",
  limit: "Look at everything",
  failure: "Ask the broken model",
  wait: "Think about it for long",
} as const;

const usage = { usage: { inputTokens: 4_200, outputTokens: 180, cacheReadTokens: 3_000 } };

const change: Scenes = {
  [requests.change]: [
    [
      { think: "The total is computed in src/total.ts. I look at it first." },
      { say: "I look at the code." },
      {
        call: "todos",
        with: { items: [{ text: "Change the rate", state: "doing" }, { text: "Check it" }] },
      },
      { call: "read_file", with: { path: "src/total.ts" } },
      usage,
    ],
    [{ say: "Two lines change." }, { call: "edit_file", with: { path: "src/total.ts", edits } }, usage],
    [{ call: "run_command", with: { command: "rm -rf build && git push" } }, usage],
    [{ say: report }, usage],
  ],
};

/** A plan of three steps, for a person to decide on. */
export const planScene: readonly ScriptedAnswer[] = [
  [
    {
      call: "propose_plan",
      with: {
        summary: "Three steps to the release.",
        steps: [
          { title: "Write the notes" },
          { title: "Set the version", detail: "1.2.0" },
          { title: "Tag it" },
        ],
      },
    },
    usage,
  ],
  [{ say: "The plan stands." }, usage],
];

const asking: Scenes = {
  [requests.question]: [
    [
      {
        call: "ask_user",
        with: {
          question: "Which database shall it be?",
          choices: [{ label: "SQLite", detail: "one file" }, { label: "PostgreSQL" }],
        },
      },
      usage,
    ],
    [{ say: "Then I know." }, usage],
  ],
  [requests.plan]: planScene,
};

/** `gate` holds the last request until it opens. */
export const story = (gate: Promise<unknown>): Scenes => ({
  ...change,
  ...asking,
  [requests.limit]: Array.from({ length: 12 }, (_, at) => [
    { say: `Step ${at + 1}.` },
    { call: "list_files", with: { path: at % 2 === 0 ? "." : "src" } },
    usage,
  ]),
  [requests.failure]: [
    [{ say: "Half an ans" }, { fail: new ModelError("bad-request", "The model's server said no.") }],
  ],
  [requests.wait]: [
    [
      { think: "Hm." },
      { say: "I begin with the first part of it, " },
      { wait: gate },
      { say: "and now all of it is there." },
      usage,
    ],
  ],
});
