/** The window's core for all features: the settings go in, a client comes out. */

import * as vscode from "vscode";
import type { GatewayAddress } from "../common/relay/editor-end.ts";
import type { CoreChoice } from "../node/begin-core.ts";
import type { CoreEndpoint } from "../node/core-process.ts";
import { CoreKeeper } from "../node/core.ts";
import { coreSettings, folderOfWindow, settingsOfCore } from "./core-settings.ts";
import type { Core, FeatureContext } from "./feature-context.ts";

type WindowCore = CoreEndpoint & Core & { isOutdated: () => boolean };

export type CoreService = {
  context: FeatureContext;
  /** Where the core's gateway is now; begins one if none runs. */
  address: () => Promise<GatewayAddress>;
  /** Whether a core runs that began with other settings than those of now. */
  isOutdated: () => boolean;
  /** Ends the core; the next request begins another one, with the settings of then. */
  stop: () => void;
  dispose: () => void;
};

/** Begins nothing yet. */
export function coreService(extension: vscode.ExtensionContext, log: vscode.LogOutputChannel): CoreService {
  const told = new vscode.EventEmitter<Core>();
  const keeper = new CoreKeeper<WindowCore>({
    begin: () => begin(extension, log),
    begun(core) {
      log.info(`The core is at ${core.address.url}.`);
      told.fire(core);
    },
    lost(core, because) {
      log.warn(`The core is gone: ${because}.`);
      core.dispose();
    },
  });
  return {
    context: {
      extension,
      log,
      core: () => keeper.core(),
      coreIfRunning: () => keeper.running,
      onCore: told.event,
    },
    address: async () => (await keeper.core()).address,
    isOutdated: () => keeper.running?.isOutdated() === true,
    stop: () => keeper.stop(),
    dispose() {
      keeper.close();
      told.dispose();
    },
  };
}

/** What only a core needs is loaded when one is asked for. */
async function begin(extension: vscode.ExtensionContext, log: vscode.LogOutputChannel) {
  const folder = folderOfWindow();
  if (folder === undefined) return { ok: false as const, problem: noFolder() };
  const { beginCore, clientOf } = await import("../node/open-core.ts");
  const settings = (): CoreChoice => coreSettings(extension, { folder, log });
  const given = settings();
  const begun = await beginCore(given);
  if (!begun.ok) {
    log.error(begun.problem);
    return begun;
  }
  const { client, live } = clientOf(begun.value.address);
  const dispose = (): void => live.close();
  const stop = (): void => {
    dispose();
    begun.value.stop();
  };
  const isOutdated = (): boolean =>
    settingsOfCore(settings(), begun.value) !== settingsOfCore(given, begun.value);
  return { ok: true as const, value: { ...begun.value, client, live, dispose, stop, isOutdated } };
}

const noFolder = (): string => vscode.l10n.t("Toolwright works in a folder on this machine: open one first.");
