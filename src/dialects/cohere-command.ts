/** The format of Command R7B and Command A: a list of JSON objects with ids between marks. */

import type { Json } from "../base/json.ts";
import type { Dialect, WrittenCall, WrittenResult } from "./dialect.ts";
import { resultRulesFor, resultText } from "./grammar/lesson.ts";
import { taggedJson } from "./grammar/tagged-json.ts";
import { jsonRule, templateJson } from "./grammar/template-json.ts";
import { namesOf } from "./names.ts";

const opener = "<|START_ACTION|>";
const closer = "<|END_ACTION|>";
const resultOpener = "<|START_TOOL_RESULT|>";
const resultCloser = "<|END_TOOL_RESULT|>";
const turns = ["<|END_OF_TURN_TOKEN|>", "<|START_OF_TURN_TOKEN|>"];
const results = [resultOpener];

const reading = taggedJson(opener, {
  closers: [closer],
  endings: [...results, ...turns],
  shape: { ids: true },
});

const answers = ["<|START_RESPONSE|>", "<|START_TEXT|>"];

/** `resultOf`: how a result's text stands in the list of results. */
type CohereVersion = Pick<Dialect, "name" | "family"> & { readonly resultOf: (text: string) => Json };

export const cohereDialect = ({ resultOf, ...version }: CohereVersion): Dialect => ({
  ...version,
  tier: "token",
  ...reading,
  thoughts: [{ open: "<|START_THINKING|>", close: "<|END_THINKING|>", answers }],
  layout: [...answers, "<|END_RESPONSE|>", "<|END_TEXT|>", closer],
  turns,
  results,
  stop: [],
  markers: [opener, closer, resultOpener, resultCloser, ...turns],
  lesson: {
    rules: [
      `Between the marks stands a list of calls, each an object with an id, its tool and its parameters. ${jsonRule}`,
      "Several calls: several objects in the one list, with ids of their own. Do not put it in a code fence.",
      ...resultRulesFor(resultOpener),
    ],
  },
  writeCalls,
  writeResults: (written) => writeResults(written, resultOf),
});

export const cohereCommand = cohereDialect({
  name: "cohere-command",
  family: {
    template: [opener, closer],
    models: namesOf("command-?r7b", "command-?a\\b", "c4ai-command-?(?:r7b|a)"),
  },
  resultOf: (text) => text,
});

function writeCalls(calls: readonly WrittenCall[]): string {
  const objects = calls.map(({ id, name, input }, index) => {
    const call = { tool_call_id: idOf(id, index), tool_name: name, parameters: input };
    return `    ${templateJson(call)}`;
  });
  return `${opener}[\n${objects.join(",\n")}\n]${closer}`;
}

function writeResults(written: readonly WrittenResult[], resultOf: CohereVersion["resultOf"]): string {
  const objects = written.map(({ id, isError, ...result }, index) => {
    const lines = [
      `"tool_call_id": ${JSON.stringify(idOf(id, index))}`,
      `"results": {\n            "0": ${templateJson(resultOf(resultText(result)))}\n        }`,
      `"is_error": ${isError ? "true" : "null"}`,
    ];
    return `    {\n        ${lines.join(",\n        ")}\n    }`;
  });
  return `${resultOpener}[\n${objects.join(",\n")}\n]${resultCloser}`;
}

/** The templates count the calls; the model's own number goes back as it was. */
const idOf = (id: string, index: number): string => (/^\d+$/.test(id) ? id : String(index));
