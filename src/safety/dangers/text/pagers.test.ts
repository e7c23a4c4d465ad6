import { expect, test } from "vitest";
import { effectsOf, told } from "../testing-effects.ts";

test.each<[string, string[]]>([
  ["less a", ["reads a"]],
  ["less +!id a", ["danger high its option + runs a command", "interprets shell id", "reads a"]],
  ["less -o log a", ["reads a", "writes log creates"]],
  ["less +G a", ["reads a"]],
  [
    "bat --pager ./evil a",
    ["danger high its option --pager runs a command", "interprets shell ./evil", "reads a"],
  ],
  ["bat --pager less a", ["reads a"]],
  ["delta --pager ./evil", ["danger high its option --pager runs a command", "interprets shell ./evil"]],
  ["delta --side-by-side a b", ["reads a", "reads b"]],
  ["man -P ./evil ls", ["danger high its option --pager runs a command", "interprets shell ./evil"]],
  ["man -l page", ["reads page"]],
  ["man ls", []],
])("pagers report what they show, write and run: %s", (line, effects) => {
  expect(told(effectsOf([], line)).toSorted()).toEqual(effects.toSorted());
});
