/** Opens a chosen model: asks its server what it can do, and teaches it a dialect if it has no native tools. */
import { defaultDialect } from "../dialects/index.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { ModelError } from "../protocol/model-events.ts";
import type { Capabilities } from "./capabilities.ts";
import { firstChat, listModels, type Choice } from "./discover.ts";
import { httpModel, type HttpModelOptions } from "./http-model.ts";
import type { Model } from "./provider.ts";
import { taught } from "./taught-model.ts";

export type OpenOptions = Pick<
  HttpModelOptions,
  "contextTokens" | "reasoning" | "maxTokens" | "timeouts" | "retry"
> & {
  /** A dialect to teach even if the model has native tools; "native" teaches none even if it has not. Else as it is. */
  dialect?: Dialect | "native" | undefined;
  signal?: AbortSignal | undefined;
};

/** Throws ModelError: nothing answers, no such model. */
export async function openModel(choice: Choice, options: OpenOptions = {}): Promise<Model> {
  const { dialect, signal, ...rest } = options;
  const { provider, server } = choice;
  const listed = choice.model === undefined ? await firstListed(choice, signal) : undefined;
  const model = listed?.id ?? choice.model ?? "";
  const capabilities: Capabilities = (await provider.describe?.(server, model, signal)) ?? {
    tools: true,
    contextTokens: listed?.contextTokens ?? provider.contextTokens,
  };
  const contextTokens = rest.contextTokens ?? capabilities.contextTokens;
  const open = provider.open ?? httpModel;
  const opened = open({ ...rest, server, model, contextTokens }, capabilities);
  if (dialect === "native" || (dialect === undefined && capabilities.tools)) return opened;
  return taught(opened, dialect ?? defaultDialect);
}

async function firstListed({ provider, server }: Choice, signal: AbortSignal | undefined) {
  const model = firstChat(await listModels(provider, server, signal ? { signal } : {}));
  if (model) return model;
  throw new ModelError(
    "unknown-model",
    `${provider.title} lists no model: load one, or name it with --model ${provider.name}/….`,
  );
}
