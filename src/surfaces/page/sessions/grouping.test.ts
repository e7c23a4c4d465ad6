import { expect, test } from "vitest";
import { groupsOf, isLikeItsOriginal, namesOf } from "./grouping.ts";

test("sessions are grouped by workspace, newest first", () => {
  const rows = [
    { id: "3", workspace: "/home/me/web" },
    { id: "2", workspace: "/home/me/server" },
    { id: "1", workspace: "/home/me/web" },
  ];
  expect(groupsOf(rows)).toEqual([
    { workspace: "/home/me/web", name: "web", rows: [rows[0], rows[2]] },
    { workspace: "/home/me/server", name: "server", rows: [rows[1]] },
  ]);
});

test("workspaces of the same name are distinguished by their parent directories", () => {
  expect([...namesOf(["/a/one/src", "/a/two/src", "/b", "/"]).values()]).toEqual([
    "one/src",
    "two/src",
    "b",
    "/",
  ]);
  expect([...namesOf(["/src", "/a/src"]).values()]).toEqual(["src", "a/src"]);
});

test("a copy is marked as such while it has the same title as its original", () => {
  const original = { id: "a", title: "Parser" };
  const copy = { id: "b", title: "Parser", from: { session: "a" } };
  expect(isLikeItsOriginal(copy, [copy, original])).toBe(true);
  expect(isLikeItsOriginal(original, [copy, original])).toBe(false);
  expect(isLikeItsOriginal({ ...copy, title: "Lexer" }, [original])).toBe(false);
  expect(isLikeItsOriginal(copy, [copy])).toBe(false);
});
