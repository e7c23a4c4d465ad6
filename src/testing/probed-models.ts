/** For tests of the probe: models that know the right answer to every task but can write it only in certain ways. */

import type { Dialect, WrittenCall } from "../dialects/dialect.ts";
import { teach } from "../dialects/grammar/lesson.ts";
import { allDialects } from "../dialects/index.ts";
import type { Prompt } from "../providers/provider.ts";
import {
  scriptedModel,
  type ScriptedAnswer,
  type ScriptedModel,
  type ScriptedOptions,
} from "../providers/scripted-model.ts";
import { probeTasks, type ProbeTask } from "../runtime/probe/tasks.ts";
import { describeTool } from "../tools/tool.ts";

/** How the probe asked: "native", a dialect's name, or "nothing" without tools. */
type ProbeQuestion = {
  way: string;
  dialect: Dialect | undefined;
  /** The server was told to hold the model to a form of JSON. */
  isHeld: boolean;
};

/** Writes calls in a way that the model supports; elsewhere it answers in prose. */
export type Speaker = (calls: readonly WrittenCall[], asked: ProbeQuestion) => ScriptedAnswer;

export function probedModel(speak: Speaker, options: ScriptedOptions = {}): ScriptedModel {
  return scriptedModel((prompt) => {
    const task = taskOf(prompt);
    if (!task) return [{ say: "I was asked something else." }];
    if ("says" in task.right) return [{ say: `It is ${task.right.says}.` }];
    return [
      ...speak(
        task.right.calls.map((call, at) => ({ ...call, id: `call_${at}` })),
        askedIn(prompt),
      ),
      { usage: { inputTokens: 100, outputTokens: 10 } },
    ];
  }, options);
}

export const natively: Speaker = (calls) => calls.map(({ name, input }) => ({ call: name, with: input }));
export const asText =
  (dialect: Dialect): Speaker =>
  (calls) => [{ say: dialect.writeCalls(calls) }];
export const atALoss: Speaker = () => [{ say: "I am sorry, I cannot use tools." }];

/** A model that answers correctly in the named ways and fails in all others. */
export const inWays =
  (ways: Readonly<Record<string, Speaker>>): Speaker =>
  (calls, asked) =>
    (ways[asked.way] ?? atALoss)(calls, asked);

function taskOf({ messages }: Prompt): ProbeTask | undefined {
  const said = messages
    .filter(({ role }) => role === "user")
    .flatMap(({ content }) => content.map((part) => (part.type === "text" ? part.text : "")))
    .join("\n");
  return probeTasks.find(({ asks }) => said.includes(asks));
}

function askedIn(prompt: Prompt): ProbeQuestion {
  if (prompt.tools.length > 0) return { way: "native", dialect: undefined, isHeld: false };
  const tools = taskOf(prompt)?.tools.map(describeTool) ?? [];
  const dialect = allDialects.find((one) => prompt.system.includes(teach(one, tools)));
  return { way: dialect?.name ?? "nothing", dialect, isHeld: prompt.format !== undefined };
}
