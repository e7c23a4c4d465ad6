/** A key in the path serves every format, and never shows up in a log line, a reply or a title. */

import { request } from "node:http";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scriptedModel } from "../providers/scripted-model.ts";
import { keyHeader, moveKey, withoutKeys } from "./key-path.ts";
import { testServer, testToken, type TestServer } from "./testing/server.ts";

let server: TestServer;
beforeAll(async () => void (server = await testServer(scriptedModel(() => [{ say: "Hello." }]))));
afterAll(() => server.close());

const hello = [{ role: "user", content: "Hi." }];
const asks: readonly [string, object][] = [
  ["/v1/messages", { model: "m", max_tokens: 99, messages: hello }],
  ["/v1/chat/completions", { model: "m", messages: hello }],
  ["/v1/responses", { model: "m", input: "Hi." }],
  ["/api/chat", { model: "m", messages: hello, stream: false }],
  ["/v1beta/models/m:generateContent", { contents: [{ role: "user", parts: [{ text: "Hi." }] }] }],
  ["/v2/chat", { model: "m", messages: hello }],
];

const none: Record<string, string> = {};

/** Node's own client: `fetch` would tidy the path up. */
function asked(path: string, body?: object, headers: Record<string, string> = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number | undefined; text: string }>();
  const { hostname, port } = new URL(server.url);
  const options = { hostname, port, path, method: body ? "POST" : "GET", headers };
  const sent = request(options, (reply) => {
    let text = JSON.stringify(reply.headers);
    reply.on("data", (piece: Buffer) => (text += piece.toString()));
    reply.on("end", () => resolve({ status: reply.statusCode, text }));
  });
  sent.on("error", reject);
  sent.end(body && JSON.stringify(body));
  return promise;
}

test("every format is answered with the key in the path, whatever the client sends as its key", async () => {
  for (const [path, body] of asks)
    for (const headers of [none, { authorization: "Bearer ollama", "x-api-key": "dummy" }]) {
      const { status, text } = await asked(`/k/${testToken}${path}`, body, headers);
      expect([path, status]).toEqual([path, 200]);
      expect(text).toContain("Hello.");
    }
  for (const path of ["", "/", "/v1/models", "/api/tags", "/api/version?x=1", "/v1beta/models"])
    expect([path, (await asked(`/k/${testToken}${path}`)).status]).toEqual([path, 200]);
});

test("a wrong key in the path is refused, and a foreign origin is, with the right one", async () => {
  for (const [path, body] of asks) {
    expect([path, (await asked(`/k/wrong-key-of-sixteen${path}`, body)).status]).toEqual([path, 401]);
    const foreign = await asked(`/k/${testToken}${path}`, body, { origin: "https://evil.example" });
    expect([path, foreign.status]).toEqual([path, 403]);
  }
});

test("no reply and no log line has the key, wherever a client puts it in its path", async () => {
  const encoded = testToken.replace("a", "%61");
  const paths = [
    `/k/${testToken}/v1/models`,
    `/k/${testToken}/no/such/place`,
    `/k/wrong${testToken}/v1/models`,
    `/v1/k/${testToken}/models`,
    `/k/k/${testToken}/v1/models`,
    `//k/${testToken}/v1/models`,
    `/K/${testToken}/v1/models`,
    `/%6B/${testToken}/v1/models`,
    `/v1/${testToken}/models`,
    `/v1/${encoded}/models`,
    `/k/${testToken}/v1/${encoded}`,
    `/k/${testToken}/k/${testToken}/v1/models`,
    `/k/${testToken}/v1/messages`,
    `/v1/models?key=${testToken}`,
  ];
  for (const path of paths)
    for (const headers of [none, { authorization: `Bearer ${testToken}` }]) {
      const { text } = await asked(path, undefined, headers);
      expect(decodeURIComponent(text), path).not.toContain(testToken);
    }
  expect(decodeURIComponent(JSON.stringify(server.lines))).not.toContain(testToken);
  expect(server.lines.length).toBeGreaterThan(paths.length);
});

test("a key is taken from the beginning of a path only, and only once", () => {
  const moved = (url: string) => {
    const request = { url, headers: {}, rawHeaders: ["Host", "x"] };
    moveKey(request);
    return [request.url, ...request.rawHeaders.slice(2)];
  };
  expect(moved("/k/abc/v1/models?x=/k/y")).toEqual(["/v1/models?x=/k/y", keyHeader, "abc"]);
  expect(moved("/k/a%2Fb")).toEqual(["/", keyHeader, "a/b"]);
  expect(moved("/k/a%0Ab/")).toEqual(["/", keyHeader, "a%0Ab"]);
  expect(moved("/k/abc//v1")).toEqual(["//v1", keyHeader, "abc"]);
  expect(moved("/k/a/k/b/c")).toEqual(["/k/b/c", keyHeader, "a"]);
  for (const url of ["/k/", "/k", "/kk/abc", "/v1/k/abc", "k/abc/", "//k/abc/v1"])
    expect(moved(url)).toEqual([url]);
});

test("a path is shown as it is unless a part of it is a key or stands in a key's place", () => {
  const isKey = (text: string): boolean => text === testToken;
  const plain = fc.stringMatching(/^[a-z0-9.:_-]{0,15}$/u).filter((part) => part !== "k");
  fc.assert(
    fc.property(fc.array(plain, { maxLength: 8 }), fc.nat(8), (parts, at) => {
      const path = `/${parts.join("/")}`;
      expect(withoutKeys(path, isKey)).toBe(path.slice(0, 200));
      expect(withoutKeys(`/${parts.toSpliced(at, 0, testToken).join("/")}`, isKey)).not.toContain(testToken);
    }),
  );
});
