/** Runs the hooks of one event in sequence and combines their answers, with a fact for each. */

import type { GuardResult } from "../../agent/extensions.ts";
import type { JsonObject } from "../../base/json.ts";
import type { Fact, FactOf } from "../../protocol/facts.ts";
import type { HookAnswer } from "./answer.ts";
import { hookBounds } from "./bounds.ts";
import { type HookQuestion, type HookSession, toldTo, variablesOf, withOwnInput } from "./hook-questions.ts";
import type { Hook } from "./hook.ts";
import { runHook, type HookRunContext } from "./run.ts";

/** `contexts`: text for the model and the hook it came from. `says`: vetoes at events that cannot be refused. */
export type Round = GuardResult & {
  input?: JsonObject;
  contexts: { name: string; text: string }[];
  says: { name: string; text: string }[];
};

type HookRoundContext = HookRunContext & { place: HookSession };

/** A hook to run, with its name for the tool and, for a call about several files, the file in question. */
export type HookCall = { hook: Hook; calls?: string | undefined; path?: string | undefined };

/** Stops at the first veto. Each hook sees the arguments as the previous one left them. */
export async function askHooks(
  hooks: readonly HookCall[],
  first: HookQuestion,
  context: HookRoundContext,
): Promise<Round> {
  const round: Round = { facts: [], contexts: [], says: [] };
  let asked = first;
  for (const { hook, calls, path } of hooks) {
    const startedAt = performance.now();
    const ask = {
      event: asked.event,
      told: toldTo(hook, { asked, place: context.place, calls, path }),
      variables: variablesOf(hook, asked, context.place),
    };
    const answer = await runHook(hook, ask, context);
    const ms = Math.round(performance.now() - startedAt);
    const input = inputOf(answer, asked, { workspace: context.place.workspace, path });
    round.facts.push(factOf({ hook, answer, ms }, asked, input), ...messageIn(hook, answer));
    if (answer.type === "fine" && answer.context !== undefined)
      round.contexts.push({ name: hook.name, text: cutContext(answer.context) });
    if (input && asked.event === "before-call") {
      round.input = input;
      asked = { ...asked, call: { ...asked.call, input } };
    }
    const no = whyNot(hook, answer);
    if (no === undefined) continue;
    if (canRefuse(asked)) return { ...round, veto: `the hook ${hook.name}: ${no}` };
    round.says.push({ name: hook.name, text: no });
  }
  return round;
}

/** A message for the person only, not for the model. */
function messageIn({ name }: Hook, answer: HookAnswer): FactOf<"warning">[] {
  const message = "message" in answer ? answer.message : undefined;
  if (message === undefined) return [];
  return [{ type: "warning", code: "hook-says", text: `The hook ${name} says: ${cutContext(message)}` }];
}

function inputOf(
  answer: HookAnswer,
  asked: HookQuestion,
  about: { workspace: string; path: string | undefined },
): JsonObject | undefined {
  if (answer.type !== "fine" || !answer.input || asked.event !== "before-call") return undefined;
  return withOwnInput(answer.input, asked.call, about);
}

/** The reason for refusal: a veto, or a failure that `onFailure` counts as one. */
function whyNot({ onFailure }: Hook, answer: HookAnswer): string | undefined {
  if (answer.type === "fine") return undefined;
  if (answer.type === "no") return withoutStop(answer.because);
  return onFailure === "block"
    ? `it failed, which counts as a no (${withoutStop(answer.because)})`
    : undefined;
}

/** The sentence continues after it. */
const withoutStop = (words: string): string => words.trim().replace(/\.$/u, "");

const refusable: ReadonlySet<HookQuestion["event"]> = new Set([
  "prompt",
  "before-call",
  "before-change",
  "turn-end",
]);
const canRefuse = ({ event }: HookQuestion): boolean => refusable.has(event);

function factOf(
  { hook, answer, ms }: { hook: Hook; answer: HookAnswer; ms: number },
  asked: HookQuestion,
  input: JsonObject | undefined,
): FactOf<"hook-ran"> {
  const callId = "call" in asked ? asked.call.callId : "change" in asked ? asked.change.callId : undefined;
  const asks = answer.type === "fine" ? answer.asks : undefined;
  const because = answer.type === "fine" ? asks : answer.because;
  return {
    type: "hook-ran",
    event: asked.event,
    hook: hook.name,
    outcome: asks === undefined ? outcomeOf(hook, answer, asked) : "asked",
    ms,
    callId,
    ...(because === undefined ? {} : { because }),
    input,
  };
}

function outcomeOf(
  { onFailure }: Hook,
  { type }: HookAnswer,
  asked: HookQuestion,
): FactOf<"hook-ran">["outcome"] {
  switch (type) {
    case "fine":
      return "ok";
    case "no":
      return "vetoed";
    case "failed":
    case "timeout":
      return onFailure === "block" && canRefuse(asked) ? "blocked" : type;
    default:
      return type satisfies never;
  }
}

function cutContext(text: string): string {
  const most = hookBounds.context.most;
  if (text.length <= most) return text;
  return `${text.slice(0, most).toWellFormed()}\n[${text.length - most} more characters are left out]`;
}

/** Marks hook output, so that it cannot pass for a person's words. */
export const wordsFor = ({ name, text }: { name: string; text: string }): string =>
  `[The hook ${JSON.stringify(name)} says this, not the user:]\n${text}`;

export const contextFact = (said: { name: string; text: string }): Fact => ({
  type: "context-added",
  from: "hook",
  name: said.name,
  text: wordsFor(said),
});
