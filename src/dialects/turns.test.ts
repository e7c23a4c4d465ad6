import { describe, expect, test } from "vitest";
import { allDialects } from "./index.ts";
import { few, outcome, pingJson } from "./testing/outcome.ts";

const all = [...new Set(allDialects.flatMap((dialect) => dialect.turns ?? []))];
/** What ends a message of one family is layout within a message of another: there it ends nothing. */
const layout = new Set(allDialects.flatMap((dialect) => dialect.layout ?? []));
const turns = all.filter((turn) => !layout.has(turn));
const call = `<tool_call>${pingJson}</tool_call>`;

/** HTML has such tags too. */
const isTag = (turn: string): boolean => /^<\/?[a-z]{1,3}>$/.test(turn);

describe("N18: a leaked stop token or an invented turn of any family ends the message", () => {
  test.each(turns)("%s", (turn) => {
    const rest = isTag(turn) ? "" : `\nroll again\n${call}`;
    expect(outcome(`Hi.${turn}${rest}`, { tools: few })).toMatchObject({
      text: "Hi.",
      calls: [],
      faults: [],
    });
    expect(outcome(`${call}${turn}${rest}`, { tools: few }).calls).toHaveLength(1);
  });

  test.each(turns)("N4: %s in a sentence or in code is text", (turn) => {
    for (const text of [`The token ${turn} ends a turn.`, `The token \`${turn}\` ends a turn.`])
      expect(outcome(text, { tools: few })).toMatchObject({ text, calls: [], faults: [] });
  });

  test("a turn token that is also an HTML tag ends the message only before the end of a turn", () => {
    const tags = turns.filter(isTag);
    for (const tag of tags) {
      for (const turn of turns.filter((one) => !isTag(one)))
        expect(outcome(`Hi.${tag}${turn}more`, { tools: few }).text).toBe("Hi.");
      for (const other of tags) expect(outcome(`Hi.${tag} ${other}`, { tools: few }).text).toBe("Hi.");
    }
    const html = "Use <s>this</s><s>that</s> and more.";
    expect(outcome(html, { tools: few }).text).toBe(html);
  });

  test("a turn token that is layout in another family is no text either", () => {
    for (const turn of all.filter((one) => layout.has(one)))
      expect(outcome(`Hi.${turn}`, { tools: few })).toMatchObject({ text: "Hi.", calls: [] });
  });
});
