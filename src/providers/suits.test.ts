/** The defaults that suit a model depend on the way it is asked, and survive every wrapper around it. */

import { expect, test } from "vitest";
import { yipsAgent } from "../dialects/yips-agent.ts";
import type { Model } from "./provider.ts";
import { scripted } from "./scripted.ts";
import { sightless } from "./sightless-model.ts";
import { switching } from "./switching-model.ts";
import { chosenWay, waysOf } from "./ways.ts";
import { withoutEcho } from "./without-echo.ts";

const bare = scripted([]);
const around = (model: Model): Model => withoutEcho(sightless(model));
const native = (model: Model) =>
  switching(around(model), waysOf(around(model), { model: "m", capabilities: { tools: true } }));

test("A12, B10: a model that is taught its calls is held to what was asked, and an envelope has six rounds", () => {
  expect(native(bare).suits).toBeUndefined();
  const taught = waysOf(bare, { model: "m", capabilities: { tools: false } });
  expect(switching(bare, taught).suits).toEqual({ completion: "writes" });
  expect(switching(bare, chosenWay(bare, yipsAgent)).suits).toEqual({ completion: "writes", maxRounds: 6 });
});

test("what suits a server's models suits them with native tools, too", () => {
  expect(native({ ...bare, suits: { completion: "writes" } }).suits).toEqual({ completion: "writes" });
});
