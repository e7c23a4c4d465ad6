/** The built command in a real terminal, before a scripted model. */

import { type ModelScript, scriptedModel, type ScriptedModel } from "../../src/providers/scripted-model.ts";
import { commandFile, type Home, newHome } from "../support/command.ts";
import { serve } from "../support/roads.ts";
import { prompted } from "./states.ts";
import { openTmux, type Tmux } from "./tmux.ts";

export const usual = { columns: 100, rows: 30 };

type ScriptedOptions = {
  args?: readonly string[];
  files?: Record<string, string>;
  /** Milliseconds before each piece of an answer. */
  delayMs?: number;
};

/** The terminal waits for a message, below some rows of a shell. */
export async function openScripted(
  script: ModelScript,
  { args = [], files = {}, delayMs }: ScriptedOptions = {},
): Promise<{ terminal: Tmux; home: Home; model: ScriptedModel }> {
  const home = await newHome(files);
  const model = scriptedModel(script, { pieces: 7 });
  const server = await serve(model, delayMs === undefined ? {} : { delayMs });
  Object.assign(home.env, { OLLAMA_HOST: server.url });
  const command = [process.execPath, commandFile, "--model", "ollama/qwen3-coder", ...args];
  const terminal = await openTmux(home, usual, ["sh", "-c", 'seq 60; exec "$@"', "sh", ...command]);
  await prompted(terminal);
  return { terminal, home, model };
}
