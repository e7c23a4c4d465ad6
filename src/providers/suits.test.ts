/** The defaults that suit a model depend on its way of calling tools, and pass through every wrapper around it. */

import { expect, test } from "vitest";
import { yipsAgent } from "../dialects/yips.ts";
import type { Model } from "./provider.ts";
import { scriptedModel } from "./scripted-model.ts";
import { sightless } from "./sightless-model.ts";
import { switching } from "./switching-model.ts";
import { chosenWay, waysOf } from "./ways.ts";
import { withoutEcho } from "./without-echo.ts";

const bare = scriptedModel([]);
const around = (model: Model): Model => withoutEcho(sightless(model));
const native = (model: Model) =>
  switching(around(model), waysOf(around(model), { model: "m", capabilities: { tools: true } }));

test("A12, B10: a taught dialect defaults to completion: writes, and yips-agent also to six rounds", () => {
  expect(native(bare).suits).toBeUndefined();
  const taught = waysOf(bare, { model: "m", capabilities: { tools: false } });
  expect(switching(bare, taught).suits).toEqual({ completion: "writes" });
  expect(switching(bare, chosenWay(bare, yipsAgent)).suits).toEqual({ completion: "writes", maxRounds: 6 });
});

test("a model's own defaults also apply with native tools", () => {
  expect(native({ ...bare, suits: { completion: "writes" } }).suits).toEqual({ completion: "writes" });
});
