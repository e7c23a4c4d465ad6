/** Only the server's own hosts, origins and tokens are accepted. */

import fc from "fast-check";
import { expect, test } from "vitest";
import {
  bearerOf,
  headerValues,
  hostProblem,
  loopbackHosts,
  originProblem,
  sameToken,
  targetProblem,
} from "./server-guard.ts";

const allowed = loopbackHosts(4141);
const host = (...values: string[]) =>
  hostProblem(
    values.flatMap((value) => ["Host", value]),
    allowed,
  );

test("the names of the local machine are accepted, with the port", () => {
  for (const name of ["127.0.0.1:4141", "localhost:4141", "LOCALHOST:4141", "[::1]:4141"])
    expect(host(name)).toBeUndefined();
  expect(loopbackHosts(80)).toContain("localhost");
});

test("every other form of Host is refused", () => {
  const foreign = [
    "",
    "localhost",
    "127.0.0.1",
    "localhost:80",
    "localhost:41410",
    "localhost.:4141",
    "evil.example:4141",
    "evil.example",
    "127.0.0.1.nip.io:4141",
    "localhost:4141.evil.example",
    "evil.example@localhost:4141",
    "localhost:4141@evil.example",
    "0.0.0.0:4141",
    "127.1:4141",
    "2130706433:4141",
    "[::ffff:7f00:1]:4141",
    "localhost:4141, evil.example",
    " localhost:4141",
    "localhost:04141",
  ];
  for (const name of foreign) expect(host(name), name).toBeTypeOf("string");
});

test("a request with two Host headers, even identical ones, or with none is refused", () => {
  expect(host("localhost:4141", "localhost:4141")).toMatch(/more than one/);
  expect(hostProblem(["host", "localhost:4141", "HOST", "evil.example"], allowed)).toMatch(/more than one/);
  expect(hostProblem([], allowed)).toMatch(/no Host/);
  expect(hostProblem(["x-host", "Host"], allowed)).toMatch(/no Host/);
});

test("a target that is not a path is refused", () => {
  for (const target of ["/", "/v1/messages?beta=true", "/%2f"]) expect(targetProblem(target)).toBeUndefined();
  for (const target of ["http://evil.example/", "//evil.example/", "*", "evil.example:443", "", undefined])
    expect(targetProblem(target)).toBeTypeOf("string");
});

test("an Origin is accepted only if exactly that one is allowed", () => {
  const mine = ["http://localhost:4141"];
  expect(originProblem([], [])).toBeUndefined();
  expect(originProblem(["Origin", "http://localhost:4141"], mine)).toBeUndefined();
  for (const foreign of [
    "null",
    "",
    "http://localhost:4142",
    "https://localhost:4141",
    "http://LOCALHOST:4141",
  ])
    expect(originProblem(["origin", foreign], mine), foreign).toBeTypeOf("string");
  const twice = ["Origin", "http://localhost:4141", "Origin", "http://localhost:4141"];
  expect(originProblem(twice, mine)).toBeTypeOf("string");
});

test("headers are found by name, never by value", () => {
  expect(headerValues(["A", "host", "Host", "b", "hoSt", "c"], "host")).toEqual(["b", "c"]);
});

test("a bearer token is read with its scheme in any case, and nothing else is a token", () => {
  expect(bearerOf("Bearer abc")).toBe("abc");
  expect(bearerOf("bearer  abc ")).toBe("abc");
  for (const other of [undefined, "", "abc", "Basic abc", "Bearer", "Bearer ", "Bearer a b", "xBearer a"])
    expect(bearerOf(other)).toBeUndefined();
});

test("two tokens match exactly if their texts are the same", () => {
  const right = "5".repeat(64);
  for (const wrong of ["", "5", "5".repeat(63), "5".repeat(65), `${"5".repeat(63)}4`, "é"])
    expect(sameToken(wrong, right)).toBe(false);
  fc.assert(fc.property(fc.string(), fc.string(), (one, other) => sameToken(one, other) === (one === other)));
  fc.assert(fc.property(fc.string(), (one) => sameToken(one, one)));
});
