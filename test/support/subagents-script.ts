/** A model for tests with subagents: it answers each session with the script whose name opens its request. */

import type { JsonObject } from "../../src/base/json.ts";
import type { Prompt } from "../../src/providers/provider.ts";
import {
  scriptedModel,
  type ScriptedAnswer,
  type ScriptedModel,
} from "../../src/providers/scripted-model.ts";

type Scripts = Readonly<Record<string, (round: number) => ScriptedAnswer>>;

export const playing = (scripts: Scripts): ScriptedModel =>
  scriptedModel((prompt) => {
    const request = requestOf(prompt);
    const [, script] = Object.entries(scripts).find(([name]) => request.startsWith(name)) ?? [];
    return script?.(roundOf(prompt)) ?? [{ say: `Nobody answers ${request}` }];
  });

const requestOf = ({ messages }: Prompt): string =>
  (messages[0]?.content ?? []).flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");

const roundOf = ({ messages }: Prompt): number =>
  messages.filter(({ role }) => role === "assistant").length + 1;

export const give = (input: JsonObject) => ({ call: "delegate", with: input });
export const read = (path: string) => ({ call: "read_file", with: { path } });
const write = (path: string, content: string) => ({ call: "write_file", with: { path, content } });

/** A request with read-only tasks, then one that changes files. */
export const killed: Scripts = {
  Work: (round) => {
    if (round === 1) return [give({ task: "Look one" }), give({ task: "Look two" })];
    if (round === 2) return [give({ task: "Change", allowed_tools: ["write_file"] })];
    return [{ say: "All is done." }];
  },
  Look: (round) => (round < 3 ? [{ say: `Step ${round}.` }, read("a.txt")] : [{ say: "Found." }]),
  Change: (round) =>
    round < 3 ? [write("a.txt", `${round}\n`), write(`new${round}.txt`, "x\n")] : [{ say: "Changed." }],
};
