/**
 * The actions of an envelope: tools and skills are calls by their names, other skills calls of `skill`, subagents calls
 * of `delegate` (B2, B3, B6).
 */

import { isJsonObject, isObject, type Json, type JsonObject } from "../../base/json.ts";
import type { ToolDescription } from "../../protocol/messages.ts";
import type { ReadCall, OfferedTools } from "../reading/reader.ts";

/** A call, or an omitted entry with the reason. */
export type EnvelopeEntry =
  | { call: ReadCall; problem?: undefined }
  | { call?: undefined; problem: { code: "malformed_envelope" | "duplicate_id"; detail: string } };

/** Skills with another tool's name: if that tool is offered, it is the one meant (B7). */
const skillTools: Readonly<Record<string, string>> = { search: "web_search" };
/** The tool that reads a skill, which is no tool itself. */
const skillTool = "skill";
/** Tasks for subagents become calls of this tool. */
export const subagentTool = "delegate";
const mostRounds = 6;

type EnvelopeAction = { where: string; type: Json | undefined; value: Json };
type EnvelopeContext = { readonly kind: string; readonly offered: OfferedTools };

/** The entries in order, or what is wrong with the envelope. */
export function entriesIn(
  envelope: JsonObject,
  { kind, offered }: EnvelopeContext,
): EnvelopeEntry[] | string {
  const written = kind === "agent" ? actionsIn(envelope) : listsIn(envelope);
  if (typeof written === "string") return written;
  const seen = new Set<string>();
  return written.map((one) => entryOf(one, { offered, seen }));
}

function actionsIn(envelope: JsonObject): EnvelopeAction[] | string {
  const { actions } = envelope;
  if (actions === undefined && Object.hasOwn(envelope, "assistant_text")) return [];
  if (!Array.isArray(actions)) return "it must have a list of actions";
  return actions.map((value, index) => ({
    where: `actions[${index}]`,
    type: isJsonObject(value) ? value["type"] : undefined,
    value,
  }));
}

const lists = { tool_calls: "tool", skill_calls: "skill", subagent_calls: "subagent" } as const;

function listsIn(envelope: JsonObject): EnvelopeAction[] | string {
  const written: EnvelopeAction[] = [];
  const given = Object.entries(lists).filter(([key]) => Object.hasOwn(envelope, key));
  for (const [key, type] of given) {
    const list = envelope[key];
    if (!Array.isArray(list)) return `${key} must be a list`;
    written.push(...list.map((value, index) => ({ where: `${key}[${index}]`, type, value })));
  }
  if (given.length > 0 || Object.hasOwn(envelope, "assistant_text")) return written;
  return `it must have ${Object.keys(lists).join(", ")} or assistant_text`;
}

type EntryContext = { readonly offered: OfferedTools; readonly seen: Set<string> };

function entryOf({ where, type, value }: EnvelopeAction, { offered, seen }: EntryContext): EnvelopeEntry {
  const wrong = (what: string): EnvelopeEntry => ({
    problem: { code: "malformed_envelope", detail: `${where} ${what}` },
  });
  if (!isJsonObject(value)) return wrong("is no object");
  const id = textOf(value["id"]);
  if (id === undefined) return wrong("has no id");
  const read = type === "subagent" ? subagentCall(value, offered) : namedCall(value, { type, offered });
  if (type !== "tool" && type !== "skill" && type !== "subagent")
    return wrong("must be of type tool, skill or subagent");
  if (typeof read === "string") return wrong(read);
  if (seen.has(id))
    return {
      problem: {
        code: "duplicate_id",
        detail: `${where} has the id "${id.slice(0, 64)}" of an earlier action`,
      },
    };
  seen.add(id);
  // Other ids are dropped, because no provider would accept them.
  return { call: /^[\w:.-]{1,64}$/.test(id) ? { id, ...read } : read };
}

function namedCall(
  value: JsonObject,
  { type, offered }: { type: Json | undefined; offered: OfferedTools },
): ReadCall | string {
  const written = textOf(value["name"]);
  const meant = type === "skill" ? skillTools[written ?? ""] : undefined;
  const name = meant !== undefined && offered.find(meant) ? meant : written;
  const input = value["arguments"];
  if (name === undefined) return "has no name";
  const skill = type === "skill" && !offered.find(name) ? offered.find(skillTool) : undefined;
  if (skill && input === undefined) return { name: skill.name, input: { name } };
  if (input === undefined || !isJsonObject(input))
    return `(${name.slice(0, 64)}) needs an object of arguments`;
  return skill ? { name: skill.name, input: { ...takenBy(skill, input), name } } : { name, input };
}

/** What the tool knows; the other arguments are meant for the skill that it reads. */
function takenBy({ schema }: Pick<ToolDescription, "schema">, input: JsonObject): JsonObject {
  const { properties } = schema;
  const known = isObject(properties) ? properties : {};
  return Object.fromEntries(Object.entries(input).filter(([key]) => Object.hasOwn(known, key)));
}

/** Limits of a subagent must be understood: ignoring one would allow more than intended. */
function subagentCall(value: JsonObject, offered: OfferedTools): ReadCall | string {
  const task = textOf(value["task"]);
  const { context, allowed_tools: allowed, max_rounds: rounds } = value;
  if (task === undefined) return "has no task";
  if (context !== undefined && typeof context !== "string") return "has a context that is no text";
  if (allowed !== undefined && !Array.isArray(allowed)) return "has allowed_tools that are no list";
  if (rounds !== undefined && !isRounds(rounds)) return "has max_rounds that is no whole number over 0";
  const tools = allowed?.filter((name) => typeof name === "string" && offered.find(name));
  const input: JsonObject = {
    task,
    ...(context === undefined ? {} : { context }),
    ...(tools === undefined ? {} : { allowed_tools: tools }),
    ...(rounds === undefined ? {} : { max_rounds: Math.min(rounds, mostRounds) }),
  };
  return { name: subagentTool, input };
}

const isRounds = (value: Json): value is number =>
  typeof value === "number" && Number.isInteger(value) && value > 0;

const textOf = (value: Json | undefined): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
