import { expect, test } from "vitest";
import { copiesIn, firstRows, groupsOf, namesOf } from "./grouping.ts";

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
  expect([...copiesIn([copy, original])]).toEqual(["b"]);
  expect([...copiesIn([{ ...copy, title: "Lexer" }, original])]).toEqual([]);
  expect([...copiesIn([copy])]).toEqual([]);
});

test("only the first rows are drawn, however they are grouped", () => {
  const group = (name: string, rows: number[]) => ({ workspace: name, name, rows });
  const groups = [group("a", [1, 2]), group("b", [3, 4]), group("c", [5])];
  expect(firstRows(groups, 3)).toEqual([group("a", [1, 2]), group("b", [3])]);
  expect(firstRows(groups, 0)).toEqual([]);
  expect(firstRows(groups, 9)).toEqual(groups);
});
