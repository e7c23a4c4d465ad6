/** Reports what fills the context of a stored session, from its log and what is known of its model. */

import { type ContextReport, contextReport, type Filling } from "../agent/context/report.ts";
import { directoryWords, systemPrompt, toolsTold } from "../agent/prompt.ts";
import type { EnvironmentVariables } from "../base/environment-variables.ts";
import type { Expected } from "../base/expected.ts";
import type { Config } from "../configuration/config.ts";
import { openModel } from "../providers/open-model.ts";
import { tools } from "../tools/index.ts";
import { findModel, openOptions, orProblem } from "./models/models.ts";
import { readSession } from "./read-session.ts";

export type { ContextReport, Filling };

/** Time limit for asking a server for its model's window size. */
const mostMs = 2_000;

/**
 * Reports on the newest session of this workspace, or the one the settings name, with their model or the session's
 * last.
 */
export async function readContext(
  settings: Config,
  env: EnvironmentVariables,
): Promise<Expected<ContextReport>> {
  const read = await readSession(settings, async ({ state }) => state);
  if (!read.ok) return read;
  const state = read.value;
  const name = settings.model ?? state.model;
  const model = { name, contextTokens: await windowOf({ ...settings, model: name }, env) };
  const told = {
    state,
    system: `${systemPrompt}\n\n${directoryWords(state.workspace, process.platform)}`,
    tools: toolsTold(tools, state),
    model: name,
  };
  return { ok: true, value: contextReport(told, model) };
}

/** Undefined if the window size is unknown: callers then assume a usual one. */
async function windowOf(settings: Config, env: EnvironmentVariables): Promise<number | undefined> {
  if (settings.contextTokens !== undefined) return settings.contextTokens;
  const [choice, options] = [await findModel(settings, env), openOptions(settings)];
  if (!choice.ok || !options.ok) return undefined;
  const signal = AbortSignal.timeout(mostMs);
  const opened = await orProblem(openModel(choice.value, { ...options.value, signal })).catch(
    () => undefined,
  );
  return opened?.ok ? opened.value.contextTokens : undefined;
}
