import { expect, test } from "vitest";
import { literal, unknownWord } from "../../command-line/word.ts";
import { told } from "../testing-effects.ts";
import { addressOf, cloneName, fetchesFrom, wayTo } from "./address.ts";

test.each([
  ["origin", "name"],
  ["https://h/x", "host"],
  ["git@h:a/b.git", "host"],
  ["h:a", "host"],
  ["ssh://git@h:22/a", "host"],
  ["file:///x", "path"],
  ["/srv/x.git", "path"],
  ["../x", "path"],
  ["~/x", "path"],
  ["a/b", "path"],
  ["ext::sh -c id", "command"],
  ["https::https://h/x", "host"],
  ["hg::https://h/x", "helper"],
  ["ssh://-oProxyCommand=id/x", "option"],
  ["-oProxyCommand=id:x", "option"],
  ["git@-oProxyCommand=id:x", "option"],
])("%s is read as git reads it: a %s", (text, type) => {
  expect(addressOf(literal(text)).type).toBe(type);
});

test("an address that only the run tells is unknown", () => {
  expect(addressOf(unknownWord()).type).toBe("unknown");
});

test("the command in an address is told with its blanks", () => {
  expect(told(wayTo(literal("ext::sh -c touch% x")))).toEqual([
    "danger high its address is a command, which it runs",
    "interprets shell sh -c touch\\ x",
  ]);
});

test("fetching from this machine reads there", () => {
  expect(told(fetchesFrom(literal("file:///home/dev/x")))).toEqual(["reads /home/dev/x"]);
});

test.each([
  ["https://h/a/b.git", "b"],
  ["git@h:b.git", "b"],
  ["../x/", "x"],
  ["/srv/x/.git", "x"],
])("a clone of %s lies in %s", (text, name) => {
  expect(cloneName(literal(text)).text).toBe(name);
});
