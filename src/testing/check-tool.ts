/** Checks the contract that every tool must meet and returns the violations. */

import { durationInWords } from "../base/amounts.ts";
import { inTime } from "../base/async.ts";
import { errorMessage } from "../base/expected.ts";
import { isObject, type JsonObject } from "../base/json.ts";
import { resultProblem } from "../tools/result-problem.ts";
import { testContext as toolContext } from "../tools/testing/context.ts";
import { nameProblem } from "../tools/tool-name-problem.ts";
import type { PreparedCall, Tool } from "../tools/tool.ts";
import { describeTool } from "../tools/tool.ts";
import { wires } from "../wires/index.ts";
import { temporaryWorkspace } from "./workspace.ts";

/** Options of `checkTool`. @public */
export type CheckToolOptions = {
  /** Valid arguments, used for the normal run and the aborted one. */
  input: JsonObject;
  /** Files of the workspace in which the tool runs. */
  files?: Record<string, string>;
  /** Milliseconds the tool may take to end after an abort; 2,000 by default. */
  abortMs?: number;
};

/**
 * Checks a tool against the contract; returns one line per violation, none for a sound tool. Hostile arguments are only
 * run on tools that read or plan changes: a command would really be executed. @public
 */
export async function checkTool(tool: Tool, options: CheckToolOptions): Promise<string[]> {
  const workspace = await temporaryWorkspace(options.files ?? {});
  try {
    return [
      ...namesOf(tool),
      ...wordsOf(tool),
      ...schemaOf(tool),
      ...wiresOf(tool),
      ...rightInput(tool, options.input),
      ...(await hostileInput(tool, workspace.root)),
      ...(await brokenOff(tool, options, workspace.root)),
    ];
  } finally {
    await workspace.remove();
  }
}

function namesOf({ name, aliases }: Tool): string[] {
  const problem = nameProblem(name);
  const problems = problem === undefined ? [] : [problem];
  return aliases.includes(name) ? [...problems, `The alias "${name}" is the name itself.`] : problems;
}

const longestSummary = 1_024;

function wordsOf({ summary }: Tool): string[] {
  if (summary.trim() === "") return ["The summary is empty: the model cannot know what the tool does."];
  if (summary.length > longestSummary)
    return [`The summary has ${summary.length} characters: some providers take ${longestSummary}.`];
  return [];
}

function schemaOf(tool: Tool): string[] {
  const found = attempt(() => tool.schema);
  if ("problem" in found) return [`Its schema cannot be made: ${found.problem}`];
  const schema = found.value;
  if (schema["type"] !== "object") return ['The root of the schema must be `type: "object"`.'];
  const written = JSON.stringify(schema);
  const properties = isObject(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  return [
    ...(written.includes('"$ref"')
      ? ["The schema refers to parts of itself ($ref): not all providers follow that."]
      : []),
    ...["oneOf", "anyOf", "allOf", "not"].flatMap((word) =>
      word in schema ? [`The root of the schema may not have \`${word}\`: providers refuse it.`] : [],
    ),
    ...properties.flatMap((name) =>
      /^[\w.-]{1,64}$/u.test(name)
        ? []
        : [`The argument ${JSON.stringify(name)} has a name that providers refuse.`],
    ),
    ...properties.flatMap((name) => (hasType(schema, name) ? [] : [`The argument \`${name}\` has no type.`])),
  ];
}

function hasType({ properties }: JsonObject, name: string): boolean {
  const schema = isObject(properties) ? properties[name] : undefined;
  return isObject(schema) && ["type", "enum", "const", "anyOf", "oneOf"].some((word) => word in schema);
}

function wiresOf(tool: Tool): string[] {
  const ask = { model: "m", system: "", messages: [], tools: [describeTool(tool)] };
  return Object.values(wires).flatMap((wire) => {
    const encoded = attempt(() => JSON.stringify(wire.encodeAsk(ask, { streamed: true })));
    return "problem" in encoded ? [`It cannot be told over the wire ${wire.name}: ${encoded.problem}`] : [];
  });
}

function rightInput(tool: Tool, input: JsonObject): string[] {
  const found = attempt(() => tool.prepare(input));
  if ("problem" in found) return [`\`prepare\` threw for the right arguments: ${found.problem}`];
  if (!found.value.ok) return [`The right arguments were refused: ${found.value.problem}`];
  return titleOf(found.value.value);
}

function titleOf({ title }: PreparedCall): string[] {
  if (title.trim() === "") return ["The title is empty: people are not told what the call does."];
  return title.includes("\n") ? ["The title has more than one line."] : [];
}

const long = "x".repeat(100_000);
const strange: readonly (string | number | boolean | null)[] = [
  "",
  "\0",
  "../../../etc/passwd",
  "￿\u202E",
  long,
  -1,
  1e308,
  0.5,
  true,
  null,
];

/** Every argument wrong in every way, one at a time and all together. */
function hostile(tool: Tool): JsonObject[] {
  const { schema } = tool;
  const properties = isObject(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  const all = strange.map((value): JsonObject => Object.fromEntries(properties.map((name) => [name, value])));
  const lists = properties.map((name): JsonObject => ({ [name]: [[], {}], other: { deep: [[[[]]]] } }));
  return [{}, { ["__proto__"]: { x: 1 } }, ...all, ...lists];
}

async function hostileInput(tool: Tool, workspace: string): Promise<string[]> {
  if ("problem" in attempt(() => tool.schema)) return [];
  const problems: string[] = [];
  for (const input of hostile(tool)) {
    const shown = JSON.stringify(input).slice(0, 80);
    const found = attempt(() => tool.prepare(input));
    if ("problem" in found) problems.push(`\`prepare\` threw for ${shown}: ${found.problem}`);
    else if (!found.value.ok && found.value.problem.trim() === "")
      problems.push(`${shown} was refused without a word: the model must be told why.`);
    else if (found.value.ok && (tool.does === "read" || tool.does === "change")) {
      const { value } = found.value;
      const ran = await within(longestRun, (signal) => value.run(toolContext(workspace, signal)));
      if ("problem" in ran)
        problems.push(`\`run\` threw for ${shown}, instead of a failed result: ${ran.problem}`);
      const wrong = "value" in ran ? resultProblem(ran.value) : undefined;
      if (wrong !== undefined) problems.push(`\`run\` returned no result for ${shown}: ${wrong}`);
    }
  }
  return [...new Set(problems)];
}

const longestRun = 10_000;

async function brokenOff(
  tool: Tool,
  { input, abortMs = 2_000 }: CheckToolOptions,
  workspace: string,
): Promise<string[]> {
  const found = attempt(() => tool.prepare(input));
  if ("problem" in found || !found.value.ok) return [];
  const { value } = found.value;
  const stopping = new AbortController();
  const run = Promise.resolve()
    .then(() => value.run(toolContext(workspace, stopping.signal)))
    .then(
      () => "ended",
      () => "ended", // after an abort, the error that the tool threw does not matter
    );
  stopping.abort(new Error("It is broken off."));
  return (await inTime(run, { ms: abortMs })) === "ended"
    ? []
    : [`It went on for more than ${abortMs} ms after it was broken off: pass \`signal\` on.`];
}

type AttemptResult<T> = { value: T } | { problem: string };

function attempt<T>(work: () => T): AttemptResult<T> {
  try {
    return { value: work() };
  } catch (error) {
    return { problem: errorMessage(error) };
  }
}

async function within<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<AttemptResult<T>> {
  try {
    const value = Promise.resolve(work(AbortSignal.timeout(ms))).then((done) => ({ value: done }));
    return (await inTime(value, { ms })) ?? { problem: `it did not end within ${durationInWords(ms)}` };
  } catch (error) {
    return { problem: errorMessage(error) };
  }
}
