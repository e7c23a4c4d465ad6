/** The names under which a gateway is reached. */

import { expect, test } from "vitest";
import { namesOf } from "./names.ts";

const names = (host: string, ...more: string[]) => {
  const found = namesOf({ host, port: 4747, names: more });
  if (!found.ok) throw new Error(found.problem);
  return found.value;
};

test("on loopback the gateway is reached by the loopback names with its port", () => {
  expect(names("127.0.0.1")).toEqual({
    hosts: ["127.0.0.1:4747", "localhost:4747", "[::1]:4747"],
    origins: ["http://127.0.0.1:4747", "http://localhost:4747", "http://[::1]:4747"],
  });
  expect(names("127.0.0.2").hosts).toContain("127.0.0.2:4747");
});

test("on another address the gateway is also reached by that address, but not by 0.0.0.0", () => {
  expect(names("192.168.1.5").hosts).toContain("192.168.1.5:4747");
  expect(names("fd00::5").hosts).toContain("[fd00::5]:4747");
  expect(names("0.0.0.0").hosts).not.toContain("0.0.0.0:4747");
});

test("names can be added with the gateway's port, with their own port, or behind a proxy", () => {
  const { hosts, origins } = names(
    "127.0.0.1",
    "box.lan",
    "Box.lan:80",
    "https://box.example",
    "[fd00::1]:9",
  );
  expect(hosts.slice(3)).toEqual([
    "box.lan:4747",
    "box.lan",
    "box.lan:80",
    "box.example",
    "box.example:443",
    "[fd00::1]:9",
  ]);
  expect(origins.slice(3)).toEqual([
    "http://box.lan:4747",
    "http://box.lan",
    "https://box.example",
    "http://[fd00::1]:9",
  ]);
});

test("an invalid name is reported as a problem", () => {
  for (const wrong of [
    "*",
    "a b",
    "http://",
    "box.lan/x",
    "x@box.lan",
    "https://box.example/path",
    "box.lan:99999",
    "",
  ])
    expect(namesOf({ host: "127.0.0.1", port: 1, names: [wrong] }), wrong).toMatchObject({ ok: false });
});
