/** The JSON Schema of configuration files, with which editors complete and check them: from the options and sections. */

import * as z from "zod/mini";
import type { JsonObject } from "../base/json.ts";
import { addonSchemas } from "./addon-settings.ts";
import { sections } from "./config-file.ts";
import { configOptions } from "./options/config-options.ts";
import { explain } from "./options/help-words.ts";
import type { Option } from "./options/options.ts";

/** Draft 7, which editors know best. */
export function configSchema(): JsonObject {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "The configuration of Toolwright",
    type: "object",
    properties: {
      $schema: { type: "string" },
      ...Object.fromEntries(configOptions.map((one) => [one.name, ofOption(one)])),
      ...Object.fromEntries(
        Object.entries({ ...sections, ...addonSchemas }).map(([key, one]) => [key, ofSection(one)]),
      ),
    },
    additionalProperties: false,
    // Comments and trailing commas, for editors that ask.
    allowComments: true,
    allowTrailingCommas: true,
  };
}

function ofOption(option: Option): JsonObject {
  const { type } = option;
  const description = explain(option).replaceAll("`", "");
  switch (type.kind) {
    case "switch":
      return { const: true, description };
    case "text":
      return { type: "string", pattern: type.form?.pattern.source ?? "\\S", description };
    case "choice":
      return { enum: [...type.values], description };
    case "number":
      return {
        type: type.fraction ? "number" : "integer",
        minimum: type.from,
        maximum: type.to,
        description,
      };
    case "duration": {
      const time = { type: "string", pattern: "^\\s*\\d{1,6}\\s*[smhdw]\\s*$" };
      return type.orNone ? { anyOf: [time, { const: 0 }], description } : { ...time, description };
    }
    default:
      return type satisfies never;
  }
}

/** What only code can check (globs, programs) is checked when the file is read. */
function ofSection(schema: z.core.$ZodType): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    target: "draft-7",
    io: "input",
    unrepresentable: "any",
  });
  const read: JsonObject = JSON.parse(JSON.stringify(rest));
  return read;
}
