/** The format of the Hermes and Qwen families: one JSON object in `<tool_call>` tags (A17–A22, FORMATS 1.1). */
import { isJsonObject, parseJson, type Json, type JsonObject } from "../base/json.ts";
import type { Part, Repair, ToolDescription } from "../protocol/messages.ts";
import type { Dialect, DialectRead, ReadCall } from "./dialect.ts";
import { argumentKeys, nameKeys } from "./keys.ts";
import { addedClosers, guessedEnd, maxDepth, readLoose } from "./loose.ts";
import { jsonExtent } from "./scan.ts";

export const hermes: Dialect = {
  name: "hermes",
  opener: "<tool_call>",
  closer: "</tool_call>",
  // A raw line break cannot stand inside a JSON string, so file contents never trigger this.
  stop: ["\n<tool_response"],
  endings: ["<tool_response", "<|im_end|>", "<|im_start|>", "<|endoftext|>"],
  markers: ["<tool_call>", "</tool_call>", "<tool_response", "</tool_response", "<|im_start|>", "<|im_end|>"],
  teach,
  writeCall: ({ name, input }) => `<tool_call>\n${JSON.stringify({ name, arguments: input })}\n</tool_call>`,
  writeResults: (results) => results.map(writeResult).join("\n"),
  begins,
  readBody,
};

function teach(tools: readonly ToolDescription[]): string {
  const lines = tools.map(({ name, description, schema }) =>
    JSON.stringify({ name, description, parameters: schema }),
  );
  return `# Tools

You act by calling tools. To call one, write exactly this, with nothing between the tags but one JSON object:

<tool_call>
{"name": "tool_name", "arguments": {"parameter": "value"}}
</tool_call>

For example, with a tool read_file that takes a path:

<tool_call>
{"name": "read_file", "arguments": {"path": "src/main.ts"}}
</tool_call>

- The object must be valid JSON: inside strings write \\n for a line break and \\" for a quotation mark.
- Several calls: several <tool_call> blocks, one after the other. Do not put them in code fences.
- After your calls, stop. The results come in the next message as <tool_response>; never write one yourself.
- When nothing is left to do, answer in plain text without a call.

The tools, one per line, with their parameters as JSON Schema:

<tools>
${lines.join("\n")}
</tools>`;
}

function writeResult(result: { name: string; content: readonly Part[]; isError: boolean }): string {
  const text = result.content.map((part) => (part.type === "text" ? part.text : "[image]")).join("\n");
  const error = result.isError ? ' error="true"' : "";
  return `<tool_response name="${result.name}"${error}>\n${text}\n</tool_response>`;
}

/** A call begins with a JSON object or a list of them, maybe after a doubled opener or a fence. */
function begins(ahead: string): "call" | "text" | "more" {
  const rest = ahead.replace(/^(?:\s|<tool_call>|```\w*)+/, "");
  if ("<tool_call>".startsWith(rest) || "``".startsWith(rest)) return "more";
  const body = rest.replace(/^[[\s]+/, "");
  if (/^\{\s*(?:["'“”„‘’]|\\"|&quot;|[A-Za-z_]\w{0,40}\s*:)/.test(body)) return "call";
  return /^(?:\{\s*(?:\\|&[quot]{0,4}|(?:[A-Za-z_]\w{0,40}\s*)?))?$/.test(body) ? "more" : "text";
}

/** Reads every JSON object of a block, and of lists in it, as a call (several objects are several calls). */
function readBody(body: string, closed: boolean): DialectRead {
  const text = decoded(body);
  const calls: ReadCall[] = [];
  let end = 0;
  for (let at = nextValue(text, 0); at !== undefined; at = nextValue(text, end)) {
    const read = readValue(text, at, closed);
    calls.push(...read.calls);
    end = read.end;
  }
  if (calls.length === 0) return { ok: false, problem: "There is no JSON object with a name in the call." };
  const last = calls.at(-1);
  if (last && !closed) noteOn(last, { code: "closing-tag", detail: "The closing tag was missing." }, text);
  else if (last && /[^\s`<>}\])]/.test(text.slice(end)))
    noteOn(last, { code: "trailing-text", detail: "Text after the call was dropped." }, text);
  return { ok: true, calls, end: text === body ? end : body.length };
}

/** Undoes an encoding of the whole block, if its very first quotation mark shows one. */
function decoded(body: string): string {
  const first = /^[^"'“]*?(&quot;|\\"|["'“])/.exec(body)?.[1];
  if (first === "&quot;")
    return body
      .replaceAll("&quot;", '"')
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&");
  if (first !== '\\"') return body;
  const once = parseJson(`"${body.trim().replaceAll("\n", "\\n")}"`);
  return once.ok && typeof once.value === "string" ? once.value : body;
}

/** The next bracket that opens a value. Only separators and fences may stand before it; prose ends the reading. */
function nextValue(text: string, from: number): number | undefined {
  const gap = /(?:[\s,;}\]]|<tool_call>|```\w*)*/y;
  gap.lastIndex = from;
  gap.test(text);
  const mark = text[gap.lastIndex];
  return mark === "{" || mark === "[" ? gap.lastIndex : undefined;
}

function readValue(text: string, at: number, closed: boolean): { calls: ReadCall[]; end: number } {
  const extent = jsonExtent(text, at);
  const exact = text.slice(at, extent?.end ?? at);
  const strict = extent && extent.depth <= maxDepth ? parseJson(exact) : undefined;
  if (strict?.ok) return { calls: callsIn(strict.value, [], exact), end: at + exact.length };
  const loose = readLoose(text, at, closed);
  if (!loose.ok) {
    const problem = loose.cut
      ? truncated
      : `The call is not valid JSON: ${loose.problem}. Send it again as one JSON object.`;
    return { calls: [broken(text.slice(at), problem)], end: text.length };
  }
  const raw = text.slice(at, loose.end);
  const has = (wanted: string): boolean => loose.repairs.some(({ code }) => code === wanted);
  const unfinished = !closed && has(addedClosers);
  // A guessed string end next to a marker or to missing brackets: half of another call may be in the string.
  if (has(guessedEnd) && (unfinished || raw.includes("tool_call>")))
    return { calls: [broken(raw, truncated)], end: text.length };
  // Cut off before the arguments: to run without them would be another call.
  if (unfinished && !hasArguments(loose.value)) return { calls: [broken(raw, truncated)], end: text.length };
  return { calls: callsIn(loose.value, loose.repairs, raw), end: loose.end };
}

function hasArguments(value: Json): boolean {
  if (Array.isArray(value)) return value.every(hasArguments);
  if (!isJsonObject(value)) return false;
  return argumentKeys.some((key) => asArguments(value[key])) || hasArguments(value["function"] ?? null);
}

const truncated =
  "truncated: the call was cut off before its end, so it was not run. Send it again; if it is long, in smaller parts.";

function callsIn(value: Json, repairs: readonly Repair[], raw: string): ReadCall[] {
  if (Array.isArray(value)) return value.flatMap((item) => callsIn(item, repairs, JSON.stringify(item)));
  if (!isJsonObject(value)) return [broken(raw, "The call is not a JSON object with a name.")];
  const nameKey = nameKeys.find((key) => typeof value[key] === "string" && value[key] !== "");
  const name = nameKey === undefined ? undefined : value[nameKey];
  const inner = value["function"];
  if (nameKey === undefined && inner !== undefined && isJsonObject(inner))
    return callsIn(inner, repairs, raw);
  if (nameKey === undefined || typeof name !== "string")
    return [broken(raw, 'The call has no name. Write {"name": "…", "arguments": {…}}.')];
  const { input, notes } = argumentsOf(value, nameKey);
  const all = [...repairs, ...notes];
  return [all.length === 0 ? { name, input } : { name, input, rawArguments: raw, repairs: all }];
}

/** The arguments object (A20), or every other key when there is none. */
function argumentsOf(value: JsonObject, nameKey: string): { input: JsonObject; notes: Repair[] } {
  const rest = Object.entries(value).filter(([key]) => key !== nameKey && key !== "type" && key !== "id");
  for (const key of argumentKeys) {
    if (!Object.hasOwn(value, key)) continue;
    const found = asArguments(value[key]);
    if (!found) continue;
    const others = rest.map(([other]) => other).filter((other) => other !== key);
    const detail = `Keys beside the arguments were ignored: ${others.join(", ")}.`;
    return {
      input: found.input,
      notes: [...found.notes, ...(others.length > 0 ? [{ code: "ignored-keys", detail }] : [])],
    };
  }
  const flat = Object.entries(value).filter(
    ([key]) => key !== nameKey && !(key === "type" && value[key] === "function"),
  );
  const notes = flat.length > 0 ? [{ code: "flat", detail: "The arguments stood beside the name." }] : [];
  return { input: Object.fromEntries(flat), notes };
}

function asArguments(value: Json | undefined): { input: JsonObject; notes: Repair[] } | undefined {
  if (value === undefined) return undefined;
  if (value === null || value === "") return { input: {}, notes: [] };
  if (isJsonObject(value)) return { input: value, notes: [] };
  const only = Array.isArray(value) && value.length === 1 ? value[0] : undefined;
  if (only !== undefined && isJsonObject(only))
    return { input: only, notes: [{ code: "list", detail: "The arguments stood in a list." }] };
  if (typeof value !== "string" || !value.trimStart().startsWith("{")) return undefined;
  const encoded: Repair = { code: "double-encoded", detail: "The arguments were encoded as a string." };
  const read = readLoose(value, 0, true);
  return read.ok && isJsonObject(read.value)
    ? { input: read.value, notes: [encoded, ...read.repairs] }
    : undefined;
}

/** A call that cannot be run; its name is read from the damage, so that the model knows which one is meant. */
function broken(raw: string, problem: string): ReadCall {
  const name = /["'“](?:name|tool|function)["'”]\s*:\s*["'“]([\w.:-]{1,80})["'”]/.exec(
    raw.slice(0, 500),
  )?.[1];
  return { name: name ?? "unreadable_call", input: {}, rawArguments: raw, problem };
}

function noteOn(call: ReadCall, repair: Repair, raw: string): void {
  call.repairs = [...(call.repairs ?? []), repair];
  call.rawArguments ??= raw.trim();
}
