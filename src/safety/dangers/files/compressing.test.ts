import { expect, test } from "vitest";
import { effectsOf, told } from "../testing-effects.ts";

test.each<[string, string[]]>([
  ["gzip a.txt", ["reads a.txt", "writes a.txt.gz replaces", "deletes a.txt deep deep"]],
  ["gzip -k a.txt", ["reads a.txt", "writes a.txt.gz replaces"]],
  ["gzip -r logs", ["reads logs", "writes logs edits"]],
  ["gunzip a.txt.gz", ["reads a.txt.gz", "writes a.txt replaces", "deletes a.txt.gz deep deep"]],
  ["gunzip -c a.gz", ["reads a.gz", "prints decoded"]],
  ["gzip", []],
  ["zstd -o b.zst a", ["reads a", "writes b.zst replaces"]],
  ["unzstd a.zst", ["reads a.zst", "writes a replaces"]],
  ["xz -d -T 0 a.xz", ["reads a.xz", "writes a replaces", "deletes a.xz deep deep"]],
  ["zcat a.gz", ["reads a.gz", "prints decoded"]],
  ["zgrep foo a.gz", ["reads a.gz"]],
])("files that are compressed or decompressed are reported: %s", (line, effects) => {
  expect(told(effectsOf([], line))).toEqual(effects);
});
