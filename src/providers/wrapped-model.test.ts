import { expect, test } from "vitest";
import { hermes } from "../dialects/hermes.ts";
import type { Model } from "./provider.ts";
import { rescuedModel } from "./rescued-model.ts";
import { scriptedModel } from "./scripted-model.ts";
import { sightless } from "./sightless-model.ts";
import { switching } from "./switching-model.ts";
import { taughtModel } from "./taught-model.ts";
import { withoutEcho } from "./without-echo.ts";

const wrappers: Readonly<Record<string, (model: Model) => Model>> = {
  rescued: rescuedModel,
  sightless,
  switching: (model) => switching(model, { ways: [{ name: "native", model }], because: undefined }),
  taught: (model) => taughtModel(model, hermes),
  "without echo": withoutEcho,
};

test.each(Object.entries(wrappers))(
  "a %s model tells all that the model tells, as it is now",
  async (_, wrap) => {
    let notice = "at first";
    const model = wrap({
      ...scriptedModel([]),
      name: "here/model",
      contextTokens: 8_000,
      thinks: true,
      get notice() {
        return notice;
      },
      lack: () => Promise.resolve("none is there"),
    });
    notice = "later";
    expect(model).toMatchObject({ name: "here/model", contextTokens: 8_000, thinks: true });
    expect(model.notice).toMatch(/^later/u);
    await expect(model.lack?.()).resolves.toBe("none is there");
  },
);
