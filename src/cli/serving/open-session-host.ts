/** What every server of sessions begins with: its settings, workspace and store, its host, and what clients are told. */

import { join } from "node:path";
import { sha256 } from "../../base/crypto.ts";
import { type Expected, refuse } from "../../base/expected.ts";
import { type Config, stateProblem } from "../../configuration/config.ts";
import { version } from "../../configuration/options/version.ts";
import type { HostSetup } from "../../hosting/host-parts.ts";
import { sessionHost } from "../../hosting/host.ts";
import { People } from "../../hosting/people/people.ts";
import type { SessionHost } from "../../hosting/session-host.ts";
import type { TurnEngine } from "../../hosting/turn-engine.ts";
import { openTelemetry } from "../../runtime/observing/observers.ts";
import { makeWorkspace, modelsToChoose, namingProblem, openStore } from "../../runtime/runtime.ts";
import { type CliContext, complain } from "../cli-context.ts";

/** Reads the settings of a workspace. */
export type SettingsReader = (workspace: string) => Promise<Expected<Config>>;

type SessionHostHandle = { host: SessionHost; people: People; close: () => Promise<void> };

/** `openEngine`: runs the turns elsewhere; by default they run here. */
export async function openSessionHost(
  context: CliContext,
  settingsFor: SettingsReader,
  openEngine?: (setup: HostSetup) => Promise<Expected<TurnEngine>>,
): Promise<Expected<SessionHostHandle>> {
  const setup = await openHostSetup(context, settingsFor);
  if (!setup.ok) return setup;
  const { store } = setup.value;
  const engine = await openEngine?.(setup.value);
  if (engine?.ok === false) {
    await store.close();
    return engine;
  }
  const host = sessionHost({ ...setup.value, engine: engine?.value });
  const close = async (): Promise<void> => {
    await host.close();
    await store.close();
  };
  return { ok: true, value: { host, people: new People(store.team), close } };
}

/** Tells the warnings of the settings first. Whoever asked closes the store. */
export async function openHostSetup(
  context: CliContext,
  settingsFor: SettingsReader,
): Promise<Expected<HostSetup>> {
  const { terminal, settings, model } = context;
  for (const warning of settings.warnings) complain(terminal, warning);
  // The sessions use the same instance of the SDK, but open only later.
  const telemetry = await openTelemetry(settings, terminal.env);
  if (telemetry?.ok === false) complain(terminal, telemetry.problem);
  const misplaced = stateProblem(settings);
  if (misplaced !== undefined) return refuse(misplaced);
  const workspace = await makeWorkspace(settings.workspace);
  if (!workspace.ok) return workspace;
  const store = await openStore(settings);
  if (!store.ok) return store;
  const owner = sha256(Buffer.from(storeName(settings))).slice(0, 16);
  const setup = {
    store: store.value,
    workspace: workspace.value,
    mode: settings.mode,
    whenAway: settings.whenAway,
    settingsFor: async (place: string) => outsideOf(await settingsFor(place)),
    context: { env: terminal.env, model },
    checkouts: {
      directory: settings.checkouts,
      cache: join(settings.stateDir, "repositories", owner),
      owner,
      protocols: settings.gitProtocols,
      env: terminal.env,
    },
  };
  return { ok: true, value: setup };
}

/** The same for all programs that keep their sessions in one place, whoever they are there. */
const storeName = ({ database, stateDir }: Config): string =>
  database?.replace(/\/\/[^/@]*@/u, "//") ?? stateDir;

/** The state directory must not lie inside any other workspace either. */
function outsideOf(settings: Expected<Config>): Expected<Config> {
  const problem = settings.ok ? stateProblem(settings.value) : undefined;
  return problem === undefined ? settings : refuse(problem);
}

/** With a model's or dialect's name that can never be valid no session could open, which is told at the start. */
export const misnamedIn = ({ settings, terminal, model }: CliContext): string | undefined =>
  model === undefined ? namingProblem(settings, terminal.env) : undefined;

/** What clients are told, and where lines about them go. */
export const servingWords = ({ terminal, settings, model }: CliContext) => ({
  version,
  models: async () => ({
    ...(await modelsToChoose(settings, terminal.env)),
    ...(model ? { usual: model.name } : {}),
  }),
  log: (line: string): void => complain(terminal, line),
});
