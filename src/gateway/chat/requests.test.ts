import fc from "fast-check";
import { expect, test } from "vitest";
import { callOf, readRequest } from "./requests.ts";

test.for<[string, object | string, string]>([
  ["not JSON", "{", "not-json"],
  ["nothing", "", "not-json"],
  ["a list", "[1]", "invalid"],
  ["null", "null", "invalid"],
  ["no type", {}, "invalid"],
  ["an unknown type", { type: "chat.fly" }, "unknown-type"],
  ["a name of the prototype", { type: "constructor" }, "unknown-type"],
  ["another name of the prototype", '{"type":"__proto__"}', "unknown-type"],
  ["a message without content", { type: "chat.send" }, "invalid"],
  ["content of another type", { type: "chat.send", content: 5 }, "invalid"],
  ["an unknown part", { type: "chat.send", content: [{ type: "film" }] }, "invalid"],
  [
    "an image of a wrong media type",
    { type: "chat.send", content: [{ type: "image", mediaType: "text/html", data: "YQ==" }] },
    "invalid",
  ],
  [
    "an image that is not Base64",
    { type: "chat.send", content: [{ type: "image", mediaType: "image/png", data: "<x>" }] },
    "invalid",
  ],
  ["too deep", `{"type":"ping","a":${"[".repeat(5_000)}${"]".repeat(5_000)}}`, "too-deep"],
  ["deeper than any stack", "[".repeat(900_000), "not-json"],
  [
    "more parts than a message has",
    { type: "chat.send", content: Array.from({ length: 40_000 }, () => ({ type: "x" })) },
    "too-large",
  ],
  ["a megabyte of garbage", "\u0000x".repeat(600_000), "too-large"],
  [
    "an approval that is not yes or no",
    { type: "tool.approval.response", callId: "x", approved: "yes" },
    "invalid",
  ],
])("a bad frame is refused with a code and a message: %s", ([, frame, code]) => {
  const read = readRequest(typeof frame === "string" ? frame : JSON.stringify(frame));
  expect(read).toMatchObject({ ok: false, fault: { code, message: expect.stringMatching(/^.{20,500}$/su) } });
});

test("any input is parsed or refused with its request id", () => {
  const odd = fc
    .json()
    .map((json) => `{"requestId":"r","type":"chat.send","__proto__":${json},"content":${json}}`);
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), odd), (text) => {
      const read = readRequest(text);
      const id = read.ok ? read.request.requestId : read.fault.requestId;
      expect(id).toBe(text.startsWith('{"requestId":"r"') ? "r" : undefined);
    }),
  );
});

test("an approval names its call by callId or approvalId, and different values are refused", () => {
  const answer = { type: "tool.approval.response", approved: true } as const;
  expect(callOf({ ...answer, approvalId: "a" })).toEqual({ ok: true, value: "a" });
  expect(callOf({ ...answer, callId: "a", approvalId: "a" })).toEqual({ ok: true, value: "a" });
  expect(callOf({ ...answer, callId: "a", approvalId: "b" })).toMatchObject({ ok: false });
  expect(callOf(answer)).toMatchObject({ ok: false });
});
