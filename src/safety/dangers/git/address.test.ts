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
])("the address %s is of the type %s, as in git", (text, type) => {
  expect(addressOf(literal(text)).type).toBe(type);
});

test("an address known only at run time is of the type unknown", () => {
  expect(addressOf(unknownWord()).type).toBe("unknown");
});

test("the command in an ext:: address is reported with its escaped spaces", () => {
  expect(told(wayTo(literal("ext::sh -c touch% x")))).toEqual([
    "danger high its address is a command, which it runs",
    "interprets shell sh -c touch\\ x",
  ]);
});

test("fetching from a local address reads its directory", () => {
  expect(told(fetchesFrom(literal("file:///home/dev/x")))).toEqual(["reads /home/dev/x"]);
});

test.each([
  ["https://h/a/b.git", "b"],
  ["git@h:b.git", "b"],
  ["../x/", "x"],
  ["/srv/x/.git", "x"],
])("a clone of %s gets the directory %s", (text, name) => {
  expect(cloneName(literal(text)).text).toBe(name);
});
