import { expect, test } from "vitest";
import { judgeCommand } from "../../judge.ts";
import { around } from "../../testing/around.ts";

const tier = (line: string) => judgeCommand(line, around).severity;

test.each([
  ["rg -l old src | grep -v vendor | xargs sed -i s/old/new/", "none"],
  ["find docs -name '*.md' | sort | head -n 5 | xargs sed -i s/old/new/", "none"],
  ["git ls-files | uniq | tail -1 | xargs rm", "high"],
  ["find / -name '*.conf' | head -1 | xargs sed -i s/a/b/", "critical"],
  ["git ls-files | grep -v x | sh", "high"],
])("a filter that selects lines of a file list keeps their known directory: %s is %s", (line, expected) => {
  expect(tier(line)).toBe(expected);
});

test.each(["grep -o /etc.*", "sort list", "uniq -c", "head -c 3", "sed s,^,/,", "grep x list"])(
  "a filter that may print other lines loses the known directory: %s",
  (filter) => {
    expect(tier(`git ls-files | ${filter} | xargs sed -i s/a/b/`)).toBe("high");
  },
);
