/** Reads definitions of subagents from Markdown and TOML files, in our format and those of other agents. */

import { isObject } from "../../base/json.ts";
import { fewOf } from "../added-text.ts";
import type { AddonDirectories } from "../part.ts";
import { type DefinitionFile, definitionsIn, descriptionLine, firstLine } from "./definition-files.ts";
import type { AgentDefinition } from "./definition.ts";
import { type Head, isTrue, listIn, textIn } from "./front-matter.ts";
import { agentFolders } from "./places.ts";
import { readTomlHead } from "./toml-head.ts";
import { unheededInAgent } from "./unheeded-keys.ts";

/** Never throws. `problems`: one line each, for people. */
export async function agentDefinitions(
  place: AddonDirectories,
): Promise<{ agents: AgentDefinition[]; problems: string[] }> {
  const { found, problems } = await definitionsIn(agentFolders(place), place, agentIn);
  const unheeded = found.flatMap(({ path, unheeded: words }) =>
    words === undefined ? [] : [`${path}: ${words}`],
  );
  return {
    agents: found.map((one) => {
      const { unheeded: _, ...agent } = one;
      return agent;
    }),
    problems: [...problems, ...fewOf(unheeded)],
  };
}

/** Codex defines agents in TOML files. */
async function agentIn(file: DefinitionFile): Promise<ReturnType<typeof agentOf> | string> {
  if (file.suffix !== ".toml") return agentOf(file);
  const head = await readTomlHead(file.body);
  if (typeof head === "string") return head;
  return agentOf({ ...file, head, body: textIn(head, "developer_instructions") ?? "" });
}

/**
 * A file without front matter is no agent: agent folders have a README, too. "primary" agents lead conversations of
 * their own, so they are no subagents.
 */
function agentOf({
  head,
  body,
  path,
  from,
  name: file,
}: DefinitionFile): (AgentDefinition & { unheeded?: string }) | undefined {
  if (Object.keys(head).length === 0 || isTrue(head, "disable")) return undefined;
  if (textIn(head, "mode")?.toLowerCase() === "primary") return undefined;
  const name = descriptionLine(textIn(head, "name") ?? file)
    .replaceAll(" ", "-")
    .slice(0, 64);
  const model = textIn(head, "model");
  const rounds = wholeNumber(
    textIn(head, "max_rounds", "maxRounds", "max_turns", "maxTurns", "max-turns", "steps"),
  );
  const unheeded = unheededInAgent(head);
  return {
    unheeded,
    name,
    description: descriptionLine(textIn(head, "description") ?? firstLine(body)),
    ...toolsOf(head),
    ...(model === undefined || model === "inherit" ? {} : { model }),
    ...(rounds === undefined ? {} : { maxRounds: rounds }),
    prompt: body.trim(),
    path,
    from,
  };
}

/** A list of names, or a map from names to booleans: a map with only `false` entries leaves all other tools. */
function toolsOf(head: Head): Pick<AgentDefinition, "tools" | "withoutTools"> {
  const { tools: written } = head;
  const denied = listIn(head, "disallowedTools") ?? [];
  const chosen = isObject(written) ? Object.entries(written) : [];
  const no = [
    ...denied,
    ...forbiddenIn(head),
    ...chosen.filter(([, given]) => given === false).map(([name]) => name),
  ];
  const yes = chosen.filter(([, given]) => given === true).map(([name]) => name);
  const tools = isObject(written) ? (yes.length > 0 ? yes : undefined) : listIn(head, "tools");
  return { ...(tools === undefined ? {} : { tools }), ...(no.length === 0 ? {} : { withoutTools: no }) };
}

/**
 * Takes only denials from `permission: { edit: deny, bash: { "*": deny } }`; the session's own rules decide what is
 * allowed.
 */
function forbiddenIn({ permission }: Head): string[] {
  return isObject(permission)
    ? Object.entries(permission).flatMap(([name, given]) => (isDenied(given) ? [name] : []))
    : [];
}

const isDenied = (given: unknown): boolean => given === "deny" || (isObject(given) && given["*"] === "deny");

function wholeNumber(written: string | undefined): number | undefined {
  return written !== undefined && /^[1-9]\d{0,5}$/u.test(written) ? Number(written) : undefined;
}
