/** For tests: a parent session whose model plays one script per session, and the results of its subagents. */

import { onTestFinished } from "vitest";
import type { JsonObject } from "../base/json.ts";
import type { Entry, FactOf } from "../protocol/facts.ts";
import type { Prompt } from "../providers/provider.ts";
import { scriptedModel, type ScriptedAnswer } from "../providers/scripted-model.ts";
import { testSession, type TestSession, type TestSessionOptions } from "./session.ts";

/** The request that opens a prompt. */
export function requestOf({ messages }: Prompt): string {
  const [first] = messages;
  return (first?.content ?? []).flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

/** How many times the session's model has answered already. */
const roundOf = ({ messages }: Prompt): number =>
  messages.filter(({ role }) => role === "assistant").length + 1;

type Scripts = Readonly<Record<string, (round: number, prompt: Prompt) => ScriptedAnswer>>;

/** Plays the script whose name opens the session's request. */
const playing = (scripts: Scripts) =>
  scriptedModel((prompt) => {
    const request = requestOf(prompt);
    const [, script] = Object.entries(scripts).find(([name]) => request.startsWith(name)) ?? [];
    return script?.(roundOf(prompt), prompt) ?? [{ say: `Nobody answers ${request}` }];
  });

export const give = (input: JsonObject) => ({ call: "delegate", with: input });

export async function parentSession(scripts: Scripts, options: TestSessionOptions = {}) {
  const model = playing(scripts);
  const test = await testSession(model, { subagents: {}, mode: "accept-edits", ...options });
  onTestFinished(test.close);
  return { ...test, model };
}

export const of = <T extends Entry["type"]>(facts: readonly Entry[], type: T) =>
  facts.filter((entry): entry is Extract<Entry, { type: T }> => entry.type === type);

export function resultIn(
  { facts }: Pick<TestSession, "facts">,
  at = 0,
): FactOf<"result"> & { words: string } {
  const result = of(facts(), "result")[at];
  if (!result) throw new Error("There is no such result.");
  return {
    ...result,
    words: result.content.flatMap((part) => (part.type === "text" ? part.text : [])).join(""),
  };
}

export const promptOf = ({ prompts }: { prompts: readonly Prompt[] }, request: string): Prompt | undefined =>
  prompts.find((prompt) => requestOf(prompt).startsWith(request));

/** The last result given to the model. */
export const lastTold = ({ messages }: Prompt): string => {
  const [part] = messages.findLast(({ role }) => role === "tool")?.content ?? [];
  return part?.type === "text" ? part.text : "";
};

export const readFileCall = (path: string) => ({ call: "read_file", with: { path } });

export const write = (path: string, content: string) => ({ call: "write_file", with: { path, content } });
