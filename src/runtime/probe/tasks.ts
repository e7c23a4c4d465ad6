/** The tasks of a probe: each a prompt, and one right answer to compare the model's answer with. */

import * as z from "zod/mini";
import type { Json, JsonObject } from "../../base/json.ts";
import type { Message } from "../../protocol/messages.ts";
import { countField, switchField, textField } from "../../tools/arguments/shape.ts";
import { editFile } from "../../tools/edit-file.ts";
import { type Tool, defineTool, ok } from "../../tools/tool.ts";
import { writeFile } from "../../tools/write-file.ts";

const echo = async (input: unknown) => ok(JSON.stringify(input));

const echoTool = (name: string, summary: string, input: z.core.$ZodLooseShape): Tool =>
  defineTool({ name, summary, does: "read", input, title: () => name, run: echo });

/** Small tools for probe tasks: they only echo their arguments. */
const weather = echoTool("get_weather", "Tell the weather in a city.", {
  city: textField("The city's name"),
  unit: z.optional(z.enum(["celsius", "fahrenheit"]).check(z.describe("Celsius by default"))),
});

const clock = echoTool("get_time", "Tell the time in a city.", { city: textField("The city's name") });

const distance = echoTool("get_distance", "Tell the distance between two cities.", {
  from: textField("The first city"),
  to: textField("The second city"),
});

const note = echoTool("save_note", "Save a note, exactly as it is given.", {
  text: textField("The whole text of the note"),
});

const light = echoTool("set_light", "Switch a lamp.", {
  room: textField("The room that the lamp is in"),
  on: switchField("Whether it shall be on"),
  brightness: z.optional(countField("Per cent")),
});

const point = echoTool("add_point", "Put a point on the map.", {
  latitude: z.number().check(z.describe("Degrees, south is negative")),
  longitude: z.number().check(z.describe("Degrees, west is negative")),
  level: z.int().check(z.describe("A whole number, below the ground negative")),
});

const tags = echoTool("set_tags", "Replace the tags of an article.", {
  article: countField("The article's number"),
  tags: z.array(z.string()).check(z.describe("All of its tags, in order")),
});

const order = echoTool("place_order", "Order goods.", {
  customer: z.strictObject({ name: textField("Full name"), address: textField("City") }),
  items: z
    .array(z.strictObject({ product: textField("What"), count: countField("How many") }))
    .check(z.describe("Everything that is ordered")),
});

const shell = echoTool("run_shell", "Run a shell command.", {
  command: textField("The whole command line"),
});

const page = echoTool("open_page", "Open a page of the handbook.", {
  title: textField("The page's title"),
});

export type WantedCall = { name: string; input: JsonObject };

export type ProbeTask = {
  name: string;
  tools: readonly Tool[];
  asks: string;
  /** The messages after the first request. */
  since?: readonly Message[];
  /** The files in the workspace. */
  files?: Readonly<Record<string, string>>;
  /** The right calls, in any order; or what an answer without calls must say. */
  right: { calls: readonly WantedCall[] } | { says: string };
};

const toSave = (name: string, text: string): ProbeTask => ({
  name,
  tools: [note],
  asks: `Save a note with exactly this text, everything between the lines of equals signs:\n=====\n${text}\n=====`,
  right: { calls: [call(note, { text })] },
});

const call = ({ name }: Tool, input: JsonObject): WantedCall => ({ name, input });

/** An earlier call in the history, with its result. */
const earlierCall = (
  tool: Tool,
  input: JsonObject,
  result: { text: string; isError?: boolean },
): Message[] => [
  {
    role: "assistant",
    content: [{ type: "call", call: { ...call(tool, input), id: "call_1", source: "native" } }],
  },
  {
    role: "tool",
    callId: "call_1",
    name: tool.name,
    content: [{ type: "text", text: result.text }],
    isError: result.isError === true,
  },
];

const shop = `export function total(prices) {
  let sum = 0;
  for (const price of prices) sum += price;
  return sum - 1;
}
`;

const greeting = `"""Greets."""

def greet(name):
    print(f"Hello, {name}!\\n")
`;

const coordinates: Json = { latitude: -33.8688, longitude: 151.2093, level: -2 };

export const probeTasks: readonly ProbeTask[] = [
  {
    name: "one call",
    tools: [weather],
    asks: "What is the weather in Lisbon? Find out with the tool.",
    right: { calls: [call(weather, { city: "Lisbon" })] },
  },
  {
    name: "two calls in one answer",
    tools: [weather],
    asks: "Find out the weather in Oslo and in Cairo. Make both calls in one answer.",
    right: { calls: [call(weather, { city: "Oslo" }), call(weather, { city: "Cairo" })] },
  },
  {
    name: "no call needed",
    tools: [weather, clock],
    asks: "How much is 17 + 25? This needs no tool: answer with the number alone.",
    right: { says: "42" },
  },
  {
    name: "the right one of several tools",
    tools: [weather, clock, distance, note],
    asks: "How far is it from Paris to Rome? Find out with the right tool.",
    right: { calls: [call(distance, { from: "Paris", to: "Rome" })] },
  },
  toSave("quotation marks", `She said: "It's 5 o'clock, isn't it?" and left 'at once'.`),
  toSave("several lines", "Milk\n  two bottles\n\nBread\n\tdark"),
  toSave("backslashes", String.raw`Copy C:\new\table to \\server\share, then match ^\d+\s*\\n$ in it.`),
  toSave("a code fence", 'Run this:\n\n```js\nconsole.log("hi");\n```\n\nThen stop.'),
  toSave("tags and ampersands", '<item id="1">Salt & Pepper</item>\n<empty/> if 1 < 2 && 3 > 2'),
  toSave("JSON as text", '{"name": "Ada", "tags": ["a", "b"], "path": "C:\\\\temp"}'),
  toSave("letters of many scripts", "Grüße — 東京, Здравствуй, naïve café 🚀"),
  {
    name: "a command line",
    tools: [shell],
    asks: "Run exactly this command:\ngrep -rn 'TODO: \"fix\"' --include='*.ts' src | awk '{print $1}' | wc -l",
    right: {
      calls: [
        call(shell, {
          command: "grep -rn 'TODO: \"fix\"' --include='*.ts' src | awk '{print $1}' | wc -l",
        }),
      ],
    },
  },
  {
    name: "numbers",
    tools: [point],
    asks: "Put a point on the map at latitude -33.8688, longitude 151.2093, two floors below the ground (level -2).",
    right: { calls: [call(point, coordinates)] },
  },
  {
    name: "true and false",
    tools: [light],
    asks: "Switch the lamp in the kitchen off. Leave its brightness out.",
    right: { calls: [call(light, { room: "kitchen", on: false })] },
  },
  {
    name: "a list",
    tools: [tags],
    asks: "Replace the tags of article 12 with these three, in this order: red, light green, 404.",
    right: { calls: [call(tags, { article: 12, tags: ["red", "light green", "404"] })] },
  },
  {
    name: "objects in a list",
    tools: [order],
    asks: "Ada Lovelace in London orders 2 lamps (product: lamp) and 10 candles (product: candle). Place this one order.",
    right: {
      calls: [
        call(order, {
          customer: { name: "Ada Lovelace", address: "London" },
          items: [
            { product: "lamp", count: 2 },
            { product: "candle", count: 10 },
          ],
        }),
      ],
    },
  },
  {
    name: "a choice of words",
    tools: [weather],
    asks: "What is the weather in Boston, in degrees Fahrenheit? Find out with the tool.",
    right: { calls: [call(weather, { city: "Boston", unit: "fahrenheit" })] },
  },
  {
    name: "on after a result",
    tools: [page],
    asks: "Open the page with the title Start. It names another page: open that one too.",
    since: earlierCall(
      page,
      { title: "Start" },
      { text: 'Welcome. The rules are on the page "House Rules".' },
    ),
    right: { calls: [call(page, { title: "House Rules" })] },
  },
  {
    name: "stop after a result",
    tools: [clock],
    asks: "What time is it in Tokyo? Find out with the tool, then tell me.",
    since: earlierCall(clock, { city: "Tokyo" }, { text: "It is 14:37 in Tokyo." }),
    right: { says: "14:37" },
  },
  {
    name: "mend what failed",
    tools: [weather],
    asks: "What is the weather in the capital of Switzerland? Find out with the tool.",
    since: earlierCall(
      weather,
      { city: "Zurich" },
      { text: "Refused: Zurich is not the capital of Switzerland. Ask for Bern.", isError: true },
    ),
    right: { calls: [call(weather, { city: "Bern" })] },
  },
  {
    name: "edit by exact replacement",
    tools: [editFile],
    asks: `This is the file shop.js:\n\n${shop}\nIts last step is wrong: the function must return the sum itself. Mend that with one edit.`,
    files: { "shop.js": shop },
    right: { calls: [call(editFile, { path: "shop.js", old: "return sum - 1;", new: "return sum;" })] },
  },
  {
    name: "write a whole file",
    tools: [writeFile],
    asks: `Write the file greet.py with exactly this content, everything between the lines of equals signs:\n=====\n${greeting}=====`,
    right: { calls: [call(writeFile, { path: "greet.py", content: greeting })] },
  },
];
