/** The models within reach, as VS Code lists them. */

import type { ModelLimits } from "./lm-server-client.ts";

/** As `models` of a gateway tells them. */
export type ReachableModels = {
  providers: readonly { provider: string; models: readonly string[] }[];
  usual?: string | undefined;
};

/** The fields of VS Code's own description of a model. */
export type ModelRow = {
  id: string;
  name: string;
  family: string;
  version: string;
  detail: string;
  maxInputTokens: number;
  maxOutputTokens: number;
  capabilities: { toolCalling: boolean; imageInput: boolean };
};

/** Names as for --model, the usual one first. */
export function modelNames({ providers, usual }: ReachableModels): string[] {
  const all = providers.flatMap(({ provider, models }) => models.map((model) => `${provider}/${model}`));
  return [...new Set([...(usual === undefined ? [] : [usual]), ...all])];
}

/** Assumed of a model whose window nobody knows: agents give up on less. */
const assumedTokens = 65_536;
/** The part of the window that is kept for the answer. */
const answerShare = 4;
const mostAnswer = 32_768;

/** Every model can call tools: one that has none of its own is taught. */
export function modelRow(name: string, limits: ModelLimits | undefined): ModelRow {
  const tokens = limits?.tokens ?? assumedTokens;
  const output = Math.min(mostAnswer, Math.floor(tokens / answerShare));
  const [provider = "", ...rest] = name.split("/");
  return {
    id: name,
    name: rest.length === 0 ? name : rest.join("/"),
    family: rest.at(-1) ?? provider,
    version: "1",
    detail: provider,
    maxInputTokens: tokens - output,
    maxOutputTokens: output,
    capabilities: { toolCalling: true, imageInput: limits?.sees ?? false },
  };
}
