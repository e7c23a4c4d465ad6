/** The tool that delegates a task to a subagent: a session with its own context and tools, which reports back. */

import * as z from "zod/mini";
import { type Expected, refuse } from "../base/expected.ts";
import { firstLine } from "../base/text.ts";
import { looseName } from "../protocol/tool-name.ts";
import { toolKnownAs } from "./arguments/known-as.ts";
import {
  defineTool,
  type Delegation,
  failedResult,
  type ToolResult,
  type Tool,
  type ToolContext,
} from "./tool.ts";

/** Names and descriptions of agents given to the model with the tool, in characters. */
export const mostListed = 2_000;

/** What the tool knows of a named agent that tasks can be delegated to. */
export type NamedAgent = {
  name: string;
  description: string;
  /** Tool names as the agent's author knows them. Default: all tools available. */
  tools?: readonly string[];
  /** Tools the agent must not have. */
  withoutTools?: readonly string[];
};

/** The agents and tools available now. */
type DelegationOptions = { agents: readonly NamedAgent[]; tools: readonly Tool[] };

/** `unknown`: names that match no available tool. */
type ToolSelection = { tools: readonly Tool[]; unknown: readonly string[] };

/** Kept short, like the field descriptions: small local models pay for each word in every request. */
const summary =
  "Give a task to a subagent, which knows only what you write here, and reports back. Several may work at once. It only reads unless allowed_tools has more.";

const fields = () => ({
  task: z.string().check(z.minLength(1)),
  context: z.optional(z.string()),
  allowed_tools: z.optional(z.array(z.string())),
  max_rounds: z.optional(z.int().check(z.minimum(1))),
});

/** Builds the tool for these agents and tools; adjacent read-only tasks may run concurrently. */
export function delegateAmong(choice: DelegationOptions): Tool {
  const { agents } = choice;
  const agent = z.optional(z.string());
  return agents.length === 0
    ? defineTool({ ...common(choice), summary, input: fields })
    : defineTool({ ...common(choice), summary: summaryWith(agents), input: { ...fields(), agent } });
}

type DelegateInput = {
  task: string;
  context?: string | undefined;
  agent?: string | undefined;
  allowed_tools?: string[] | undefined;
  max_rounds?: number | undefined;
};

const common = (choice: DelegationOptions) =>
  ({
    name: "delegate",
    aliases: ["task", "agent", "subagent", "run_subagent", "spawn_agent"],
    argumentAliases: {
      task: ["prompt", "instructions"],
      context: ["description", "background"],
      agent: ["subagent_type", "agent_type", "agent_name"],
      allowed_tools: ["tools"],
      max_rounds: ["max_turns"],
    },
    does: "delegate",
    forPeople: true,
    delegates: true,
    doesWith: (input: DelegateInput) => {
      const { tools } = toolsFor(delegationOf(input), choice);
      return tools.every(({ does }) => does === "read") ? ("read" as const) : undefined;
    },
    title: ({ task, agent = "" }: DelegateInput) =>
      `Subagent${agent === "" ? "" : ` ${agent}`}: ${firstLine(task)}`,
    run: (input: DelegateInput, context: ToolContext) => run(input, context),
  }) as const;

async function run(input: DelegateInput, context: ToolContext): Promise<ToolResult> {
  if (!context.delegate) return failedResult("No subagent can be started here: do the task yourself.");
  const output = (text: string): void => context.output(text);
  return context.delegate(delegationOf(input), { signal: context.signal, output });
}

function delegationOf({
  task,
  context,
  agent,
  allowed_tools: tools,
  max_rounds: rounds,
}: DelegateInput): Delegation {
  return {
    task,
    context,
    ...(agent === undefined || agent.trim() === "" ? {} : { agent }),
    ...(tools === undefined ? {} : { tools }),
    ...(rounds === undefined ? {} : { maxRounds: rounds }),
  };
}

/** Finds an agent by name, ignoring case and separators. */
export function findAgent<One extends NamedAgent>(wanted: string, agents: readonly One[]): Expected<One> {
  const exact = agents.find((agent) => agent.name === wanted);
  const found = exact ?? agents.find((agent) => looseName(agent.name) === looseName(wanted));
  if (found) return { ok: true, value: found };
  const names = agents.map((agent) => agent.name).join(", ");
  const advice =
    names === "" ? "There are none here: leave it out." : `There are: ${names}. Or leave it out.`;
  return refuse(`There is no agent "${wanted}". ${advice}`);
}

/**
 * The tools for a task: those the call names (within the agent's own, if it names an agent), else the agent's, else the
 * read-only ones. Subagents never get tools meant for people.
 */
export function toolsFor(
  { agent: wanted, tools: allowed }: Pick<Delegation, "agent" | "tools">,
  { agents, tools }: DelegationOptions,
): ToolSelection {
  const mine = tools.filter(({ forPeople }) => forPeople !== true);
  const found = wanted === undefined ? undefined : findAgent(wanted, agents);
  const agent = found?.ok ? found.value : undefined;
  const told = allowed && namedAmong(mine, allowed);
  if (!agent)
    return told ?? { tools: mine.filter(isUsual).filter(({ does }) => does === "read"), unknown: [] };
  const without = namedAmong(mine, agent.withoutTools ?? []).tools;
  const whole = agent.tools ? namedAmong(mine, agent.tools) : { tools: mine.filter(isUsual), unknown: [] };
  const its = whole.tools.filter((tool) => !without.includes(tool));
  if (!told) return { tools: its, unknown: whole.unknown };
  return { tools: told.tools.filter((tool) => its.includes(tool)), unknown: told.unknown };
}

/** Deferred tools are many: they must be named explicitly. */
const isUsual = ({ deferred }: Tool): boolean => deferred !== true;

/** An unknown name grants nothing. */
function namedAmong(tools: readonly Tool[], names: readonly string[]): ToolSelection {
  if (names.includes("*")) return { tools: tools.filter(isUsual), unknown: [] };
  const found = names.map((wanted) => ({ wanted, tool: toolKnownAs(tools, wanted.trim()) }));
  const chosen = new Set(found.flatMap(({ tool }) => tool ?? []));
  return {
    tools: tools.filter((tool) => chosen.has(tool)),
    unknown: found.flatMap(({ wanted, tool }) => (tool ? [] : [wanted])),
  };
}

/** Lists no more agents than small models can handle. */
function summaryWith(agents: readonly NamedAgent[]): string {
  let left = mostListed;
  const lines: string[] = [];
  for (const agent of agents) {
    const line = `- ${agent.name}: ${firstLine(agent.description)}`;
    if ((left -= line.length) < 0) break;
    lines.push(line);
  }
  const more = agents.length - lines.length;
  return [`${summary} Agents:`, ...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join("\n");
}

export const delegate = delegateAmong({ agents: [], tools: [] });
