/** Tests how much of a session is shown again. */

import { expect, test } from "vitest";
import type { Block } from "../../view/blocks.ts";
import { shownAgain } from "./shown-again.ts";

const said = (how?: "steer"): Block => ({ type: "user", key: "", text: "go", images: 0, how });
const answered = (count: number): Block[] =>
  Array.from({ length: count }, () => ({ type: "text", key: "", text: "Yes.", by: "model", open: false }));

test("the last requests are shown again, whole, and of a long one nothing before it", () => {
  expect(shownAgain([])).toEqual({ from: 0, requests: 0 });
  const short = [said(), ...answered(1), said(), said("steer"), ...answered(2)];
  expect(shownAgain(short)).toEqual({ from: 0, requests: 2 });
  expect(shownAgain([said(), ...answered(30), ...short, said(), ...answered(8)])).toEqual({
    from: 31,
    requests: 3,
  });
  expect(shownAgain([...short, said(), ...answered(200)])).toEqual({ from: 6, requests: 1 });
});
