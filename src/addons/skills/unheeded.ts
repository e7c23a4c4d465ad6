/**
 * What the head of a command or a skill asks for that is not done here, and where it can be had, for whoever calls it.
 */

import { isObject } from "../../base/json.ts";
import { described } from "./definition-files.ts";
import { type Head, isTrue, listIn, textIn } from "./front-matter.ts";

/** One line; undefined where all of its head is done. */
export function unheededIn(head: Head): string | undefined {
  const said = [...modelIn(head), ...toolsIn(head), ...agentIn(head), ...startedIn(head)];
  return said.length === 0 ? undefined : `Its head is not followed in this: ${said.join("; ")}.`;
}

function modelIn(head: Head): string[] {
  const model = textIn(head, "model");
  if (model === undefined || /^(?:inherit|default|auto)$/iu.test(model)) return [];
  return [`model ${short(model)} (the session's own answers; /model changes it)`];
}

/** A list that allows would widen what a person has granted. */
function toolsIn(head: Head): string[] {
  const name = ["allowed-tools", "allowedTools", "tools"].find((one) => Object.hasOwn(head, one));
  if (name === undefined || isEmpty(head[name])) return [];
  const which = short((listIn(head, name) ?? []).join(", "));
  return [`${name}${which === "" ? "" : ` ${which}`} (your own rules say what may run)`];
}

function agentIn(head: Head): string[] {
  const agent = textIn(head, "agent");
  const isApart = isTrue(head, "subtask") || textIn(head, "context")?.toLowerCase() === "fork";
  if (agent === undefined && !isApart) return [];
  return [
    `${agent === undefined ? "a subagent" : `agent ${short(agent)}`} (it is done in this conversation)`,
  ];
}

function startedIn(head: Head): string[] {
  return ["hooks", "mcpServers"].flatMap((name) =>
    Object.hasOwn(head, name) && !isEmpty(head[name]) ? [`${name} (they stand in the configuration)`] : [],
  );
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);

const longest = 60;

function short(written: string): string {
  const line = described(written);
  return line.length > longest ? `${line.slice(0, longest - 1).toWellFormed()}…` : line;
}
