import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { editFileBytes } from "./edits.ts";

/** An edit as a model damages it, and the expected outcome: exactly this text, or a refusal. */
type Case = {
  id: string;
  class: string;
  path: string;
  file: string;
  edit: { old: string; new: string; all?: boolean };
  expect: { text: string } | { refused: true };
};

const fixture = new URL("../../../test/fixtures/damaged-edits.jsonl", import.meta.url);
const cases = readFileSync(fixture, "utf8")
  .trimEnd()
  .split("\n")
  .map((line): Case => JSON.parse(line));

type Verdict = "right" | "refused" | "wrong";

function verdictOn({ path, file, edit, expect: wanted }: Case): { verdict: Verdict; got: string } {
  const edited = editFileBytes({ relative: path, bytes: new TextEncoder().encode(file) }, [
    { all: false, ...edit },
  ]);
  if (!edited.ok) return { verdict: "refused" in wanted ? "right" : "refused", got: edited.problem };
  const got = Buffer.from(edited.value.bytes).toString();
  return { verdict: "text" in wanted && wanted.text === got ? "right" : "wrong", got };
}

test("damaged edits are either applied correctly or refused, never applied wrongly", () => {
  const judged = cases.map((one) => ({ ...one, ...verdictOn(one) }));
  const count = (verdict: Verdict, all = judged): number =>
    all.filter((one) => one.verdict === verdict).length;
  for (const name of new Set(cases.map((one) => one.class))) {
    const all = judged.filter((one) => one.class === name);
    const told = (["right", "refused", "wrong"] as const).map(
      (verdict) => `${count(verdict, all)} ${verdict}`,
    );
    console.log(`${name}: ${told.join(", ")}`);
  }
  console.log(
    `damaged edits: ${count("right")} right, ${count("refused")} refused, ${count("wrong")} wrong of ${cases.length}`,
  );
  const wrong = judged.filter((one) => one.verdict === "wrong");
  expect(wrong.map(({ id, got }) => ({ id, got }))).toEqual([]);
  expect(count("right")).toBeGreaterThan(cases.length * 0.97);
});
