/** Serves Toolwright's models to VS Code's own agent, and to every extension that asks for a model. */

import * as vscode from "vscode";
import { askModel } from "../../common/language-model/lm-server-client.ts";
import { tokensOf } from "../../common/language-model/token-count.ts";
import type { LmServers } from "../../node/language-model/lm-servers.ts";
import type { Core } from "../feature-context.ts";
import { withSignal } from "../with-signal.ts";
import type { ChatModelProvider } from "./chat-provider-api.ts";
import { chatAsk, partsIn } from "./chat-turns.ts";
import type { ModelDirectory } from "./model-directory.ts";

type ProviderSetup = {
  directory: ModelDirectory;
  servers: LmServers;
  /** Starts one if need be. */
  core: () => Promise<Core>;
};

/** Asked silently, it starts nothing: VS Code does so whenever its list of models is shown. */
export function modelProvider({ directory, servers, core }: ProviderSetup): ChatModelProvider {
  return {
    onDidChangeLanguageModelChatInformation: directory.onDidChange,
    async provideLanguageModelChatInformation({ silent }) {
      if (!silent && vscode.workspace.isTrusted) await refresh({ directory, servers, core });
      return directory.rows();
    },
    async provideLanguageModelChatResponse(model, messages, options, progress, token) {
      if (!vscode.workspace.isTrusted)
        throw new Error(vscode.l10n.t("Toolwright starts nothing in a folder without trust."));
      const place = await servers.serving([...new Set([...directory.names(), model.id])]);
      if (!place.ok) throw new Error(place.problem);
      const ask = chatAsk(model.id, messages, options);
      await withSignal(token, async (signal) => {
        for await (const piece of askModel(place.value, ask, signal)) {
          if (piece.type === "text") progress.report(new vscode.LanguageModelTextPart(piece.text));
          if (piece.type === "call")
            progress.report(new vscode.LanguageModelToolCallPart(piece.id, piece.name, piece.input));
        }
      });
    },
    async provideTokenCount(_model, text) {
      return tokensOf(partsIn(typeof text === "string" ? text : text.content));
    },
  };
}

async function refresh({ directory, servers, core }: ProviderSetup): Promise<void> {
  const { client } = await core();
  await directory.learnNames(await client.models());
  const names = directory.names();
  if (names.length === 0) return;
  const place = await servers.serving(names);
  if (!place.ok) throw new Error(place.problem);
  await directory.learnLimits(place.value);
}
