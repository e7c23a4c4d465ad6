/** Tests that a menu says when it has more than it shows, and keeps its choice in sight on a low terminal. */

import { expect, test } from "vitest";
import { styleFor } from "../../view/style.ts";
import { namedKey } from "../input/key.ts";
import { Menu } from "../input/menu.ts";
import { countedRows } from "./menu-rows.ts";

const layout = { style: styleFor({}, false), columns: 40 };
const menuOf = (names: string): Menu =>
  new Menu({
    from: 0,
    query: "",
    candidates: Array.from(names, (name) => ({ name, insert: name, says: "" })),
  });

test("a menu of more than eight says how many there are, in its eighth row", () => {
  const menu = menuOf("abcdefghij");
  expect(countedRows(menu, layout, 20)).toEqual([
    "❯ a",
    ..."bcdefg".split("").map((name) => `  ${name}`),
    "  … 1–7 of 10 · ↑↓",
  ]);
  menu.press(namedKey("up"));
  expect(countedRows(menu, layout, 20).slice(-2)).toEqual(["❯ j", "  … 4–10 of 10 · ↑↓"]);
  expect(countedRows(menuOf("abcdefgh"), layout, 20)).toHaveLength(8);
});

test("where there is little space the choice is in sight all the same", () => {
  const menu = menuOf("abcd");
  menu.press(namedKey("up"));
  expect(countedRows(menu, layout, 3)).toEqual(["  c", "❯ d", "  … 3–4 of 4 · ↑↓"]);
  expect(countedRows(menu, layout, -5)).toEqual(["❯ d", "  … 4–4 of 4 · ↑↓"]);
});
