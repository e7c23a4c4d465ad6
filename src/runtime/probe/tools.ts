/** Small tools for probe tasks: they only echo their arguments. */

import * as z from "zod/mini";
import { countField, switchField, textField } from "../../tools/arguments/shape.ts";
import { defineTool, ok, type Tool } from "../../tools/tool.ts";

const echo = async (input: unknown) => ok(JSON.stringify(input));

const echoTool = (name: string, summary: string, input: z.core.$ZodLooseShape): Tool =>
  defineTool({ name, summary, does: "read", input, title: () => name, run: echo });

export const weather = echoTool("get_weather", "Tell the weather in a city.", {
  city: textField("The city's name"),
  unit: z.optional(z.enum(["celsius", "fahrenheit"]).check(z.describe("Celsius by default"))),
});

export const clock = echoTool("get_time", "Tell the time in a city.", { city: textField("The city's name") });

export const distance = echoTool("get_distance", "Tell the distance between two cities.", {
  from: textField("The first city"),
  to: textField("The second city"),
});

export const note = echoTool("save_note", "Save a note, exactly as it is given.", {
  text: textField("The whole text of the note"),
});

export const light = echoTool("set_light", "Switch a lamp.", {
  context: textField("The room that the lamp is in"),
  on: switchField("Whether it shall be on"),
  brightness: z.optional(countField("Per cent")),
});

export const point = echoTool("add_point", "Put a point on the map.", {
  latitude: z.number().check(z.describe("Degrees, south is negative")),
  longitude: z.number().check(z.describe("Degrees, west is negative")),
  level: z.int().check(z.describe("A whole number, below the ground negative")),
});

export const tags = echoTool("set_tags", "Replace the tags of an article.", {
  article: countField("The article's number"),
  tags: z.array(z.string()).check(z.describe("All of its tags, in order")),
});

export const order = echoTool("place_order", "Order goods.", {
  customer: z.strictObject({ name: textField("Full name"), address: textField("City") }),
  items: z
    .array(z.strictObject({ product: textField("What"), count: countField("How many") }))
    .check(z.describe("Everything that is ordered")),
});

export const shell = echoTool("run_shell", "Run a shell command.", {
  command: textField("The whole command line"),
});

export const page = echoTool("open_page", "Open a page of the handbook.", {
  title: textField("The page's title"),
});
