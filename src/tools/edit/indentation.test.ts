import { expect, test } from "vitest";
import { shiftBetween } from "./indentation.ts";

/** The passage stands in the file as `region`; where then `line` goes. */
const shifted = (passage: string[], region: string[], line: string): string | undefined =>
  shiftBetween(passage, region, region)?.([line])?.[0];

test("what stands in front of all lines is added or taken off", () => {
  expect(shifted(["a", "  b"], ["    a", "      b"], "    c")).toBe("        c");
  expect(shifted(["    a", "      b"], ["a", "  b"], "        c")).toBe("    c");
  expect(shifted(["    a", "      b"], ["a", "  b"], "  c")).toBeUndefined();
  expect(shifted(["a"], ["\ta"], "\tb")).toBe("\t\tb");
});

test("tabs stand for spaces and the other way round", () => {
  expect(shifted(["    a", "        b"], ["\ta", "\t\tb"], "            c")).toBe("\t\t\tc");
  expect(shifted(["  a", "    b"], ["\ta", "\t\tb"], "c")).toBe("c");
  expect(shifted(["\ta", "\t\tb"], ["  a", "    b"], "\t\t\tc")).toBe("      c");
  expect(shifted(["a {", "    b"], ["\ta {", "\t\tb"], "        c")).toBe("\t\t\tc");
  expect(shifted(["a", "  b"], ["\ta", "\t\tb"], "    c")).toBe("\t\t\tc");
});

test("between lines of tabs and lines of spaces nothing new is indented", () => {
  expect(shifted(["  a", "\t\tb"], ["    a", "\t\t\tb"], "      c")).toBeUndefined();
});

test("levels may have another width", () => {
  expect(shifted(["a", "  b"], ["a", "    b"], "    c")).toBe("        c");
  expect(shifted(["a", "    b"], ["a", "  b"], "        c")).toBe("    c");
  expect(shifted(["a", "    b"], ["a", "  b"], "      c")).toBe("   c");
});

test("lines that are not shifted alike have no shift", () => {
  expect(shiftBetween(["a", "  b"], ["  a", "  b"], [])).toBeUndefined();
  expect(shiftBetween(["  a", "  b"], ["  a", "    b"], [])).toBeUndefined();
  expect(shiftBetween(["a", "  b", "    c"], ["a", "  b", "      c"], [])).toBeUndefined();
});

test("lines that stand as they were written, beside others that do not, are those of another block", () => {
  expect(shiftBetween(["    a", "}"], ["    a", "  }"], [])).toBeUndefined();
  expect(shiftBetween(["\t\ta", "}"], ["\t\ta", "\t}"], [])).toBeUndefined();
  expect(shiftBetween(["        a", "    b"], ["        a", "      b"], [])).toBeUndefined();
  // Only tabs and spaces were exchanged.
  expect(shifted(["  a", "\tb"], ["  a", "    b"], "  c")).toBe("  c");
});

test("what is one level in the file is one in the passage", () => {
  const file = ["a {", "  b {", "    c {", "      d", "    }", "  }", "}"];
  expect(shiftBetween(["a", "  d"], ["a", "      d"], file)).toBeUndefined();
  expect(shiftBetween(["b", "    d"], ["  b", "    d"], file)).toBeUndefined();
  expect(shiftBetween(["b", "    c"], ["  b", "    c"], file)).toBeUndefined();
  expect(shiftBetween(["b", "      d"], ["  b", "    d"], file)).toBeUndefined();
  expect(shiftBetween(["b", "    c", "      d"], ["  b", "    c", "      d"], file)).toBeUndefined();
  expect(shifted(["a", "    b", "        c"], file.slice(0, 3), "            d")).toBe("      d");
  expect(shiftBetween(["        d", "    c"], ["      d", "    c"], file)).toBeUndefined();
});

test("empty lines have no indentation", () => {
  expect(shifted(["a", "", "b"], ["  a", "   ", "  b"], "   ")).toBe("");
});

test("where only one depth is known, levels of another width could mean two things", () => {
  const file = ["class a:", "    one", "    def b:", "        two"];
  const shift = shiftBetween(["  two"], ["        two"], file);
  expect(shift?.(["  two", "  three"])).toEqual(["        two", "        three"]);
  expect(shift?.(["  two", "    three"])).toBeUndefined();
});
