/**
 * `inspect calls`: explains how one answer (text or a provider's bytes) is understood: its calls, its text, and why.
 */

import { type Expected, refuse } from "../../base/expected.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import { extract, type ExtractOptions } from "../../dialects/extract.ts";
import { allDialects, dialects } from "../../dialects/index.ts";
import { summary } from "../../dialects/read-text.ts";
import type { ToolCall, Repair, ToolDescription } from "../../protocol/messages.ts";
import { ModelError, type EndReason, type ModelEvent } from "../../protocol/model-events.ts";
import { checkCall, type CheckedCall } from "../../tools/arguments/check-call.ts";
import { tools } from "../../tools/index.ts";
import { oneByOne } from "../../wires/frames.ts";
import { wireCalled, wires } from "../../wires/index.ts";

export type InspectedTool = {
  name: string;
  schema: JsonObject;
  aliases?: { params?: Readonly<Record<string, readonly string[]>> };
};

/** An answer as text, or as the network chunks of a reply. */
export type AnswerCase = {
  id: string;
  tools: readonly InspectedTool[];
  said: { text: string; finish: EndReason } | { wire: string; pieces: readonly Uint8Array[] };
  /** The dialect that the model was taught; absent: all are recognised. */
  taught?: string | undefined;
  /** The end of the prompt that the model continued. */
  prefix?: string | undefined;
};

export type CallReport = {
  id: string;
  text: string;
  reasoning: string;
  calls: { id: string; name: string; arguments: JsonObject }[];
  /** Codes: `CallFault`, `StreamFault`, and the error that ended reading. */
  errors: string[];
  repairs: Repair[];
};

/** The report, plus the decisions made on the way, for people, in the order of the text. */
export type Inspection = { report: CallReport; decisions: string[] };

/** `chunk`: characters per chunk (for a wire's reply: bytes); absent: as received. */
export async function inspectCalls(answer: AnswerCase, chunk?: number): Promise<Inspection> {
  const found: InspectedAnswer = { events: [], failure: undefined, decisions: [] };
  const offered = answer.tools.map(describe);
  const options: ExtractOptions = {
    tools: offered,
    dialects: allDialects,
    known: answer.taught === undefined ? undefined : dialects[answer.taught],
    isNative: "wire" in answer.said,
    prefix: answer.prefix,
    newId: counter(),
    trace({ at, mark, why }) {
      const words = `at ${at}: ${JSON.stringify(mark)} ${why}`;
      if (words !== found.decisions.at(-1)) found.decisions.push(words);
    },
  };
  try {
    for await (const event of extract(eventsOf(answer, chunk), options)) found.events.push(event);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    found.failure = error;
  }
  return judge(answer, offered, found);
}

type InspectedAnswer = { events: ModelEvent[]; failure: ModelError | undefined; decisions: string[] };

const describe = ({ name, schema, aliases }: InspectedTool): ToolDescription => ({
  name,
  description: "",
  schema,
  aliases: aliases?.params,
});

function counter(): () => string {
  let count = 0;
  return () => `call_${(count += 1)}`;
}

function eventsOf({ said }: AnswerCase, chunk: number | undefined): AsyncIterable<ModelEvent> {
  if ("text" in said) return textEvents(said.text, said.finish, chunk ?? said.text.length);
  const wire = wireCalled(said.wire);
  if (!wire) throw new Error(`There is no wire ${JSON.stringify(said.wire)}.`);
  return oneByOne(
    wire.decodeBatches(chunk === undefined ? each(said.pieces) : byteSlices(said.pieces, chunk)),
  );
}

async function* textEvents(text: string, reason: EndReason, size: number): AsyncGenerator<ModelEvent> {
  yield { type: "answer-start", model: "" };
  for (let at = 0; at < text.length; at += Math.max(1, size))
    yield { type: "text-delta", text: text.slice(at, at + Math.max(1, size)) };
  yield { type: "answer-end", reason };
}

async function* each(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

async function* byteSlices(pieces: readonly Uint8Array[], size: number): AsyncGenerator<Uint8Array> {
  const whole = Buffer.concat(pieces);
  for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size);
}

/** No call of a failed answer runs (N12). */
function judge(answer: AnswerCase, offered: readonly ToolDescription[], found: InspectedAnswer): Inspection {
  const { failure, decisions, events } = found;
  const { text, reasoning, calls: read } = summary(events);
  const notices = events.filter((event) => event.type === "notice");
  const report: CallReport = { id: answer.id, text, reasoning, calls: [], errors: [], repairs: [] };
  report.errors.push(...notices.map(({ code }) => code).filter((code) => asErrors.has(code)));
  for (const call of failure ? [] : read) {
    const checked = checkCall(call, { tools: offered });
    if (checked.ok) {
      const { id, name, input, repairs = [] } = checked.call;
      report.calls.push({ id, name, arguments: input });
      report.repairs.push(...repairs);
    } else if (checked.fault !== "too_many_calls") report.errors.push(checked.fault);
    decisions.push(decisionOn(call, checked));
  }
  decisions.push(...notices.map(({ detail }) => detail));
  if (failure) {
    report.errors.push(codeOf(failure));
    decisions.push(`The answer failed, so none of it runs: ${failure.message}`);
  }
  return { report: { ...report, errors: [...new Set(report.errors)] }, decisions };
}

const codeOf = ({ fault, kind }: ModelError): string => fault ?? kind;

/** Notices that programs need to see; the others are for people. */
const asErrors = new Set(["fabricated_result", "duplicate_id"]);

function decisionOn({ name, id, source }: ToolCall, checked: CheckedCall): string {
  const who = `${name} (${id}, ${source === "native" ? "native" : `read as ${source}`})`;
  if (!checked.ok) return `${who} does not run, ${checked.fault}: ${checked.problem.split("\n")[0] ?? ""}`;
  const { repairs = [] } = checked.call;
  if (repairs.length === 0) return `${who} is a call, with nothing to repair`;
  const mended = repairs.map(({ detail, guess }) => (guess ? `${detail} (a guess)` : detail));
  return `${who} is a call, repaired: ${mended.join("; ")}`;
}

export const isWire = (name: string): boolean => wireCalled(name) !== undefined;

export const wireNames: readonly string[] = Object.keys(wires);

/** Reads one line of a case file; `tools` is the default if it lists none. The problem says what is wrong. */
export function readCase(value: Json, tools: readonly InspectedTool[] = []): Expected<AnswerCase> {
  const read = caseFields(value, tools);
  return typeof read === "string" ? refuse(read) : { ok: true, value: read };
}

function caseFields(value: Json, tools: readonly InspectedTool[]): AnswerCase | string {
  if (!isRecord(value)) return "it is not a JSON object";
  const { id, mode = "auto", prefix, finish = "stop" } = value;
  const offered = value["tools"] === undefined ? tools : readTools(value["tools"]);
  if (typeof offered === "string") return offered;
  if (typeof mode !== "string" || !/^auto$|^taught:/.test(mode)) return '"mode" must be auto or taught:NAME';
  const taught = mode === "auto" ? undefined : mode.slice("taught:".length);
  if (taught !== undefined && !dialects[taught]) return `there is no dialect ${JSON.stringify(taught)}`;
  if (prefix !== undefined && typeof prefix !== "string") return '"prefix" must be a text';
  if (finish !== "stop" && finish !== "length") return '"finish" must be stop or length';
  const said = readSaid(value, finish);
  if (typeof said === "string") return said;
  return { id: typeof id === "string" ? id : "", tools: offered, said, taught, prefix };
}

function readSaid(value: JsonObject, finish: EndReason): AnswerCase["said"] | string {
  const { text, wire, chunks, chunks_b64: encoded } = value;
  if (typeof text === "string") return { text, finish };
  if (typeof wire !== "string") return 'there is neither "text" nor "wire"';
  if (!wireCalled(wire))
    return `there is no wire ${JSON.stringify(wire)}: those there are: ${wireNames.join(", ")}`;
  const list = chunks ?? encoded;
  if (!Array.isArray(list) || !list.every((one) => typeof one === "string"))
    return '"chunks" or "chunks_b64" must be a list of texts';
  return { wire, pieces: list.map((one) => Buffer.from(one, chunks === undefined ? "base64" : "utf8")) };
}

/** The built-in tools of a session. */
export const ownTools = (): InspectedTool[] =>
  tools.map(({ name, schema, argumentAliases = {} }) => ({
    name,
    schema,
    aliases: { params: argumentAliases },
  }));

/** Accepts a list of `{name, schema, aliases?}`, or the formats of providers. */
export function readTools(value: Json): InspectedTool[] | string {
  if (!Array.isArray(value)) return '"tools" must be a list';
  const read: InspectedTool[] = [];
  for (const entry of value) {
    const one = isRecord(entry) && isRecord(entry["function"]) ? entry["function"] : entry;
    if (!isRecord(one) || typeof one["name"] !== "string") return "each tool needs a name";
    const schema = one["schema"] ?? one["parameters"] ?? one["input_schema"] ?? {};
    if (!isRecord(schema)) return `the schema of ${one["name"]} must be an object`;
    const params = isRecord(one["aliases"]) ? one["aliases"]["params"] : undefined;
    const aliases = isRecord(params) ? { aliases: { params: listsIn(params) } } : {};
    read.push({ name: one["name"], schema, ...aliases });
  }
  return read;
}

const listsIn = (value: JsonObject): Record<string, readonly string[]> =>
  Object.fromEntries(
    Object.entries(value).map(([key, names]) => [
      key,
      Array.isArray(names) ? names.filter((name) => typeof name === "string") : [],
    ]),
  );

const isRecord = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
