import { expect, test } from "vitest";
import { scripted } from "../providers/scripted.ts";
import { testSession } from "../testing/session.ts";
import { imageProblem } from "./sent-images.ts";

const png = "iVBORw0KGgoAAAAN";
const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]).toString("base64");
const webp = Buffer.from("RIFF\0\0\0\0WEBPVP8 ").toString("base64");
const image = (mediaType: string, data: string) => ({ type: "image" as const, mediaType, data });

test("pictures that models take can be sent", () => {
  const gif = Buffer.from("GIF89a...").toString("base64");
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
  ["no base64", image("image/png", "!!!!"), "no base64"],
  ["an address", image("image/png", `data:image/png;base64,${png}`), "no base64"],
  ["another picture than it says", image("image/png", jpeg), "image/jpeg"],
  ["something else", image("image/png", "QUFBQUFBQUE="), "application/octet-stream"],
])("%s is refused as a picture", (_, part, said) => {
  expect(imageProblem([part])).toContain(said);
});

test("a message with something that is no picture changes nothing", async () => {
  const { session, facts, close } = await testSession(scripted([]));
  const before = facts().length;
  const outcome = await session.command({ type: "send", content: [image("image/png", "QUFBQQ==")] });
  expect(outcome).toMatchObject({ ok: false });
  expect(facts().length).toBe(before);
  await close();
});
