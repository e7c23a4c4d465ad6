/** The format of Command R7B and Command A: a list of JSON objects with ids between marks. */

import type { Json } from "../base/json.ts";
import type { MarkedDialect } from "./dialect.ts";
import { jsonDialect } from "./grammar/json-dialect.ts";
import { resultText } from "./grammar/lesson.ts";
import { jsonOpener } from "./grammar/tagged-json.ts";
import { jsonRule, templateJson } from "./grammar/template-json.ts";
import { namesOf } from "./names.ts";

const opener = "<|START_ACTION|>";
const openers = [jsonOpener(opener)];
const closer = "<|END_ACTION|>";
const resultOpener = "<|START_TOOL_RESULT|>";
const answers = ["<|START_RESPONSE|>", "<|START_TEXT|>"];

/** `resultOf`: how a result's text stands in the list of results. */
type CohereVersion = Pick<MarkedDialect, "name" | "family"> & { readonly resultOf: (text: string) => Json };

const cohereDialect = ({ resultOf, ...version }: CohereVersion): MarkedDialect =>
  jsonDialect({
    ...version,
    tier: "token",
    opener,
    openers,
    closer,
    list: ["[\n    ", ",\n    ", "\n]"],
    objectOf: ({ id, name, input }, index) =>
      templateJson({ tool_call_id: idOf(id, index), tool_name: name, parameters: input }),
    reads: { shape: { ids: true } },
    thoughts: [{ open: "<|START_THINKING|>", close: "<|END_THINKING|>", answers }],
    layout: [...answers, "<|END_RESPONSE|>", "<|END_TEXT|>", closer],
    turns: ["<|END_OF_TURN_TOKEN|>", "<|START_OF_TURN_TOKEN|>"],
    results: [resultOpener],
    stop: [],
    rules: [
      `Between the marks stands a list of calls, each an object with an id, its tool and its parameters. ${jsonRule}`,
      "Several calls: several objects in the one list, with ids of their own. Do not put it in a code fence.",
    ],
    writeResults(results) {
      const objects = results.map(({ id, isError, ...result }, index) => {
        const lines = [
          `"tool_call_id": ${JSON.stringify(idOf(id, index))}`,
          `"results": {\n            "0": ${templateJson(resultOf(resultText(result)))}\n        }`,
          `"is_error": ${isError ? "true" : "null"}`,
        ];
        return `    {\n        ${lines.join(",\n        ")}\n    }`;
      });
      return `${resultOpener}[\n${objects.join(",\n")}\n]<|END_TOOL_RESULT|>`;
    },
  });

/** The templates count the calls; the model's own number goes back as it was. */
const idOf = (id: string, index: number): string => (/^\d+$/.test(id) ? id : String(index));

export const cohereCommand = cohereDialect({
  name: "cohere-command",
  family: {
    template: [opener, closer],
    models: namesOf("command-?r7b", "command-?a\\b", "c4ai-command-?(?:r7b|a)"),
  },
  resultOf: (text) => text,
});

/** The format of Command A+ and Cohere2: that of Command R7B, whose results have a text each. */
export const cohere2 = cohereDialect({
  name: "cohere-2",
  family: {
    template: [opener, closer, "<|START_TEXT|>", '{"content": '],
    models: namesOf("command-?a-?plus", "cohere-?2"),
  },
  resultOf: (text) => ({ content: text }),
});
