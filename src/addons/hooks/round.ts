/** The hooks of one event, one after the other: what they have said together, and a fact for each. */

import type { Guarded } from "../../agent/extensions.ts";
import { bounds } from "../../base/bounds.ts";
import type { JsonObject } from "../../base/json.ts";
import type { Fact, FactOf } from "../../protocol/facts.ts";
import type { Answer } from "./answer.ts";
import { type Asked, type Place, toldTo, variablesOf, withOwnInput } from "./asked.ts";
import type { Hook } from "./hook.ts";
import { runHook, type RunRoom } from "./run.ts";

/** `contexts`: what the model is to be told, by whom. `says`: a no where nothing can be refused any more. */
export type Round = Guarded & {
  input?: JsonObject;
  contexts: { name: string; text: string }[];
  says: { name: string; text: string }[];
};

type RoundRoom = RunRoom & { place: Place };

/** A hook, how it calls the tool that this is about, and for which of the files that the call is about it is asked. */
export type Called = { hook: Hook; calls?: string | undefined; path?: string | undefined };

/** Until the first no. Each sees the arguments as the one before has left them. */
export async function askHooks(hooks: readonly Called[], first: Asked, room: RoundRoom): Promise<Round> {
  const round: Round = { facts: [], contexts: [], says: [] };
  let asked = first;
  for (const { hook, calls, path } of hooks) {
    const startedAt = performance.now();
    const ask = {
      event: asked.event,
      told: toldTo(hook, { asked, place: room.place, calls, path }),
      variables: variablesOf(hook, asked, room.place),
    };
    const answer = await runHook(hook, ask, room);
    const ms = Math.round(performance.now() - startedAt);
    const input = inputOf(answer, asked, { workspace: room.place.workspace, path });
    round.facts.push(factOf({ hook, answer, ms }, asked, input), ...messageIn(hook, answer));
    if (answer.type === "fine" && answer.context !== undefined)
      round.contexts.push({ name: hook.name, text: cut(answer.context) });
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

/** For the person alone. */
function messageIn({ name }: Hook, answer: Answer): FactOf<"warning">[] {
  const message = "message" in answer ? answer.message : undefined;
  if (message === undefined) return [];
  return [{ type: "warning", code: "hook-says", text: `The hook ${name} says: ${cut(message)}` }];
}

function inputOf(
  answer: Answer,
  asked: Asked,
  about: { workspace: string; path: string | undefined },
): JsonObject | undefined {
  if (answer.type !== "fine" || !answer.input || asked.event !== "before-call") return undefined;
  return withOwnInput(answer.input, asked.call, about);
}

/** Why it is refused: it was said, or could not be said and that counts as a no. */
function whyNot({ onFailure }: Hook, answer: Answer): string | undefined {
  if (answer.type === "fine") return undefined;
  if (answer.type === "no") return withoutStop(answer.because);
  return onFailure === "block"
    ? `it failed, which counts as a no (${withoutStop(answer.because)})`
    : undefined;
}

/** The sentence goes on behind it. */
const withoutStop = (words: string): string => words.trim().replace(/\.$/u, "");

const refusable: ReadonlySet<Asked["event"]> = new Set([
  "prompt",
  "before-call",
  "before-change",
  "turn-end",
]);
const canRefuse = ({ event }: Asked): boolean => refusable.has(event);

function factOf(
  { hook, answer, ms }: { hook: Hook; answer: Answer; ms: number },
  asked: Asked,
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
    ...(callId === undefined ? {} : { callId }),
    ...(because === undefined ? {} : { because }),
    ...(input ? { input } : {}),
  };
}

function outcomeOf({ onFailure }: Hook, { type }: Answer, asked: Asked): FactOf<"hook-ran">["outcome"] {
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

function cut(text: string): string {
  const most = bounds.hooks.context.most;
  if (text.length <= most) return text;
  return `${text.slice(0, most).toWellFormed()}\n[${text.length - most} more characters are left out]`;
}

/** Nothing that a hook says may look as if a person had said it. */
export const wordsFor = ({ name, text }: { name: string; text: string }): string =>
  `[The hook ${JSON.stringify(name)} says this, not the user:]\n${text}`;

export const contextFact = (said: { name: string; text: string }): Fact => ({
  type: "context-added",
  from: "hook",
  name: said.name,
  text: wordsFor(said),
});
