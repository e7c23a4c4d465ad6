/** Makes VS Code's own agent a client: our models as its models, our sessions as a tool and a participant of its chat. */

import * as vscode from "vscode";
import { errorMessage } from "../../../../../src/base/expected.ts";
import { LmServers } from "../../node/language-model/lm-servers.ts";
import type { FeatureContext } from "../feature-context.ts";
import { registerChatModels } from "./chat-provider-api.ts";
import { registerEndpointCommand } from "./endpoint-command.ts";
import { ModelDirectory } from "./model-directory.ts";
import { modelProvider } from "./model-provider.ts";
import { registerParticipant } from "./participant.ts";
import { programStart } from "./program-start.ts";
import { registerTaskTool } from "./task-tool.ts";

const vendor = "toolwright";

/** The server of models starts when VS Code first asks one. */
export function registerLanguageModel(context: FeatureContext): vscode.Disposable {
  const { extension, log } = context;
  const directory = new ModelDirectory(extension.globalState);
  const servers = new LmServers({ program: () => programStart(context), log: (line) => log.debug(line) });
  const learn = async (): Promise<void> => {
    const core = context.coreIfRunning();
    if (core) await directory.learnNames(await core.client.models());
  };
  const learnQuietly = (): void =>
    void learn().catch((error: unknown) => log.debug(`The list of models: ${errorMessage(error)}`));
  learnQuietly();
  return vscode.Disposable.from(
    directory,
    context.onCore(learnQuietly),
    registerChatModels(vendor, modelProvider({ directory, servers, core: () => context.core() })),
    registerParticipant(context),
    registerTaskTool(context),
    registerEndpointCommand(extension),
    new vscode.Disposable(() => void servers.close()),
  );
}
