import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../base/testing/any-character.ts";
import { outsideInWords, readOutside } from "./outside.ts";

test.each([
  ["registry.example:443", { type: "host", host: "registry.example", port: 443 }],
  ["Registry.Example", { type: "host", host: "registry.example" }],
  ["https://registry.example/x?y", { type: "host", host: "registry.example", port: 443 }],
  ["http://registry.example:8080", { type: "host", host: "registry.example", port: 8080 }],
  ["192.0.2.1:5432", { type: "host", host: "192.0.2.1", port: 5432 }],
  ["[2001:db8::1]:22", { type: "host", host: "[2001:db8::1]", port: 22 }],
  ["localhost:3000", { type: "service", at: "localhost:3000" }],
  ["127.0.0.1:5432", { type: "service", at: "127.0.0.1:5432" }],
  ["[::1]:80", { type: "service", at: "[::1]:80" }],
  ["127.1:80", { type: "service", at: "127.0.0.1:80" }],
  ["localhost.:80", { type: "service", at: "localhost.:80" }],
  ["a.localhost:80", { type: "service", at: "a.localhost:80" }],
  ["0.0.0.1:80", { type: "service", at: "0.0.0.1:80" }],
  ["[::]:80", { type: "service", at: "[::]:80" }],
  ["[::ffff:127.0.0.1]:80", { type: "service", at: "[::ffff:7f00:1]:80" }],
  ["notlocalhost:80", { type: "host", host: "notlocalhost", port: 80 }],
  ["/run/docker.sock", { type: "place", path: "/run/docker.sock" }],
  ["other processes", { type: "processes" }],
  ["/home/dev/.cache/", { type: "place", path: "/home/dev/.cache" }],
])("%s is read", (words, outside) => {
  expect(readOutside(words)).toEqual({ ok: true, value: outside });
});

test.each([
  "",
  " ",
  "*",
  "*.example.org",
  "a b",
  "/a/../etc",
  "../x",
  "x/y z",
  "host:99999",
  "user@host:22",
  "/a\n/b",
  "/a\u001b[2J",
  "/a\u202eb",
  "//x",
])("%j is refused in words", (words) => {
  expect(readOutside(words)).toMatchObject({ ok: false, problem: expect.stringContaining("none of") });
});

test("whatever is read is read the same again from its own words", () => {
  fc.assert(
    fc.property(fc.oneof(fc.webUrl(), fc.domain(), fc.string({ unit: anyCharacter })), (words) => {
      const read = readOutside(words);
      if (read.ok) expect(readOutside(outsideInWords(read.value))).toEqual(read);
    }),
  );
});
