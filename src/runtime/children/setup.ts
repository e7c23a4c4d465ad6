/** The setup of a subagent's session: inherited from its parent, except for what the task and the agent define. */

import type { AgentDefinition } from "../../addons/skills/definition.ts";
import type { Expected } from "../../base/expected.ts";
import type { Mode } from "../../protocol/facts.ts";
import type { Model } from "../../providers/provider.ts";
import { findAgent, toolsFor } from "../../tools/delegate.ts";
import type { Delegation, Tool } from "../../tools/tool.ts";
import { openNamed } from "../kept-settings.ts";
import { grantsHandedOn } from "../policy.ts";
import type { ParentContext, SessionSetup } from "../session-setup.ts";
import { subagentBounds } from "./bounds.ts";
import { agentsAmong } from "./offer.ts";

/** `found`: deferred tools that are offered here without a search. `notes`: for the delegating model. */
export type ChildPlan = {
  setup: SessionSetup;
  agent?: AgentDefinition;
  found: readonly string[];
  notes: readonly string[];
};

/** The problem is for the delegating model. */
export async function planChild(
  parent: ParentContext,
  delegation: Delegation,
  setup: SessionSetup,
): Promise<Expected<ChildPlan>> {
  const { agents: known, tools: all } = parent;
  const found = delegation.agent === undefined ? undefined : findAgent(delegation.agent, known);
  if (found && !found.ok) return found;
  const agent = found?.value;
  const { tools, unknown } = toolsFor(delegation, { agents: agentsAmong(known, all), tools: all });
  const rounds = roundsOf(delegation, agent);
  const mode = modeOf(parent.log.state.mode);
  const { maxCost: _, maxTokens: __, maxMs: ___, ...limits } = setup.limits ?? {}; // the parent enforces these
  return {
    ok: true,
    value: {
      agent,
      setup: {
        ...withoutTools(setup),
        model: await modelOf(agent, parent, setup),
        tools,
        mode,
        reasoning: parent.log.state.reasoning ?? setup.reasoning,
        interactive: false,
        granted: grantsHandedOn(parent.log.state),
        gitBranch: "off", // the parent's already exists
        completion: "calls",
        limits: { ...limits, maxRounds: rounds, onLimit: "stop" },
        role: roleOf({ rounds, mode, tools, agent }),
      },
      found: tools.filter(({ deferred }) => deferred === true).map(({ name }) => name),
      notes: notesOn(unknown, parent.log.state.mode, tools),
    },
  };
}

const roundsOf = ({ maxRounds }: Delegation, agent: AgentDefinition | undefined): number =>
  Math.max(1, Math.min(subagentBounds.rounds.most, ...[maxRounds ?? [], agent?.maxRounds ?? []].flat()));

/** In staged mode a subagent only reads, because nobody could apply its changes; the parent stages them. */
export const modeOf = (mode: Mode): Mode => (mode === "staged" ? "plan" : mode);

/** The parent's extensions apply to the child too; its addon tools are already open and come in through the plan. */
function withoutTools(setup: SessionSetup): SessionSetup {
  const { addons, closed: _, delegate: __, ...rest } = setup;
  if (!addons) return rest;
  return { ...rest, addons: (session) => ({ ...addons(session), tools: () => [] }) };
}

/** Names in agent definitions that mean the parent's model. */
const sameModel: ReadonlySet<string> = new Set(["", "inherit"]);

/** Falls back to the parent's model if the agent's cannot be opened: definitions are shared with other programs. */
async function modelOf(
  agent: AgentDefinition | undefined,
  { model }: ParentContext,
  { openModel }: SessionSetup,
): Promise<Model> {
  const name = agent?.model?.trim() ?? "";
  if (sameModel.has(name) || !openModel) return model;
  const opened = await openNamed(name, { model, mode: "ask", openModel }).catch(() => undefined);
  return opened?.ok ? opened.value : model;
}

type ChildRole = { rounds: number; mode: Mode; tools: readonly Tool[]; agent: AgentDefinition | undefined };

function roleOf({ rounds, mode, tools, agent }: ChildRole): string {
  const onlyReads = mode === "plan" || tools.every(({ does }) => does === "read");
  const rest = onlyReads ? "You only look: change nothing, and report what you find." : mayBeDenied;
  const own =
    agent && agent.prompt.trim() !== "" ? [`# You are ${agent.name}\n\n${agent.prompt.trim()}`] : [];
  return [
    `You are a subagent: another session gave you this one task, and waits for your report. Nobody reads anything else of what you say, and nobody can be asked. ${rest} You have ${rounds} answers at most; the last one must be the report, which says all that was asked for, with paths and lines, and what is left open.`,
    ...own,
  ].join("\n\n");
}

const mayBeDenied =
  "What you are denied, leave, and say in the report that whoever gave you the task has to do it.";

function notesOn(unknown: readonly string[], mode: Mode, tools: readonly Tool[]): string[] {
  const stages = mode === "staged" && tools.some(({ does }) => does !== "read");
  return [
    ...(unknown.length === 0 ? [] : [`It had no tool ${unknown.join(", ")}: there is none here.`]),
    ...(stages ? ["In staged mode a subagent only looks: stage the changes yourself."] : []),
  ];
}
