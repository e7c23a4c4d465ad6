/** Tools and requests of many kinds for `answers.ts`: each number gives another combination, and always the same one. */

import type { JsonObject } from "../../src/base/json.ts";
import type { Prompt, ToolChoice, ToolDescription } from "../../src/protocol/messages.ts";

/** What is offered and asked in one answer. */
export type OfferedTask = Pick<Prompt, "tools" | "messages" | "oneCall"> & { toolChoice: ToolChoice };

export function offeredTask(number: number): OfferedTask {
  const next = numbersFrom(number);
  const pick = <T>(list: readonly T[], otherwise: T): T => list[next(list.length)] ?? otherwise;
  const meant = tools[number % tools.length] ?? weather;
  const others = tools.filter((tool) => tool !== meant);
  const offered = [meant];
  for (let left = next(4); left > 0; left -= 1) offered.splice(next(2), 0, pick(others, weather));
  const [who, where, what] = [pick(people, "Ada"), pick(cities, "Oslo"), pick(things, "lamp")];
  const request = meant.asks(who, where, what, next(90) + 2);
  const { name } = meant;
  const choices: readonly ToolChoice[] = ["auto", "required", { name }, "required"];
  return {
    tools: [...new Set(offered)].map((tool) => ({ ...tool, schema: closed(tool.schema) })),
    messages: [{ role: "user", content: [{ type: "text", text: pick(manners, String)(request) }] }],
    toolChoice: choices[Math.floor(number / tools.length) % choices.length] ?? "auto",
    ...(next(4) > 0 ? { oneCall: true as const } : {}),
  };
}

/** Lehmer's generator, so that a number always gives the same task. */
function numbersFrom(seed: number): (below: number) => number {
  let state = (seed + 1) * 16_807;
  for (let round = 0; round < 3; round += 1) state = (state * 48_271) % 2_147_483_647;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

type AskedTool = ToolDescription & {
  asks(who: string, where: string, what: string, count: number): string;
};

const text: JsonObject = { type: "string" };
const closed = (schema: JsonObject): JsonObject => ({
  ...schema,
  type: "object",
  additionalProperties: false,
});

const weather: AskedTool = {
  name: "get_weather",
  description: "Tell the weather in a city.",
  schema: {
    properties: { city: text, unit: { enum: ["celsius", "fahrenheit"] } },
    required: ["city"],
  },
  asks: (_who, where) => `What is the weather in ${where}?`,
};

const tools: readonly AskedTool[] = [
  weather,
  {
    name: "set_light",
    description: "Switch a lamp.",
    schema: {
      properties: {
        room: text,
        on: { type: "boolean" },
        brightness: { type: "integer", minimum: 1, maximum: 100 },
      },
      required: ["room", "on"],
    },
    asks: (who, _where, _what, count) => `Switch the lamp in the room of ${who} on, at ${count} per cent.`,
  },
  {
    name: "place_order",
    description: "Order goods.",
    schema: {
      properties: {
        customer: { ...closed({ properties: { name: text, city: text }, required: ["name"] }) },
        items: {
          type: "array",
          minItems: 1,
          maxItems: 3,
          items: closed({
            properties: { product: text, count: { type: "integer", minimum: 1 } },
            required: ["product", "count"],
          }),
        },
      },
      required: ["customer", "items"],
    },
    asks: (who, where, what, count) =>
      `${who} in ${where} orders ${count} of this: ${what}. Place the order.`,
  },
  {
    name: "add_point",
    description: "Put a point on the map.",
    schema: {
      properties: {
        latitude: { type: "number", minimum: -90, maximum: 90 },
        longitude: { type: "number", minimum: -180, maximum: 180 },
        label: { type: ["string", "null"] },
      },
      required: ["latitude", "longitude"],
    },
    asks: (_who, where, _what, count) =>
      `Mark ${where} on the map: latitude ${count}.25, longitude -${count + 7}.5.`,
  },
  {
    name: "save_note",
    description: "Save a note, exactly as it is given.",
    schema: { properties: { text }, required: ["text"] },
    asks: (who, where, what) => `Save this note: "${who}'s ${what}\\box" <${where}> & more`,
  },
  {
    name: "set_tags",
    description: "Replace the tags of an article.",
    schema: {
      properties: { article: { type: "integer" }, tags: { type: "array", items: text, maxItems: 4 } },
      required: ["article", "tags"],
    },
    asks: (who, where, what, count) => `Tag article ${count} with ${what}, ${where} and ${who}.`,
  },
  {
    name: "find",
    description: "Search the catalogue.",
    schema: {
      properties: {
        by: { anyOf: [{ type: "integer" }, { enum: ["name", "colour", "size"] }] },
        value: text,
        limit: { type: "integer", minimum: 0 },
      },
      required: ["by", "value"],
    },
    asks: (_who, _where, what, count) => `Find ${count} things by the name ${what}.`,
  },
  {
    name: "move_file",
    description: "Move a file.",
    schema: {
      properties: { from: text, to: text, overwrite: { type: "boolean" } },
      required: ["from", "to"],
    },
    asks: (who, _where, what) => `Move the file ${what}.txt into the folder ${who}.`,
  },
  {
    name: "list_users",
    description: "List all users.",
    schema: { properties: {} },
    asks: () => "Who is registered? List the users.",
  },
  {
    name: "set-timer",
    description: "Start a timer.",
    schema: {
      properties: {
        seconds: { type: "integer", minimum: 1 },
        repeat: { const: "daily" },
        note: { type: "string", minLength: 1, maxLength: 40 },
      },
      required: ["seconds"],
    },
    asks: (who, _where, _what, count) => `Start a timer of ${count} seconds for ${who}.`,
  },
];

const people = ["Ada", "Jörg", "Mei", "O'Brien", "Grace", "Søren", "Ines"];
const cities = ["Oslo", "Lisbon", "Cairo", "Zürich", "Kyoto", "São Paulo", "Lima", "Accra"];
const things = ["lamp", "candle", "blue chair", "notebook", "tea pot", "rope"];
const manners: readonly ((request: string) => string)[] = [
  (request) => request,
  (request) => `Please do this now. ${request}`,
  (request) => `${request} Use a tool.`,
  (request) => `I need help with something. ${request}\nThank you.`,
];
