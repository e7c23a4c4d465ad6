import { expect, test } from "vitest";
import { countOf, durationInWords, sizeInWords } from "./amounts.ts";

test("sizes are shown in the binary unit that fits", () => {
  const sizes = [0, 812, 1434, 5 * 1024 ** 2, 123 * 1024, 1024 ** 4, 1024 ** 5];
  expect(sizes.map(sizeInWords)).toEqual([
    "0 bytes",
    "812 bytes",
    "1.4 KiB",
    "5.0 MiB",
    "123 KiB",
    "1.0 TiB",
    "1024 TiB",
  ]);
});

test("durations are shown in their two largest units that are not zero", () => {
  const times: readonly (readonly [number, string])[] = [
    [0, "0 ms"],
    [250, "250 ms"],
    [2_000, "2 s"],
    [2_540, "2.5 s"],
    [9_960, "10 s"],
    [45_400, "45 s"],
    [59_700, "1 min"],
    [90_000, "1 min 30 s"],
    [600_000, "10 min"],
    [3_600_000, "1 h"],
    [7_530_000, "2 h 6 min"],
    [86_400_000, "24 h"],
  ];
  expect(times.map(([ms]) => durationInWords(ms))).toEqual(times.map(([, words]) => words));
});

test("counts have thousands separators and a singular or plural noun", () => {
  expect(countOf(1, "file")).toBe("1 file");
  expect(countOf(2345, "file")).toBe("2,345 files");
  expect(countOf(0, "entry", "entries")).toBe("0 entries");
});
