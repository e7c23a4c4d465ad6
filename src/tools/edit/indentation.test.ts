import { expect, test } from "vitest";
import { shiftBetween } from "./indentation.ts";

/** Where `line` goes if the passage is in the file as `region`. */
const shifted = (passage: string[], region: string[], line: string): string | undefined =>
  shiftBetween(passage, region, region)?.([line])?.[0];

test("an indentation common to all lines is added or removed", () => {
  expect(shifted(["a", "  b"], ["    a", "      b"], "    c")).toBe("        c");
  expect(shifted(["    a", "      b"], ["a", "  b"], "        c")).toBe("    c");
  expect(shifted(["    a", "      b"], ["a", "  b"], "  c")).toBeUndefined();
  expect(shifted(["a"], ["\ta"], "\tb")).toBe("\t\tb");
});

test("tabs are converted to spaces and spaces to tabs", () => {
  expect(shifted(["    a", "        b"], ["\ta", "\t\tb"], "            c")).toBe("\t\t\tc");
  expect(shifted(["  a", "    b"], ["\ta", "\t\tb"], "c")).toBe("c");
  expect(shifted(["\ta", "\t\tb"], ["  a", "    b"], "\t\t\tc")).toBe("      c");
  expect(shifted(["a {", "    b"], ["\ta {", "\t\tb"], "        c")).toBe("\t\t\tc");
  expect(shifted(["a", "  b"], ["\ta", "\t\tb"], "    c")).toBe("\t\t\tc");
});

test("where tabs and spaces are mixed, no new indentation is derived", () => {
  expect(shifted(["  a", "\t\tb"], ["    a", "\t\t\tb"], "      c")).toBeUndefined();
});

test("indentation levels may differ in width", () => {
  expect(shifted(["a", "  b"], ["a", "    b"], "    c")).toBe("        c");
  expect(shifted(["a", "    b"], ["a", "  b"], "        c")).toBe("    c");
  expect(shifted(["a", "    b"], ["a", "  b"], "      c")).toBe("   c");
});

test("lines that are not shifted alike have no common shift", () => {
  expect(shiftBetween(["a", "  b"], ["  a", "  b"], [])).toBeUndefined();
  expect(shiftBetween(["  a", "  b"], ["  a", "    b"], [])).toBeUndefined();
  expect(shiftBetween(["a", "  b", "    c"], ["a", "  b", "      c"], [])).toBeUndefined();
});

test("unshifted lines beside shifted ones are taken for another block", () => {
  expect(shiftBetween(["    a", "}"], ["    a", "  }"], [])).toBeUndefined();
  expect(shiftBetween(["\t\ta", "}"], ["\t\ta", "\t}"], [])).toBeUndefined();
  expect(shiftBetween(["        a", "    b"], ["        a", "      b"], [])).toBeUndefined();
  // The lines differ only in tabs and spaces.
  expect(shifted(["  a", "\tb"], ["  a", "    b"], "  c")).toBe("  c");
});

test("one level in the file corresponds to one level in the passage", () => {
  const file = ["a {", "  b {", "    c {", "      d", "    }", "  }", "}"];
  expect(shiftBetween(["a", "  d"], ["a", "      d"], file)).toBeUndefined();
  expect(shiftBetween(["b", "    d"], ["  b", "    d"], file)).toBeUndefined();
  expect(shiftBetween(["b", "    c"], ["  b", "    c"], file)).toBeUndefined();
  expect(shiftBetween(["b", "      d"], ["  b", "    d"], file)).toBeUndefined();
  expect(shiftBetween(["b", "    c", "      d"], ["  b", "    c", "      d"], file)).toBeUndefined();
  expect(shifted(["a", "    b", "        c"], file.slice(0, 3), "            d")).toBe("      d");
  expect(shiftBetween(["        d", "    c"], ["      d", "    c"], file)).toBeUndefined();
});

test("blank lines have no indentation", () => {
  expect(shifted(["a", "", "b"], ["  a", "   ", "  b"], "   ")).toBe("");
});

test("if only one depth is known, a different level width is ambiguous", () => {
  const file = ["class a:", "    one", "    def b:", "        two"];
  const shift = shiftBetween(["  two"], ["        two"], file);
  expect(shift?.(["  two", "  three"])).toEqual(["        two", "        three"]);
  expect(shift?.(["  two", "    three"])).toBeUndefined();
});
