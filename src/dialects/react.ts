/** ReAct: `Action:` and `Action Input:` lines between thoughts. It looks like prose: only where taught. */

import { propertyNames, propertySchema, requiredNames } from "../base/json-schema.ts";
import { parseJson } from "../base/json.ts";
import type { Repair } from "../protocol/messages.ts";
import type { Dialect, Opener, CallVerdict, WrittenResult } from "./dialect.ts";
import { takeFenceInfo } from "./grammar/fence.ts";
import { cutOff, unreadable } from "./grammar/json-calls.ts";
import { toldText } from "./grammar/lesson.ts";
import { readNamedCall } from "./grammar/named-call.ts";
import { readPythonCalls } from "./grammar/python-call.ts";
import { valueFromText } from "./grammar/values.ts";
import { inSequence } from "./grammar/writing.ts";
import {
  type ReadCall,
  ahead,
  isNext,
  marksOf,
  takeMark,
  takeOneOf,
  takeSpace,
  takeUntil,
  type OfferedTools,
  type BlockReader,
  type StreamReading,
} from "./reading/reader.ts";

/** Each label, plain and in bold. */
const labelForms = (...labels: readonly string[]): string[] =>
  labels.flatMap((label) => [`${label}:`, `**${label}:**`, `**${label}**:`]);

/** The part of a label in which no other one stands: `**Action` of `**Action:**`. */
const stemOf = (label: string): string => /^\*\*\w+|^.*$/.exec(label)?.[0] ?? label;

const thoughts = labelForms("Thought");
const actions = labelForms("Action");
const inputs = labelForms("Action Input", "Action input", "Input");
const observations = labelForms("Observation");
const answers = labelForms("Final Answer", "Final answer");

/** Stop tokens of the models that may be taught this. */
const turns = ["<|im_end|>", "<|eot_id|>", "<|endoftext|>", "<|end|>"];
/** What ends a thought or an input of plain text, where a line begins. */
const labels = [...thoughts, ...actions, ...observations, ...answers];
const fence = "```";
const fenceMark = marksOf([fence]);
/** What ends an input of JSON outside of its strings. */
const endings = observations.map((one) => `\n${one}`);

const line = (mark: string): Opener => ({ mark, where: "line" });

export const react: Dialect = {
  name: "react",
  tier: "taught",
  openers: [
    ...[...thoughts, ...observations, ...answers].map(line),
    ...actions.map((mark) => ({ ...line(mark), begins })),
  ],
  turns,
  // JSON holds no raw line break, so this never stands in an input.
  stop: ["\nObservation:"],
  markers: ["\nThought:", "\nAction:", "\nAction Input:", "\nObservation:", "\nFinal Answer:"],
  lesson: {
    form: 'Thought: what is to be done next\nAction: tool_name\nAction Input: {"parameter": "value"}',
    rules: ["The action is the name of one tool, the input one JSON object on one line."],
    resultRules: [
      "After the input, stop. The result comes in the next message as Observation; never write one yourself.",
      "When you know the answer, write it after Final Answer:",
    ],
  },
  writeCalls: inSequence(({ name, input }) => `Action: ${name}\nAction Input: ${JSON.stringify(input)}`),
  writeResults,
  *read(reader, opener) {
    if (actions.includes(opener)) yield* readAction(reader);
    else if (thoughts.includes(opener)) yield* takeThought(reader);
    else if (observations.includes(opener)) yield* endAtObservation(reader);
    else yield* takeSpace(reader);
  },
};

function begins(text: string): CallVerdict {
  return text.trim() === "" ? "more" : "call";
}

function* takeThought(reader: BlockReader): StreamReading {
  yield* takeLines(reader, { labels, turns, each: (piece) => reader.think(piece) });
}

/** The server stops before an observation; otherwise the model went on and invented one (N9), or repeats the last. */
function* endAtObservation(reader: BlockReader): StreamReading {
  if (!reader.hasCalled) {
    yield* takeThought(reader);
    return;
  }
  if (!(yield* reader.isLast()))
    reader.notice("fabricated_result", "The model wrote an observation itself: what followed was not read.");
  reader.over();
}

const endOfName = marksOf(["\n", "{", ...inputs.filter((label) => !label.startsWith("*"))]);

function* readAction(reader: BlockReader): StreamReading {
  yield* takeSpace(reader);
  const { text, mark } = yield* takeUntil(reader, endOfName);
  const action = actionIn(text, reader.offered);
  if (!action) reader.asText();
  else if (mark === "{" || (yield* takeLabel(reader))) yield* readInput(reader, action.name);
  else yield* tellWithout(reader, action);
}

function* takeLabel(reader: BlockReader): StreamReading<boolean> {
  yield* takeSpace(reader);
  const label = yield* takeOneOf(reader, inputs);
  yield* takeMark(reader, "**");
  return label !== undefined;
}

function* readInput(reader: BlockReader, name: string): StreamReading {
  const space = yield* takeSpace(reader);
  reader.show(name);
  if (yield* takeMark(reader, fence)) yield* readFenced(reader, name);
  else if (yield* isNext(reader, "{")) {
    yield* readNamedCall(reader, { name, closers: [], endings });
    yield* takeMark(reader, ")");
  } else {
    const atLineStart = space.includes("\n");
    tellText(reader, name, yield* takeLines(reader, { labels, turns, atLineStart }));
  }
}

type Action = { name: string; input: string };

const longestAction = 2000;

/** The tool on an action line, however it is decorated: `roll`, [roll], the roll tool, roll[7]. */
function actionIn(written: string, offered: OfferedTools): Action | undefined {
  if (written.length > longestAction) return undefined;
  const text = written.trim().replace(/\s*\($/, "");
  const [, called = "", input = ""] = /^(\S+?)\s*[[(](.*)[\])]\W*$/.exec(text) ?? [];
  const [, spoken = ""] =
    /^(?:(?:use|call|run) )?(?:the )?(\S+)(?: (?:tool|function|action))?\W*$/i.exec(text) ?? [];
  const name = (offered.find(text) ?? offered.find(spoken))?.name;
  if (name !== undefined) return { name, input: "" };
  const tool = offered.find(called);
  return tool && { name: tool.name, input };
}

/** An action without input: for tools that need none, or the input was next to the name. */
function* tellWithout(reader: BlockReader, { name, input }: Action): StreamReading {
  const rest = yield* ahead(reader, 24);
  if (reader.isCut && inputs.some((label) => label.startsWith(rest))) {
    reader.input.takeAll();
    reader.tell({ ...cutOff(reader.raw()), name });
  } else reader.tell(callWithText({ name, text: input.trim(), raw: reader.raw() }, reader.offered));
}

function* readFenced(reader: BlockReader, name: string): StreamReading {
  yield* takeFenceInfo(reader);
  if (yield* isNext(reader, "{")) {
    yield* readNamedCall(reader, { name, closers: [fence] });
  } else {
    const { text, mark } = yield* takeUntil(reader, fenceMark);
    if (mark === undefined) reader.tell({ ...cutOff(reader.raw()), name });
    else tellText(reader, name, text);
    yield* takeMark(reader, fence);
  }
}

function tellText(reader: BlockReader, name: string, text: string): void {
  const { input, offered, isCut } = reader;
  const raw = reader.raw();
  const mayGoOn = isCut && input.unread === 0;
  reader.tell(mayGoOn ? { ...cutOff(raw), name } : callWithText({ name, text: text.trim(), raw }, offered));
}

function writeResults(results: readonly WrittenResult[]): string {
  const fromOf = (name: string): string => (results.length === 1 ? "" : ` (${name})`);
  return results.map((one) => `Observation${fromOf(one.name)}: ${toldText(one)}`).join("\n");
}

type LabelEnds = {
  /** Labels, which count only at the beginning of a line. */
  readonly labels: readonly string[];
  /** Marks that count anywhere. */
  readonly turns: readonly string[];
  /** The current position is at the beginning of a line. */
  readonly atLineStart?: boolean;
  readonly each?: (piece: string) => void;
};

/** Consumes text up to the next label or other end mark, which stays unread. */
function* takeLines(reader: Pick<BlockReader, "input">, ends: LabelEnds): StreamReading<string> {
  const { labels, turns, each = () => undefined } = ends;
  const marks = marksOf([...new Set(labels.map(stemOf)), ...turns]);
  const pieces: string[] = [];
  let atLineStart = ends.atLineStart ?? false;
  const put = (piece: string): void => {
    const end = piece.lastIndexOf("\n");
    atLineStart = (end >= 0 || atLineStart) && piece.slice(end + 1).trim() === "";
    pieces.push(piece);
    each(piece);
  };
  for (;;) {
    const { mark } = yield* takeUntil(reader, marks, put);
    if (mark === undefined || turns.includes(mark)) return pieces.join("");
    for (const label of labels) if (atLineStart && (yield* isNext(reader, label))) return pieces.join("");
    put(reader.input.take(mark.length));
  }
}

/** `raw` is the call as written. */
type TextInput = { readonly name: string; readonly text: string; readonly raw: string };

/** Handles plain text in place of JSON arguments: it becomes the value of the only parameter it can be meant for. */
function callWithText({ name, text, raw }: TextInput, offered: OfferedTools): ReadCall {
  if (/^(?:none|null|n\/a|no input|-)?\.?$/i.test(text)) return { name, input: {} };
  const schema = offered.find(name)?.schema ?? {};
  const names = propertyNames(schema, schema);
  const named = namedInput({ name, text, raw }, names, offered);
  if (named) return named;
  const required = requiredNames(schema, schema);
  const only = required.length === 1 ? required[0] : names.length === 1 ? names[0] : undefined;
  if (only === undefined) {
    const keys = names.length > 0 ? `with the keys ${names.join(", ")}` : "without keys";
    const problem = `Its input must be one JSON object ${keys}. Nothing was run. Send it again that way.`;
    return { ...unreadable(raw, problem), name };
  }
  const quoted = text.startsWith('"') ? parseJson(text) : undefined;
  const value = quoted?.ok ? quoted.value : valueFromText(text, propertySchema(schema, only, schema), schema);
  const detail = `The plain text of the input was read as ${only}.`;
  // After a line break the input may already be over.
  const note: Repair = { code: "plain-input", detail, ...(text.includes("\n") ? { guess: true } : {}) };
  return { name, input: { [only]: value }, rawArguments: raw, repairs: [note] };
}

/** `path="a.md", line=5`: the arguments of a call without its name and brackets. */
function namedInput(
  { name, text, raw }: TextInput,
  names: readonly string[],
  offered: OfferedTools,
): ReadCall | undefined {
  const key = /^([\w-]{1,80})\s*=(?!=)/.exec(text)?.[1];
  if (key === undefined || !names.includes(key)) return undefined;
  const read = readPythonCalls(`${name}(${text})`, { offered, closed: true });
  const call = read.ok && read.calls.length === 1 ? read.calls[0] : undefined;
  if (!call) return { ...unreadable(raw, unclear), name };
  const note: Repair = { code: "plain-input", detail: "The input was read as name=value." };
  return { ...call, rawArguments: raw, repairs: [...(call.repairs ?? []), note] };
}

const unclear =
  "Its input is neither a JSON object nor name=value. Nothing was run. Send it again as one JSON object.";
