/** The session host of a server whose clients may name workspaces of their own: `serve` and `acp`. */

import { type Expected, refuse } from "../../base/expected.ts";
import { type Config, stateProblem } from "../../configuration/config.ts";
import { sessionHost } from "../../hosting/host.ts";
import type { SessionHost } from "../../hosting/session-host.ts";
import { openStore } from "../../runtime/runtime.ts";
import { type CliContext, complain } from "../cli-context.ts";
import { tellOfTelemetry } from "./telemetry-warning.ts";
import { workspaceAt } from "./workspace-at.ts";

/** Reads the settings of a workspace. */
export type SettingsReader = (workspace: string) => Promise<Expected<Config>>;

type SessionHostHandle = { host: SessionHost; close: () => Promise<void> };

/** Tells the warnings of the settings first. */
export async function openSessionHost(
  context: CliContext,
  settingsFor: SettingsReader,
): Promise<Expected<SessionHostHandle>> {
  const { terminal, settings, model } = context;
  for (const warning of settings.warnings) complain(terminal, warning);
  await tellOfTelemetry(context);
  const misplaced = stateProblem(settings);
  if (misplaced !== undefined) return refuse(misplaced);
  const workspace = await workspaceAt(settings.workspace);
  if (!workspace.ok) return workspace;
  const store = await openStore(settings);
  if (!store.ok) return store;
  const host = sessionHost({
    store: store.value,
    workspace: workspace.value,
    mode: settings.mode,
    whenAway: settings.whenAway,
    settingsFor: async (place) => outsideOf(await settingsFor(place)),
    context: { env: terminal.env, model },
  });
  const close = async (): Promise<void> => {
    await host.close();
    await store.value.close();
  };
  return { ok: true, value: { host, close } };
}

/** The state directory must not lie inside any other workspace either. */
function outsideOf(settings: Expected<Config>): Expected<Config> {
  const problem = settings.ok ? stateProblem(settings.value) : undefined;
  return problem === undefined ? settings : refuse(problem);
}
