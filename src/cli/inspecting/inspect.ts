/**
 * `toolwright inspect calls` (and `inspect command`, see inspect-commands.ts): how a model's answer is parsed, and the
 * reason for each decision.
 */

import { readFile } from "node:fs/promises";
import { type Expected, errorMessage, refuse } from "../../base/expected.ts";
import { parseJson, type JsonObject } from "../../base/json.ts";
import { visibleLine, visibleText } from "../../base/visible-text.ts";
import type { Values } from "../../configuration/options/options.ts";
import {
  inspectCalls,
  isWire,
  ownTools,
  readCase,
  readTools,
  wireNames,
  type AnswerCase,
  type InspectedTool,
  type Inspection,
} from "../../runtime/inspecting/inspect-calls.ts";
import { openOptions } from "../../runtime/models/models.ts";
import { type CliContext, type CommandWords, printAnswer, usageError } from "../cli-context.ts";
import { inspectLines } from "./inspect-lines.ts";

/** Exit code 1 if something on standard input cannot be read, 2 for wrong usage. */
export async function runInspect(context: CliContext, { words, flags }: CommandWords): Promise<number> {
  const { terminal } = context;
  const wrong = misuse(words, flags);
  if (wrong !== undefined) return usageError(terminal, wrong);
  if (isAboutCommands(words)) return (await import("./inspect-commands.ts")).inspectCommands(context, flags);
  const options = openOptions(context.settings);
  if (!options.ok) return usageError(terminal, options.problem);
  const tools = await readToolFile(flags.tools);
  if (!tools.ok) return usageError(terminal, tools.problem);
  if (terminal.inputIsTerminal)
    terminal.report("Paste the model's answer, then press Ctrl-D on a line of its own.\n");
  const chunk = typeof flags.chunk === "number" ? flags.chunk : undefined;
  if (flags.jsonl)
    return inspectLines(context, {
      read: (json) => readCase(json, tools.value),
      report: async (read) => (await inspectCalls(read, chunk)).report,
    });
  const answer = await readAnswer(context, flags, tools.value ?? ownTools());
  if (!answer.ok) return usageError(terminal, answer.problem);
  const inspection = await inspectCalls(answer.value, chunk);
  return printAnswer(context, inspection.report, () => inWords(inspection).replace(/\n$/u, ""));
}

const isAboutCommands = ([what]: readonly string[]): boolean => what === "command" || what === "commands";

const ofCalls = ["wire", "finish", "prefix", "chunk", "tools"] as const;

function misuse(words: readonly string[], flags: Values): string | undefined {
  const [what, file] = words;
  if (isAboutCommands(words)) return misuseForCommands(file, flags);
  if (what !== "calls")
    return "Choose one: toolwright inspect calls, or inspect command; both read standard input.";
  if (flags.sandbox !== undefined) return "--sandbox is for toolwright inspect command only.";
  if (file !== undefined)
    return `The answer is read from standard input: toolwright inspect calls < ${visibleLine(file)}`;
  const own = (["wire", "finish", "prefix"] as const).find((name) => flags[name] !== undefined);
  if (flags.jsonl && own !== undefined)
    return `--${own} does not go with --jsonl: there each line says it itself.`;
  if (typeof flags.wire === "string" && flags.finish !== undefined)
    return "--finish does not go with --wire: the reply says itself why it ended.";
  if (typeof flags.wire === "string" && !isWire(flags.wire))
    return `There is no wire ${JSON.stringify(flags.wire)}: --wire is one of ${wireNames.join(", ")}.`;
  return undefined;
}

function misuseForCommands(word: string | undefined, flags: Values): string | undefined {
  if (word !== undefined)
    return `Commands are read from standard input: echo ${visibleLine(JSON.stringify(word))} | toolwright inspect command`;
  const others = ofCalls.find((name) => flags[name] !== undefined);
  return others && `--${others} is for toolwright inspect calls only.`;
}

async function readAnswer(
  { terminal, settings }: CliContext,
  flags: Values,
  tools: readonly InspectedTool[],
): Promise<Expected<AnswerCase>> {
  const pieces: Buffer[] = [];
  for await (const piece of terminal.input) pieces.push(Buffer.from(piece));
  const bytes = Buffer.concat(pieces);
  const mode =
    settings.dialect === "auto" || settings.dialect === "native" ? "auto" : `taught:${settings.dialect}`;
  const said: JsonObject =
    typeof flags.wire === "string"
      ? { wire: flags.wire, chunks_b64: [bytes.toString("base64")] }
      : { text: bytes.toString("utf8"), finish: flags.finish ?? "stop" };
  const read = readCase({ id: "", mode, prefix: flags.prefix ?? "", ...said }, tools);
  return read.ok ? read : unusable(`The answer cannot be inspected: ${read.problem}`);
}

/** Undefined if no file was named. */
async function readToolFile(path: Values["tools"]): Promise<Expected<InspectedTool[] | undefined>> {
  if (typeof path !== "string") return { ok: true, value: undefined };
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    return unusable(`The tools cannot be read from ${visibleLine(path)}: ${whyUnread(error)}`);
  }
  const json = parseJson(text);
  const tools = json.ok ? readTools(json.value) : "it is not JSON";
  return typeof tools === "string"
    ? unusable(`The tools in ${visibleLine(path)} cannot be used: ${tools}`)
    : { ok: true, value: tools };
}

function whyUnread(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOENT") return "there is no such file";
  if (code === "EISDIR") return "it is a directory";
  return errorMessage(error);
}

const unusable = (problem: string): Expected<never> => refuse(`${problem}.`);

function inWords({ report, decisions }: Inspection): string {
  const { calls, text, reasoning, errors, repairs } = report;
  const sections: [string, string[]][] = [
    ["Calls", calls.map((call) => `${call.name} ${JSON.stringify(call.arguments)} (${call.id})`)],
    ["Text", text === "" ? [] : text.split("\n")],
    ["Reasoning", reasoning === "" ? [] : reasoning.split("\n")],
    ["Errors", errors],
    ["Repairs", repairs.map(({ code, detail, guess }) => `${code}: ${detail}${guess ? " (a guess)" : ""}`)],
    ["Decisions", decisions],
  ];
  const shown = sections.map(([title, lines]) =>
    [`${title}:${lines.length === 0 ? " none" : ""}`, ...lines.map((line) => `  ${visibleText(line)}`)].join(
      "\n",
    ),
  );
  return `${shown.join("\n")}\n`;
}
