import { expect, test } from "vitest";
import { groupsOf, namesOf } from "./grouping.ts";

test("sessions of one workspace stand together, the newest first", () => {
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

test("workspaces of the same name are told apart by what is above them", () => {
  expect([...namesOf(["/a/one/src", "/a/two/src", "/b", "/"]).values()]).toEqual([
    "one/src",
    "two/src",
    "b",
    "/",
  ]);
  expect([...namesOf(["/src", "/a/src"]).values()]).toEqual(["src", "a/src"]);
});
