import { expect, test } from "vitest";
import { type CallNature, placeInQueue } from "./queue-place.ts";

const plain: CallNature = { does: "read", onlyReads: false, lasts: false, types: false, isGuarded: false };
const nobody = { exclusive: 0, undecided: 0, questions: 0, isPlanning: false };

test.each<[string, Partial<CallNature>, "shared" | "exclusive"]>([
  ["a read", {}, "shared"],
  ["a read that is guarded", { isGuarded: true }, "shared"],
  ["a change", { does: "change" }, "exclusive"],
  ["a command", { does: "execute" }, "exclusive"],
  ["a command that only reads", { does: "execute", onlyReads: true }, "shared"],
  ["one that goes on in a terminal", { does: "execute", onlyReads: true, lasts: true }, "exclusive"],
  ["one that is guarded", { does: "execute", onlyReads: true, isGuarded: true }, "exclusive"],
  ["typing into a terminal", { does: "execute", onlyReads: true, types: true }, "exclusive"],
  ["typing that only reads what comes", { does: "read", types: true }, "exclusive"],
])("a call's access in the queue: %s", (_, call, access) => {
  expect(placeInQueue({ ...plain, ...call }, nobody)).toEqual({ access, isDecidedEarly: true });
});

test.each<[string, Partial<CallNature>, Partial<typeof nobody>, boolean]>([
  ["a read behind a change", {}, { exclusive: 1 }, false],
  ["a change behind a change", { does: "change" }, { exclusive: 1 }, false],
  ["a command behind a change", { does: "execute" }, { exclusive: 1 }, true],
  ["a command behind two changes", { does: "execute" }, { exclusive: 2, undecided: 1 }, false],
  ["typing behind a command", { does: "execute", types: true }, { exclusive: 1 }, false],
  ["a guarded command behind a change", { does: "execute", isGuarded: true }, { exclusive: 1 }, false],
  ["a command behind a question", { does: "execute" }, { questions: 1 }, false],
  ["a read behind a question", {}, { questions: 1 }, false],
  ["a change behind a plan", { does: "change" }, { questions: 1, isPlanning: true }, true],
  [
    "a change behind a plan and a change",
    { does: "change" },
    { questions: 1, exclusive: 1, isPlanning: true },
    false,
  ],
])("whether a call is decided on before its turn: %s", (_, call, ahead, isDecidedEarly) => {
  const place = placeInQueue({ ...plain, ...call }, { ...nobody, ...ahead });
  expect(place.isDecidedEarly).toBe(isDecidedEarly);
});
