/** Interprets a hook's answer: an exit code, plain text, or JSON in our format or another agent's. */

import { isDeeperThan, isJsonObject, type Json, type JsonObject, parseJson } from "../../base/json.ts";
import { maxDepth } from "../../base/loose-json.ts";
import type { HookEvent } from "./hook.ts";

/**
 * `asks`: why a person must be asked. `no`: why the hook refused. `failed`, `timeout`: why it gave no verdict.
 * `message`: a text for the person only.
 */
export type HookAnswer =
  | { type: "fine"; context?: string; input?: JsonObject; asks?: string; message?: string }
  | { type: "no"; because: string; message?: string }
  | { type: "failed" | "timeout"; because: string };

export const failedWith = (because: string): HookAnswer => ({ type: "failed", because });

/** Events at which plain-text output becomes context for the model. */
const takesText: readonly HookEvent[] = [
  "session-start",
  "prompt",
  "after-call",
  "after-change",
  "compaction",
];

/** Parses the output of a hook that exited with 0. Lines before the JSON answer are treated as its log. */
export function readAnswer(printed: string, event: HookEvent): HookAnswer {
  const text = printed.trim();
  if (text === "") return { type: "fine" };
  const found = objectIn(text);
  if (found && isDeeperThan(maxDepth, found.json)) return failedWith("its answer is nested too deeply");
  if (found && (text.startsWith("{") || Object.keys(found.json).some((name) => known.has(name)))) {
    const answer = answerIn(found.json, event);
    return answer.type === "fine" && mayBeAnswer.test(found.before)
      ? failedWith("it printed more than one answer")
      : answer;
  }
  const wrong = text.startsWith("{")
    ? "its answer is no JSON that can be read"
    : looksLikeAnswer(text, event);
  if (wrong !== undefined) return failedWith(wrong);
  return takesText.includes(event) ? { type: "fine", context: text } : { type: "fine" };
}

/** The whole text as JSON, else the part from the first line that starts with a brace and parses. */
function objectIn(text: string): { json: JsonObject; before: string } | undefined {
  const starts = text.startsWith("{") ? [0] : [];
  for (let at = text.indexOf("\n{"); at >= 0 && starts.length < mostStarts; at = text.indexOf("\n{", at + 1))
    starts.push(at + 1);
  const last = text.lastIndexOf("\n{") + 1;
  for (const start of last > 0 ? [...starts, last] : starts) {
    const json = parseJson(text.slice(start));
    if (json.ok && isJsonObject(json.value)) return { json: json.value, before: text.slice(0, start) };
  }
  return undefined;
}

const mostStarts = 20;
const mayBeAnswer = /\{\s*"(?:decision|hookSpecificOutput|permissionDecision)"/u;

/** Why this text looks like a failed attempt at an answer; undefined for ordinary text. */
function looksLikeAnswer(text: string, event: HookEvent): string | undefined {
  if (noWords.includes(text.replaceAll(/^"|"$/gu, "").toLowerCase()))
    return `it printed only ${text.slice(0, 20)}, which is no answer: {"decision":"block"} or exit code 2 is a no`;
  if (mayBeAnswer.test(text))
    return "there is something like an answer in what it printed, which cannot be read as JSON";
  const isOther = /^["[]/u.test(text) && parseJson(text).ok && !takesText.includes(event);
  return isOther ? "its answer is JSON, but no object" : undefined;
}

/** Every key that a known hook format may answer with; an unknown key could be a misspelt veto. */
const known: ReadonlySet<string> = new Set([
  "decision",
  "reason",
  "input",
  "context",
  "hookSpecificOutput",
  "continue",
  "stopReason",
  "suppressOutput",
  "systemMessage",
  "additionalContext",
]);

function answerIn(json: JsonObject, event: HookEvent): HookAnswer {
  const answer = meantIn(json, event);
  const message = textOf(json["systemMessage"]);
  return message === undefined || (answer.type !== "fine" && answer.type !== "no")
    ? answer
    : { ...answer, message };
}

function meantIn(json: JsonObject, event: HookEvent): HookAnswer {
  const names = Object.keys(json);
  if (names.length > 0 && !names.some((name) => known.has(name)))
    return failedWith(
      `its answer has none of decision, reason, input and context, but ${names.slice(0, 5).join(", ")}`,
    );
  const misshapen = Object.entries(shapes).find(([name, { fits }]) => !fits(json[name] ?? null));
  if (misshapen) return failedWith(`the ${misshapen[0]} in its answer is ${misshapen[1].else}`);
  const specific = json["hookSpecificOutput"];
  const others = specific !== undefined && isJsonObject(specific) ? specific : {};
  const changed = ["updatedToolOutput", "updatedMCPToolOutput"].find((name) => Object.hasOwn(others, name));
  if (changed !== undefined)
    return failedWith(`its answer has ${changed}, but no hook changes a result here`);
  const decided = decisionIn([json["decision"], others["permissionDecision"]]);
  if (decided === undefined) return failedWith("its decision is none of block, deny, ask and allow");
  const reason = textOf(json["reason"]) ?? textOf(others["permissionDecisionReason"]);
  // At the end of a turn, `continue: false` agrees with stopping, so it is no veto.
  if (json["continue"] === false && event !== "turn-end")
    return { type: "no", because: textOf(json["stopReason"]) ?? reason ?? noReason };
  if (json["continue"] === false) return { type: "fine" };
  if (decided === "no") return { type: "no", because: reason ?? noReason };
  return fineAnswer(json, others, { event, asks: decided === "ask" ? (reason ?? noReason) : undefined });
}

type Shape = { fits: (value: Json) => boolean; else: string };
const words: Shape = { fits: (value) => value === null || typeof value === "string", else: "no text" };
const answered: Shape = {
  fits: (value) => value === null || typeof value === "boolean",
  else: "neither true nor false",
};

/** A known key with a value of the wrong type may be a veto that would otherwise be lost. */
const shapes: Readonly<Record<string, Shape>> = {
  context: words,
  additionalContext: words,
  reason: words,
  stopReason: words,
  systemMessage: words,
  continue: answered,
  hookSpecificOutput: { fits: (value) => value === null || isJsonObject(value), else: "no object" },
};

function fineAnswer(
  json: JsonObject,
  others: JsonObject,
  { event, asks }: { event: HookEvent; asks: string | undefined },
): HookAnswer {
  const input = json["input"] ?? others["updatedInput"];
  const changes = input !== undefined && input !== null && event === "before-call";
  if (changes && !isJsonObject(input)) return failedWith("the input in its answer is no object");
  const context =
    textOf(json["context"]) ?? textOf(others["additionalContext"]) ?? textOf(json["additionalContext"]);
  return {
    type: "fine",
    context,
    ...(changes && isJsonObject(input) ? { input } : {}),
    ...(asks === undefined || event !== "before-call" ? {} : { asks }),
  };
}

const noReason = "it gave no reason";

/** The strictest decision given; undefined if any of them is unknown. */
function decisionIn(said: readonly (Json | undefined)[]): "no" | "ask" | "yes" | undefined {
  const words = said.flatMap((word) => {
    if (word === undefined || word === null) return [];
    return [typeof word === "string" ? word.toLowerCase() : ""];
  });
  if (words.some((word) => noWords.includes(word))) return "no";
  if (words.some((word) => !yesWords.includes(word) && word !== "ask")) return undefined;
  return words.includes("ask") ? "ask" : "yes";
}

const noWords = ["block", "deny", "reject"];
const yesWords = ["allow", "approve", "continue"];

const textOf = (value: Json | undefined): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
