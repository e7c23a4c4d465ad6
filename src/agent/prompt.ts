/** The prompt is a view of the log: nothing reaches the model that was not recorded. */
import type { Mode } from "../protocol/facts.ts";
import type { Prompt } from "../providers/provider.ts";
import { describeTool } from "../tools/tool.ts";
import type { TurnRoom } from "./room.ts";

/** What the model is asked next. The unchanged part comes first, so that providers can cache it. */
export function promptOf(room: TurnRoom): Prompt {
  const { state } = room.log;
  return {
    system: [room.system, inMode[state.mode] ?? []].flat().join("\n\n"),
    messages: [...state.messages],
    tools: room.tools.filter(({ modes }) => modes?.includes(state.mode) ?? true).map(describeTool),
  };
}

const inMode: Readonly<Partial<Record<Mode, string>>> = {
  plan: "Plan mode is on: read and search, but change nothing and run nothing. Answer with a plan of concrete steps.",
  staged:
    "Staged mode is on: changes and commands only show what they would change, and give a token. Look at the diff, then apply it by its token.",
};

/** The system prompt of the default agent. Short on purpose: small local models pay for each word. */
export function systemPrompt(workspace: string, platform: string): string {
  return `You are Toolwright, a coding agent. You work in the directory ${workspace} (${platform}).

- Use the tools to look at files before you speak about them; never guess what a file holds.
- Prefer edit_file for changes; read a file before you edit it. Paths are relative to the directory above.
- Independent reads may be asked for together. After a change, run the tests or the program when there is a way to.
- When a tool fails or a person says no, read the reason and try another way; do not repeat the same call.
- When the task is done, say in a few sentences what you did and what you verified. Do not claim what you did not see.`;
}
