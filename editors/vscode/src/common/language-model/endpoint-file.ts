/** The entry of `chatLanguageModels.json`, by which VS Code asks a language-model server without our provider. */

import { applyEdits, modify, parse } from "jsonc-parser";
import { type Expected, refuse } from "../../../../../src/base/expected.ts";
import { isObject } from "../../../../../src/base/json.ts";
import { inEnglishOnly, t } from "../translate.ts";
import type { ModelRow } from "./model-rows.ts";

const entryName = "Toolwright";

/**
 * The key is in the address: VS Code does not send one that stands in this file. `base` is like
 * "http://127.0.0.1:4143/k/KEY".
 */
export type EndpointEntry = { base: string; models: readonly ModelRow[] };

/** The file's new text; what else it holds stays, comments too. `text` is empty where there is no file yet. */
export function withEndpoint(text: string, entry: EndpointEntry): Expected<string> {
  const whole = text.trim() === "" ? "[]" : text;
  const list: unknown = parse(whole);
  if (!Array.isArray(list))
    return refuse(t("chatLanguageModels.json holds no list: correct it, or delete it."));
  const known = list.findIndex((one) => isObject(one) && one["name"] === entryName);
  const path = [known === -1 ? list.length : known];
  const edits = modify(whole, path, entryOf(entry), {
    formattingOptions: { insertSpaces: false, tabSize: 1 },
    isArrayInsertion: known === -1,
  });
  return { ok: true, value: applyEdits(whole, edits) };
}

const entryOf = ({ base, models }: EndpointEntry) => ({
  name: entryName,
  vendor: "customendpoint",
  // As VS Code's own entries have one; it is not sent.
  apiKey: inEnglishOnly("in the address"),
  models: models.map(({ id, maxInputTokens, maxOutputTokens, capabilities }) => ({
    id,
    name: id,
    url: `${base}/v1/chat/completions`,
    toolCalling: capabilities.toolCalling,
    vision: capabilities.imageInput,
    maxInputTokens,
    maxOutputTokens,
  })),
});
