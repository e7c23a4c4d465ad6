/** The choices in a session's settings. */

import { expect, test } from "vitest";
import { modes } from "../../protocol/fact-words.ts";
import { modeChoices } from "../../view/mode-choices.ts";
import { modelChoices } from "./setting-words.ts";

test("every mode is offered exactly once", () => {
  expect(modeChoices.map(({ mode }) => mode).sort()).toEqual([...modes].sort());
});

test("models are grouped by provider, and the one in use is always offered", () => {
  const models = {
    providers: [
      { provider: "near", models: ["small", "near/large"] },
      { provider: "far", models: [], problem: "It does not answer." },
    ],
  };
  expect(modelChoices(models, "old/one")).toEqual({
    groups: [
      { provider: "In use", models: ["old/one"] },
      { provider: "near", models: ["near/small", "near/large"] },
    ],
    problems: ["far: It does not answer."],
  });
  expect(modelChoices(models, "near/large").groups).toHaveLength(1);
  expect(modelChoices(undefined, "")).toEqual({ groups: [], problems: [] });
});
