/** The prompt is a view of the log: nothing reaches the model that was not recorded. */

import { sendable, sendableName } from "../protocol/history.ts";
import { askedEffort, type ToolDescription } from "../protocol/messages.ts";
import { currentTurn, type SessionState } from "../protocol/session-state.ts";
import type { Prompt } from "../providers/provider.ts";
import { describeTool, type Tool } from "../tools/tool.ts";
import { summary } from "./answer/completion.ts";
import { smallPrompt, smallTools } from "./small-way.ts";
import type { TurnContext } from "./turn-context.ts";

/**
 * The model's next prompt. The stable part comes first so that providers can cache it: the session's next prompt has
 * the same beginning, unless its history was shortened or a mode added tools.
 */
export function promptOf(context: TurnContext): Prompt {
  const { state } = context.log;
  const place = placeOf(context);
  const isSmall = context.model.suits?.small === true;
  const tools = isSmall ? smallTools(context.tools) : context.tools;
  const prompt: Prompt = {
    system: systemBefore(place, context),
    ...(place === "" ? {} : { place }),
    messages: sendable(state.messages, { model: context.model.name }),
    tools: toolsTold(tools, state),
    cacheKey: state.session,
    ...askedEffort(state.reasoning),
  };
  const asked = isSmall ? smallPrompt(prompt, tools, state) : prompt;
  return currentTurn(state)?.nudges.has(summary) === true ? { ...asked, toolChoice: "none" } : asked;
}

type SystemParts = Pick<TurnContext, "completion" | "system" | "directory"> & {
  log: { state: Pick<SessionState, "instructions"> };
};

/** B1: the protocol first, then the instruction files, then the conversation; the same for every surface. */
export const systemOf = (parts: SystemParts): string => systemBefore(placeOf(parts), parts);

function systemBefore(place: string, { completion, system }: SystemParts): string {
  const own = completion === "marker" ? `${system}\n${sayWhenDone}` : system;
  return [own, place].filter((text) => text !== "").join("\n\n");
}

/** What differs between workspaces is the end, so that servers find the rest in their caches. */
const placeOf = ({ directory, log }: SystemParts): string =>
  [
    ...log.state.instructions.map(({ path, text }) => `# Instructions: ${path}\n\n${text}`),
    ...(directory === undefined ? [] : [directory]),
  ].join("\n\n");

/** The tools in the prompt: those of a mode stay when the mode ends, since tools are at the prompt's very beginning. */
export const toolsTold = (
  tools: readonly Tool[],
  { modes: had, toolsFound, staged }: Pick<SessionState, "modes" | "toolsFound" | "staged">,
): ToolDescription[] =>
  tools
    .filter(({ deferred, name }) => deferred !== true || toolsFound.has(name))
    .filter(({ onceStaged }) => onceStaged !== true || staged.size > 0 || had.has("staged"))
    .filter(({ modes }) => modes?.some((mode) => had.has(mode)) ?? true)
    .map((tool) => ({ ...describeTool(tool), name: sendableName(tool.name) }));

/** A27: how a model ends a turn if a mere answer does not. */
const sayWhenDone =
  "- When the whole task is done, and only then, end your last answer with [TASK_COMPLETE].";

/** The system prompt of the default agent. Short on purpose: small local models pay for each word. */
export const systemPrompt = `You are Toolwright, a coding agent.

- Look at files before you speak of them or edit them; never guess. Paths are relative to your directory.
- Prefer edit_file for changes. Ask for independent reads together. After a change, run the tests or the program if you can.
- When a tool fails or a person says no, read the reason and try another way, not the same call again.
- When the task is done, say in a few sentences what you did and verified. Claim nothing that you did not see.`;

/** Where the default agent works. */
export const directoryWords = (workspace: string, platform: string): string =>
  `You work in the directory ${workspace} (${platform}).`;
