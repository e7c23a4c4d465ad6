import { expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import type { ModelErrorKind } from "../../protocol/model-events.ts";
import { gemini } from "./gemini.ts";

const reply = (status: number, error: JsonObject, headers = {}) =>
  gemini.decodeError(status, headers, JSON.stringify({ error: { code: status, ...error } }));

test.each<[number, JsonObject, ModelErrorKind]>([
  [400, { status: "INVALID_ARGUMENT", message: "API key not valid. Please pass a valid API key." }, "auth"],
  [400, { status: "INVALID_ARGUMENT", message: "x", details: [{ reason: "API_KEY_INVALID" }] }, "auth"],
  [
    400,
    {
      status: "INVALID_ARGUMENT",
      message: "The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).",
    },
    "context-overflow",
  ],
  [400, { status: "FAILED_PRECONDITION", message: "not in your country" }, "bad-request"],
  [403, { status: "PERMISSION_DENIED", message: "x" }, "auth"],
  [404, { status: "NOT_FOUND", message: "models/x is not found" }, "unknown-model"],
  [429, { status: "RESOURCE_EXHAUSTED", message: "x" }, "rate-limit"],
  [500, { status: "INTERNAL", message: "x" }, "server"],
  [503, { status: "UNAVAILABLE", message: "x" }, "overloaded"],
  [504, { status: "DEADLINE_EXCEEDED", message: "x" }, "timeout"],
  [418, { status: "constructor" }, "bad-request"],
])("%i with %j has kind %s", (status, error, kind) => {
  const { message, ...rest } = reply(status, error);
  expect(rest).toMatchObject({ kind, status, midStream: false });
  expect(message).not.toMatch(/\n/);
});

test("the retry delay is the one in the body, else the header's", () => {
  const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.074824224s" }];
  expect(reply(429, { details }, { "retry-after": "5" }).retryAfter).toBe(34_075);
  expect(reply(429, {}, { "retry-after": "5" }).retryAfter).toBe(5000);
  expect(reply(429, { details: [{ retryDelay: "soon" }, 7, null] }).retryAfter).toBeUndefined();
});

test("a 404 that is not the API's own says that nothing is at the address", () => {
  for (const body of ["<html><title>404 Not Found</title></html>", "404 page not found", "", "{}"])
    expect(gemini.decodeError(404, {}, body)).toMatchObject({
      kind: "unknown-path",
      message: expect.stringContaining("The provider offers nothing at this address (404)"),
      advice: "Check the base URL.",
    });
});

test("a list with an error, an HTML page, an empty body and garbage all get an error kind", () => {
  const listed = JSON.stringify([{ error: { code: 404, status: "NOT_FOUND", message: "no such model" } }]);
  const kinds = [listed, "<html><title>Gone</title></html>", "", "\u0000{", "[]", "null"].map((body) => {
    const { kind, message } = gemini.decodeError(502, {}, body);
    expect(message.length).toBeLessThan(500);
    return kind;
  });
  expect(kinds).toEqual(["unknown-model", "server", "server", "server", "server", "server"]);
});
