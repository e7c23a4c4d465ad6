import { expect, test } from "vitest";
import type { Model } from "../../providers/provider.ts";
import { scriptedModel } from "../../providers/scripted-model.ts";
import { sightless } from "../../providers/sightless-model.ts";
import { testPng, testPicture } from "../../testing/pictures.ts";
import { testSession } from "../../testing/session.ts";
import { imageProblem } from "./sent-images.ts";

const png = testPng().toString("base64");
const jpeg = Buffer.from([
  0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 11, 8, 0, 1, 0, 2, 1, 1, 0x11, 0,
]).toString("base64");
const webp = Buffer.concat([
  Buffer.from([0x52, 0x49, 0x46, 0x46, 22, 0, 0, 0]),
  Buffer.from("WEBPVP8 \n\0\0\0\0\0\0\x9d\x01\x2a\x02\0\x01\0", "latin1"),
]).toString("base64");
const garbage = Buffer.concat([testPng().subarray(0, 8), Buffer.alloc(64, 0xee)]).toString("base64");
const cut = testPng({ padding: 64 }).subarray(0, 80).toString("base64");
const image = (mediaType: string, data: string) => ({ type: "image" as const, mediaType, data });

test("images of the types that models accept can be sent", () => {
  const gif = Buffer.from("GIF89a\x02\0\x01\0\0\0\0;", "latin1").toString("base64");
  const content = [
    image("image/png", png),
    image("image/jpeg", jpeg),
    image("image/webp", webp),
    image("image/gif", gif),
  ];
  expect(imageProblem([{ type: "text", text: "look" }, ...content])).toBeUndefined();
});

test.each([
  ["another type", image("text/html", png), "image/png, image/jpeg"],
  ["a drawing that can hold scripts", image("image/svg+xml", "PHN2Zz48L3N2Zz4="), "image/svg+xml"],
  ["a type with a line break", image("image/png\r\nX: y", png), String.raw`image/png\r\nX: y`],
  ["nothing", image("image/png", ""), "no base64"],
  ["invalid base64", image("image/png", "!!!!"), "no base64"],
  ["a data URL", image("image/png", `data:image/png;base64,${png}`), "no base64"],
  ["an image of another type than declared", image("image/png", jpeg), "image/jpeg"],
  ["something else", image("image/png", "QUFBQUFBQUE="), "application/octet-stream"],
  ["a valid beginning followed by garbage", image("image/png", garbage), "damaged or cut off"],
  ["a truncated image", image("image/png", cut), "damaged or cut off"],
  ["an image without a size", testPicture({ width: 0 }), "damaged or cut off"],
  ["an image of too many pixels", testPicture({ width: 9_000 }), "9000 × 1 pixels"],
  ["an image of too many bytes", testPicture({ padding: 5 * 1024 ** 2 }), "make it smaller"],
])("%s is refused as an image", (_, part, said) => {
  expect(imageProblem([part])).toContain(said);
});

test("images within the limit each can exceed the limit together", () => {
  const large = testPicture({ padding: 4.5 * 1024 ** 2 });
  expect(imageProblem([large, large, large, large])).toBeUndefined();
  expect(imageProblem([large, large, large, large, large])).toContain("together");
});

test("a model without vision is told that there are images, the person is warned, and a model with vision sees them later", async () => {
  const blind = scriptedModel([[{ say: "I cannot see it." }], [{ say: "Still not." }]], {
    name: "scripted/blind",
  });
  const seeing = scriptedModel([[{ say: "A dot." }]], { name: "scripted/seeing" });
  const openModel = async (name: string): Promise<{ ok: true; value: Model }> => ({
    ok: true,
    value: name === seeing.name ? seeing : sightless(blind),
  });
  const { session, facts, close, ask } = await testSession(sightless(blind), { openModel });
  const content = [{ type: "text" as const, text: "What is this?" }, testPicture(), testPicture()];
  await session.command({ type: "send", content });
  await session.idle();
  const types = facts().map(({ type }) => type);
  const warned = types.indexOf("warning");
  expect(warned).toBeLessThan(types.indexOf("user-message"));
  expect(facts()[warned]).toMatchObject({
    text: expect.stringContaining(
      "scripted/blind cannot see the 2 pictures: it is only told that there are 2",
    ),
  });
  expect(JSON.stringify(blind.prompts)).toContain("which this model cannot see");
  await ask("And now?");
  expect(facts().filter(({ type }) => type === "warning")).toHaveLength(1);
  await session.command({ type: "set-model", model: "scripted/seeing" });
  await ask("And you?");
  expect(JSON.stringify(seeing.prompts)).toContain(testPicture().data);
  await session.command({ type: "set-model", model: "scripted/blind" });
  expect(facts().at(-1)).toMatchObject({ type: "warning", code: "unseen-pictures" });
  await close();
});

test("a message with an invalid image is refused and records nothing", async () => {
  const { session, facts, close } = await testSession(scriptedModel([]));
  const before = facts().length;
  const outcome = await session.command({ type: "send", content: [image("image/png", "QUFBQQ==")] });
  expect(outcome).toMatchObject({ ok: false });
  expect(facts().length).toBe(before);
  await close();
});
