/** Makes a model without native tools appear to have them: teaches a dialect and parses its calls. */

import { lastMade } from "../base/last-made.ts";
import { withoutUndefined } from "../base/without-undefined.ts";
import type { OfferedCalls, TextConstraint } from "../dialects/constraint/constraint.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { extract } from "../dialects/extract.ts";
import { teach } from "../dialects/grammar/lesson.ts";
import { allDialects } from "../dialects/index.ts";
import { defuse } from "../dialects/markers.ts";
import type {
  AssistantPart,
  Constraint,
  ToolCall,
  Message,
  ContentPart,
  ToolChoice,
} from "../protocol/messages.ts";
import { heldModel, type ConstraintRefused } from "./held-model.ts";
import type { Model, Prompt } from "./provider.ts";
import { wrapModel } from "./wrapped-model.ts";

/** `held`: how the server holds the model to the dialect. `newId` is for tests. */
type TaughtOptions = {
  held?: TextConstraint | undefined;
  refused?: ConstraintRefused | undefined;
  newId?: () => string;
};

/**
 * The same model with a dialect in place of native tools: it is taught the dialect, and its calls are parsed.
 * @experimental
 */
export function taughtModel(model: Model, dialect: Dialect, options: TaughtOptions = {}): Model {
  const dialects = allDialects.includes(dialect) ? allDialects : [dialect, ...allDialects];
  const { held, refused, newId } = options;
  const asked = held === undefined ? model : heldModel(model, refused);
  const constraintFor = held === undefined ? undefined : constraintsOf(dialect, held);
  const lesson = `This model has no native tools here: it is taught to write its calls as text (${dialect.name}).`;
  return wrapModel(model, {
    suits: { completion: "writes", ...(dialect.rounds === undefined ? {} : { maxRounds: dialect.rounds }) },
    get notice() {
      return model.notice === undefined ? lesson : `${model.notice} ${lesson}`;
    },
    async *ask(prompt, signal, sent) {
      const offered = prompt.toolChoice === "none" ? [] : prompt.tools;
      const text = asText(prompt, dialect);
      const { tools, toolChoice, oneCall } = prompt;
      const asksCalls = withoutUndefined({ tools, toolChoice, oneCall });
      const constraint = offered.length > 0 ? await constraintFor?.(asksCalls) : undefined;
      const answer = asked.ask(constraint ? { ...text, constraint } : text, signal, sent);
      const how = { tools: offered, dialects, known: dialect, shown: prompt.messages, newId };
      // A loop instead of `yield*`, which costs three extra turns of the event loop per event.
      for await (const event of extract(answer, how)) yield event;
    },
  });
}

/** Making one takes milliseconds, and the tools on offer are mostly those of the request before. */
const constraintsOf = (dialect: Dialect, held: TextConstraint) =>
  lastMade(async (asked: OfferedCalls): Promise<Constraint | undefined> => {
    const { constraintOf } = await import("../dialects/constraint/constraint.ts");
    return constraintOf(dialect, held, asked);
  });

/** The same prompt for a text-only model: calls and results written in the dialect, no tools. */
export function asText(prompt: Prompt, dialect: Dialect): Prompt {
  const { toolChoice, tools, format, ...rest } = prompt;
  const teaches = tools.length > 0 && toolChoice !== "none";
  // An answer that may be a call has another form.
  const formed = format === undefined || teaches ? {} : { format };
  const lesson = teaches ? [teach(dialect, tools), ...insist(toolChoice)] : [];
  const { system, place = "" } = prompt;
  const end = system.endsWith(place) ? place : "";
  const stem = end === "" ? system : system.slice(0, -end.length).trimEnd();
  return {
    ...rest,
    ...formed,
    system: [stem, ...lesson, end].filter((text) => text !== "").join("\n\n"),
    messages: mergeUsers(
      prompt.messages.flatMap((message, index, all) => rewrite(message, index, { all, dialect })),
    ),
    tools: [],
    ...(teaches ? { stop: [...(prompt.stop ?? []), ...dialect.stop] } : {}),
  };
}

function insist(choice: ToolChoice | undefined): string[] {
  if (choice === "required") return ["Your next answer must contain at least one call."];
  return typeof choice === "object" ? [`Your next answer must be a call of ${choice.name}.`] : [];
}

type TaughtHistory = { all: readonly Message[]; dialect: Dialect };

function rewrite(message: Message, index: number, { all, dialect }: TaughtHistory): Message[] {
  if (message.role === "user") return [message];
  if (message.role === "assistant") return writeAnswer(message.content, dialect);
  if (all[index - 1]?.role === "tool") return [];
  const results: (Message & { role: "tool" })[] = [];
  for (let at = index; at < all.length; at += 1) {
    const next = all[at];
    if (next?.role !== "tool") break;
    results.push(next);
  }
  return [writeResults(results, dialect)];
}

/** The model's answer as text, with its calls in place. A thought stays a thought, without foreign state. */
function writeAnswer(content: readonly AssistantPart[], dialect: Dialect): Message[] {
  const thoughts = content.filter((part) => part.type === "reasoning");
  const text = dialect.writeAnswer ? asWhole(content, dialect.writeAnswer) : inPieces(content, dialect);
  return text === "" ? [] : [{ role: "assistant", content: [...thoughts, { type: "text", text }] }];
}

function asWhole(
  content: readonly AssistantPart[],
  writeAnswer: NonNullable<Dialect["writeAnswer"]>,
): string {
  const isOnlyThought = content.every(({ type }) => type === "reasoning");
  const unread = content.find((part) => part.type === "call" && isText(part.call));
  if (isOnlyThought || unread) return unread?.type === "call" ? (unread.call.rawArguments ?? "") : "";
  const said = content.flatMap((part) => (part.type === "text" ? [part.text.trim()] : []));
  const calls = content.flatMap((part) => (part.type === "call" ? [part.call] : []));
  return writeAnswer(said.join("\n"), calls);
}

function inPieces(content: readonly AssistantPart[], dialect: Dialect): string {
  const pieces: string[] = [];
  let calls: ToolCall[] = [];
  const writeAll = (): void => {
    if (calls.length > 0) pieces.push(dialect.writeCalls(calls));
    calls = [];
  };
  for (const part of content) {
    if (part.type === "call" && !isText(part.call)) calls.push(part.call);
    else if (part.type !== "reasoning") {
      writeAll();
      pieces.push(part.type === "text" ? part.text.trim() : (part.call.rawArguments ?? "").trim());
    }
  }
  writeAll();
  return pieces.filter((piece) => piece !== "").join("\n");
}

/** Calls that could not be read are shown as the model wrote them, so that it recognises its mistake. */
const isText = ({ problem, source, rawArguments }: ToolCall): boolean =>
  problem !== undefined && source !== "native" && rawArguments !== undefined;

/** A17: the results of one answer form one message. Pictures follow the text. */
function writeResults(results: readonly (Message & { role: "tool" })[], dialect: Dialect): Message {
  const harmless = results.map(({ callId, name, content, isError }) => ({
    id: callId,
    name,
    isError,
    content: content.map((part) =>
      part.type === "text" ? { ...part, text: defuse(part.text, dialect) } : part,
    ),
  }));
  const images = results.flatMap(({ content }) => content.filter((part) => part.type === "image"));
  return { role: "user", content: [{ type: "text", text: dialect.writeResults(harmless) }, ...images] };
}

/** Such models are trained on strictly alternating turns. */
function mergeUsers(messages: readonly Message[]): Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (message.role === "user" && last?.role === "user")
      merged[merged.length - 1] = { role: "user", content: joinParts(last.content, message.content) };
    else merged.push(message);
  }
  return merged;
}

function joinParts(before: readonly ContentPart[], after: readonly ContentPart[]): ContentPart[] {
  const [last, first] = [before.at(-1), after[0]];
  if (last?.type !== "text" || first?.type !== "text") return [...before, ...after];
  return [...before.slice(0, -1), { type: "text", text: `${last.text}\n\n${first.text}` }, ...after.slice(1)];
}
