/**
 * The chat templates of real models, rendered, beside what we write into the history of such a model: the same calls,
 * and the same results where a template shows them in a form that a user's turn can hold.
 */

import { beforeAll, expect, test } from "vitest";
import { dialectOf } from "../../src/dialects/choose.ts";
import type { Dialect } from "../../src/dialects/dialect.ts";
import { markedCall, words } from "../../src/dialects/from-template/conversation.ts";
import { knownForm } from "../../src/dialects/from-template/known-form.ts";
import { ownForm } from "../../src/dialects/from-template/own-form.ts";
import { renderTemplate } from "../../src/dialects/from-template/render.ts";
import { shownForm, type ShownForm } from "../../src/dialects/from-template/shown-form.ts";
import { allDialects } from "../../src/dialects/index.ts";
import { realTemplates } from "../support/real-templates.ts";

type Compared = { name: string; dialect: Dialect | undefined; shown: ShownForm | undefined };

let all: readonly Compared[];
beforeAll(async () => {
  const compared: Compared[] = [];
  for (const [name, source] of await realTemplates()) {
    const renderings = await renderTemplate(source);
    const dialect = dialectOf({ model: "unknown", template: source })?.dialect;
    compared.push({ name, dialect, shown: renderings && shownForm(renderings) });
  }
  all = compared;
});

/** Templates of a kind, by name. */
const those = (counts: (one: Compared) => boolean): string[] =>
  all
    .filter(counts)
    .map(({ name }) => name)
    .toSorted();
const dense = (text: string): string => text.replaceAll(/\s+/g, "");

test("every template is recognised whose model writes calls; the others know no tools", () => {
  expect(all.length).toBeGreaterThan(60);
  expect(those(({ dialect }) => !dialect)).toEqual([
    // Its calls are in its system prompt alone.
    "HuggingFaceTB-SmolLM3-3B",
    "google-gemma-2-2b-it",
    "llama-cpp-rwkv-world",
    "microsoft-Phi-3.5-mini-instruct",
  ]);
});

test("what is recognised by its text is what its rendered call shows, and no other form is derived", () => {
  let agreed = 0;
  for (const { name, dialect, shown } of all) {
    const known = shown && knownForm(shown, allDialects);
    if (known) expect(known.name, name).toBe(dialect?.name);
    else if (shown) expect(ownForm(shown), name).toBeUndefined();
    agreed += known ? 1 : 0;
  }
  expect(agreed).toBeGreaterThan(40);
});

test("A18: calls are written as the templates write them", () => {
  const differs = those(({ dialect, shown }) => !!dialect && !!shown && !knownForm(shown, [dialect]));
  expect(differs).toEqual([
    "GigaChat3-10B-A1.8B", // in a turn of its own
    "Kimi-K3", // and a response, which is empty
    "Mistral-Small-3.2-24B-Instruct-2506", // and an id, which later versions have no more
    "google-gemma-4-31B-it", // and the mark of the result, at which the model stops
    "muse-glimmer", // behind the header of a message to the tool
    "openai-gpt-oss-120b", // behind the header of a message to the tool
  ]);
});

/** Their results have a turn of their own, whose tokens are not sent in a user's. */
const ownTurns = [
  "GigaChat3-10B-A1.8B",
  "GigaChat3.1-10B-A1.8B",
  "CohereForAI-c4ai-command-r-plus-tool_use",
  "LFM2.5-8B-A1B",
  "MiniMax-M1",
  "Mistral-Small-3.2-24B-Instruct-2506",
  "deepseek-ai-DeepSeek-R1-Distill-Qwen-32B",
  "deepseek-ai-DeepSeek-V3.1",
  "google-gemma-4-31B-it",
  "google-gemma-4-31B-it-interleaved",
  "llama-cpp-deepseek-r1",
  "meetkai-functionary-medium-v3.1",
  "meta-llama-Llama-3.1-8B-Instruct",
  "meta-llama-Llama-3.2-3B-Instruct",
  "meta-llama-Llama-3.3-70B-Instruct",
  "mistralai-Ministral-3-14B-Reasoning-2512",
  "mistralai-Mistral-Nemo-Instruct-2407",
  "moonshotai-Kimi-K2",
  "openai-gpt-oss-120b",
  "unsloth-mistral-Devstral-Small-2507",
  "upstage-Solar-Open-100B",
];
/** They put the results into a list without quotation marks, where ours are objects with the tools' names. */
const lists = ["Apertus-8B-Instruct", "NVIDIA-Nemotron-Nano-v2"];

test("A18: results are written as the templates write them, where a user's turn can hold that", () => {
  const result = {
    id: markedCall.id,
    name: markedCall.name,
    isError: false,
    content: [{ type: "text" as const, text: words.result }],
  };
  // The tool's name, which we add for models whose results have a mark without one.
  const plain = (text: string): string => dense(text).replaceAll(`name="${markedCall.name}"`, "");
  const differs = those(
    ({ dialect, shown }) =>
      !!dialect && !!shown && !plain(shown.told ?? "").includes(plain(dialect.writeResults([result]))),
  );
  expect(differs).toEqual([...ownTurns, ...lists].toSorted());
});
