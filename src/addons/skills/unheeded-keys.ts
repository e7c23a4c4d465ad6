/** Lists front matter of a command, skill or agent that has no effect here, with the alternative, for its caller. */

import { isObject } from "../../base/json.ts";
import { descriptionLine } from "./definition-files.ts";
import { type Head, isTrue, listIn, textIn } from "./front-matter.ts";

/** One line; undefined if everything takes effect. */
export const unheededIn = (head: Head): string | undefined =>
  inWords([...modelIn(head), ...toolsIn(head), ...agentIn(head), ...startedIn(head)]);

/** For agents, whose model and tools do take effect. */
export const unheededInAgent = (head: Head): string | undefined =>
  inWords([...startedIn(head), ...skillsIn(head), ...placeIn(head)]);

const inWords = (said: readonly string[]): string | undefined =>
  said.length === 0 ? undefined : `Its head is not followed in this: ${said.join("; ")}.`;

function modelIn(head: Head): string[] {
  const model = textIn(head, "model");
  if (model === undefined || /^(?:inherit|default|auto)$/iu.test(model)) return [];
  return [`model ${short(model)} (the session's own answers; /model changes it)`];
}

/** Honouring an allow list would widen what a person has granted. */
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

function skillsIn(head: Head): string[] {
  const which = short((listIn(head, "skills") ?? []).join(", "));
  return which === "" ? [] : [`skills ${which} (it reads them with the tool \`skill\`, if it has that)`];
}

function placeIn(head: Head): string[] {
  const isolation = textIn(head, "isolation");
  return isolation === undefined ? [] : [`isolation ${short(isolation)} (it works in this workspace)`];
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);

const longest = 60;

function short(written: string): string {
  const line = descriptionLine(written);
  return line.length > longest ? `${line.slice(0, longest - 1).toWellFormed()}…` : line;
}
