/**
 * One answer as a client gets it: words at once, calls only when they are complete and fit the client's own schemas.
 * Broken calls are mended; where they cannot be, the model is asked once more, and the client sees one answer.
 */
import { isDeepStrictEqual } from "node:util";
import { sendable } from "../../protocol/history.ts";
import type { Call, ToolDescription } from "../../protocol/messages.ts";
import { ModelError, type ModelEvent, type Usage } from "../../protocol/model-events.ts";
import { resolveToolName } from "../../protocol/tool-name.ts";
import type { Model, Prompt } from "../../providers/provider.ts";
import { checkCall } from "../../tools/check-call.ts";
import { noteRepairs, sumOf, type Account } from "./account.ts";
import { type Heard, type HeardCall, newHeard, noteCall, noteWords } from "./heard.ts";
import { withSafeNames, type SafeNames } from "./safe-names.ts";

export type AnswerRoom = {
  /** The model's name for the client. */
  name: string;
  signal: AbortSignal;
  /** Is filled while the answer goes on. */
  account: Account;
  /** The usage as the client is to read it; as it is, unless told. */
  reckon?: ((usage: Usage) => Usage) | undefined;
};

/** Throws ModelError where the model fails, or the signal's reason. */
export async function* answered(model: Model, asked: Prompt, room: AnswerRoom): AsyncGenerator<ModelEvent> {
  const { prompt, names } = withSafeNames({ ...asked, messages: sendable(asked.messages) });
  const { signal, account } = room;
  const stage: Stage = { ...room, names, offered: offeredIn(prompt), released: [] };
  const first = newHeard();
  try {
    for await (const event of model.ask(prompt, signal))
      for (const out of take(event, first, stage)) yield out;
  } catch (error) {
    if (signal.aborted || stage.offered.length === 0 || !isUnreadByServer(error)) throw error;
    first.unread = error.message;
  }
  let last = first;
  const more = moreToAsk(prompt, first, stage);
  if (more) {
    account.askedAgain = true;
    const second = newHeard();
    try {
      for await (const event of model.ask(more, signal))
        for (const out of take(event, second, stage)) yield out;
      last = second;
    } catch (error) {
      // What the client has of the first answer stands. Its broken calls are told as if nobody had asked again.
      if (signal.aborted || !(error instanceof ModelError) || !first.end) throw error;
    }
  }
  for (const out of ending(last, stage)) yield out;
}

type Stage = AnswerRoom & {
  names: SafeNames;
  /** What may be called in this answer. */
  offered: readonly ToolDescription[];
  released: Call[];
  /** The asking whose words went out last. */
  spoke?: Heard;
};

function offeredIn({ tools, toolChoice }: Prompt): readonly ToolDescription[] {
  if (toolChoice === "none") return [];
  return typeof toolChoice === "object" ? tools.filter(({ name }) => name === toolChoice.name) : tools;
}

/** What goes out at once because of an event. */
function take(event: ModelEvent, heard: Heard, stage: Stage): ModelEvent[] {
  switch (event.type) {
    case "text-delta":
      return said(event.text, heard, stage);
    case "reasoning-delta":
    case "reasoning-end":
    case "text-was-reasoning":
      noteWords(heard, event);
      return [event];
    case "answer-start":
      return stage.account.askedAgain ? [] : [{ type: "answer-start", model: stage.name }];
    case "call-end":
      return takeCall(event.call, heard, stage);
    case "usage":
      stage.account.usage = sumOf(stage.account.usage, event.usage);
      return [];
    case "answer-end":
      heard.end = { reason: event.reason, ...(event.state ? { state: event.state } : {}) };
      return [];
    case "call-start":
    case "call-delta":
    case "withheld":
    case "notice":
    case "retrying":
      return [];
    default:
      return event satisfies never;
  }
}

function takeCall(call: Call, heard: Heard, stage: Stage): ModelEvent[] {
  // To a client that offered nothing a call is no more than what the model wrote.
  if (stage.offered.length === 0) return said(writtenCall(call), heard, stage);
  // Clients fill in their own defaults.
  const checked = checkCall(call, { tools: stage.offered, defaults: "needed" });
  if (!checked.ok && !checked.unchecked) {
    noteCall(heard, call, checked.problem);
    return [];
  }
  const fit = checked.ok ? checked.call : call;
  noteCall(heard, fit);
  const isRepeated = stage.account.askedAgain && stage.released.some((one) => isSame(one, fit));
  if (isRepeated) return [];
  noteRepairs(stage.account, fit.repairs);
  return release(fit, stage);
}

const isSame = (one: Call, other: Call): boolean =>
  one.name === other.name && isDeepStrictEqual(one.input, other.input);

/** The call as it goes out: whole, as one piece of JSON. */
function release(call: Call, { account, names, released }: Stage): ModelEvent[] {
  released.push(call);
  account.calls += 1;
  const { id, input, state } = call;
  const name = names.original(call.name);
  return [
    { type: "call-start", id, name },
    { type: "call-delta", id, json: JSON.stringify(input) },
    { type: "call-end", call: { id, name, input, source: "native", ...(state ? { state } : {}) } },
  ];
}

/** The first words of a second answer are no part of the last ones of the first. */
function said(text: string, heard: Heard, stage: Stage): ModelEvent[] {
  const event: ModelEvent = { type: "text-delta", text };
  noteWords(heard, event);
  const isApart = stage.spoke !== heard && stage.spoke !== undefined;
  stage.spoke = heard;
  return isApart ? [{ type: "text-delta", text: `\n\n${text}` }] : [event];
}

const writtenCall = ({ name, input, rawArguments }: Call): string =>
  rawArguments ?? JSON.stringify({ name, arguments: input });

/** The failure of a server that could not read what its own model wrote is a broken call as well. */
const isUnreadByServer = (error: unknown): error is ModelError =>
  error instanceof ModelError &&
  (error.fault === "malformed_by_provider" || error.fault === "empty_tool_use");

/** The next prompt, where the answer has calls that could not be mended, or lacks one that was asked for. */
function moreToAsk(prompt: Prompt, heard: Heard, { offered }: Stage): Prompt | undefined {
  if (offered.length === 0) return undefined;
  if (heard.unread !== undefined) return withAnswer(prompt, heard, [`ERROR: ${heard.unread}`]);
  // What was cut off at its length would be again.
  if (heard.end?.reason !== "stop" && heard.end?.reason !== "tool-calls") return undefined;
  if (heard.calls.some(({ problem }) => problem !== undefined)) return withAnswer(prompt, heard, []);
  const { toolChoice } = prompt;
  const lacks = heard.calls.length === 0 && (toolChoice === "required" || typeof toolChoice === "object");
  const which =
    typeof toolChoice === "object" ? `a call of ${toolChoice.name}` : "at least one call of a tool";
  return lacks
    ? withAnswer(prompt, heard, [`ERROR: Your answer must contain ${which}. Write it now.`])
    : undefined;
}

/** Each call has its result: what is wrong with it, or that it is in good hands. */
function withAnswer(prompt: Prompt, heard: Heard, says: readonly string[]): Prompt {
  const state = heard.end?.state;
  const messages: Prompt["messages"] = [
    ...prompt.messages,
    ...(heard.parts.length > 0
      ? [{ role: "assistant" as const, content: heard.parts, ...(state ? { state } : {}) }]
      : []),
    ...heard.calls.map(resultOf),
    ...says.map((text) => ({ role: "user" as const, content: [{ type: "text" as const, text }] })),
  ];
  return { ...prompt, messages: sendable(messages) };
}

const resultOf = ({ call, problem }: HeardCall): Prompt["messages"][number] => ({
  role: "tool",
  callId: call.id,
  name: call.name,
  content: [{ type: "text", text: problem ?? inGoodHands }],
  isError: problem !== undefined,
});

const inGoodHands =
  "This call was accepted and is being carried out; its result comes later. Do not repeat it. Send only the calls that failed, corrected.";

/** What is left when nobody is asked any more, the usage, and the one end of it all. */
function* ending(last: Heard, stage: Stage): Generator<ModelEvent> {
  const { account, reckon = (usage) => usage } = stage;
  for (const { call, problem } of last.calls)
    if (problem !== undefined) yield* leftOver(call, problem, { heard: last, stage });
  if (!last.end) return;
  if (account.usage) yield { type: "usage", usage: reckon(account.usage) };
  const { reason, state } = last.end;
  const isWhole = reason === "stop" || reason === "tool-calls";
  const told = isWhole ? (account.calls > 0 ? "tool-calls" : "stop") : reason;
  yield { type: "answer-end", reason: told, ...(state ? { state } : {}) };
}

/**
 * A call that is broken for good. Arguments that are JSON go out as they are: clients check them too, and tell the
 * model in their own words, so that the work goes on. Of anything else only words can be told.
 */
function leftOver(
  call: Call,
  problem: string,
  { heard, stage }: { heard: Heard; stage: Stage },
): ModelEvent[] {
  if (call.fault === "truncated" && heard.end?.reason === "length") return [];
  const name = resolveToolName(
    call.name,
    stage.offered.map((tool) => tool.name),
  );
  if (call.problem === undefined && name !== undefined) {
    stage.account.unmended += 1;
    return release({ ...call, name }, stage);
  }
  stage.account.lost += 1;
  const [why = ""] = problem.replace(/^ERROR: /, "").split("\n");
  const before = stage.spoke ? "\n\n" : "";
  return [{ type: "text-delta", text: `${before}[A call of a tool could not be used. ${why}]` }];
}
