/**
 * Tools that take a plain text instead of arguments: models know only calls with arguments, so they get one argument.
 */

import type { Json, JsonObject } from "../base/json.ts";
import type { ToolCall, ToolDescription } from "../protocol/messages.ts";
import { stringAt } from "./fields.ts";

/** The argument that holds the text. */
const argument = "input";

type TextToolForm = {
  description: string | undefined;
  grammar: string | undefined;
  syntax: string | undefined;
};

/** Describes the required form of the text in words: no grammar is enforced here. */
export function textTool({ description, grammar, syntax }: TextToolForm): Omit<ToolDescription, "name"> {
  const words = [
    description ?? "",
    `The whole text goes into the argument "${argument}".`,
    grammar === undefined ? "" : `It must follow this grammar (${syntax ?? "lark"}):\n${grammar}`,
  ];
  const text: Json = { type: "string" };
  return {
    description: words.filter((part) => part !== "").join("\n\n"),
    schema: {
      type: "object",
      properties: { [argument]: text },
      required: [argument],
      additionalProperties: false,
    },
  };
}

export const inputOfText = (text: string | undefined): JsonObject => ({ [argument]: text ?? "" });

/** The text of a call; empty if the call could not be read. */
export const textOfCall = ({ input }: ToolCall): string => stringAt(input, argument) ?? "";
