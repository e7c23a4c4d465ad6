/** The options of a run without a person: what goes in, what comes out, and who answers. */

import { inputs } from "./option-choices.ts";
import type { Option } from "./option-values.ts";

export const headlessOptions: readonly Option[] = [
  {
    name: "input",
    flag: "input",
    type: { kind: "choice", values: inputs },
    default: "text",
    concerns: [],
    help: "`stream-json`: standard input is lines of JSON, until it ends: requests, messages to the running one, answers to questions, interruptions. Prints lines of `--output stream-json`.",
  },
  {
    name: "partial",
    flag: "partial",
    type: { kind: "switch" },
    concerns: [],
    help: "With --output stream-json: also what happens right now, such as the text of an answer as it comes.",
  },
  {
    name: "outputFile",
    flag: "output-file",
    short: "o",
    type: { kind: "text", placeholder: "FILE" },
    concerns: [],
    help: "With -p: also write the answer, and nothing else, to this file, which is emptied when the run begins.",
  },
  {
    name: "jsonSchema",
    flag: "json-schema",
    type: { kind: "text", placeholder: "FILE" },
    concerns: [],
    help: "With -p: the answer must be JSON that fits the JSON Schema in this file, and -p prints just that. The model is told, its answer is checked, and it is asked again at most twice; then the exit code is 1.",
  },
  {
    name: "goal",
    flag: "goal",
    type: { kind: "text", placeholder: "CONDITION" },
    concerns: [],
    help: "With -p: the request is not done before this condition is met and verified, as with `/goal` in a conversation. The limits hold; a goal that the model leaves unmet is exit code 4.",
  },
  {
    name: "askOn",
    flag: "ask-on",
    type: { kind: "text", placeholder: "COMMAND" },
    concerns: [],
    help: "With -p: a question (approval, question, plan, limit) starts this command of yours in a shell, with the question as JSON on its standard input; what it prints is the answer. If it fails or says nothing, the answer is no.",
  },
];
