import { expect, test } from "vitest";
import { type CallNature, placeInQueue } from "./call-turnstile.ts";

const plain: CallNature = {
  does: "read",
  onlyReads: false,
  lasts: false,
  types: false,
  isGuarded: false,
  asks: false,
};
const early = { access: "exclusive", isDecidedEarly: true, asks: false } as const;
const late = { access: "exclusive", isDecidedEarly: false, asks: false } as const;
const asking = { access: "shared", isDecidedEarly: true, asks: true } as const;

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
  expect(placeInQueue({ ...plain, ...call }, [], false)).toEqual({ ...early, access });
});

test.each<[string, Partial<CallNature>, Parameters<typeof placeInQueue>[1], boolean, isPlanning?: boolean]>([
  ["a read behind a change", {}, [early], false],
  ["a change behind a change", { does: "change" }, [early], false],
  ["a command behind a change", { does: "execute" }, [early], true],
  ["a command behind two changes", { does: "execute" }, [early, late], false],
  ["typing behind a command", { does: "execute", types: true }, [early], false],
  ["a guarded command behind a change", { does: "execute", isGuarded: true }, [early], false],
  ["a command behind a read decided late", { does: "execute" }, [{ ...late, access: "shared" }], true],
  ["a command behind a question", { does: "execute" }, [asking], false],
  ["a read behind a question", {}, [asking], false],
  ["a change behind a plan", { does: "change" }, [asking], true, true],
  ["a change behind a plan and a change", { does: "change" }, [asking, early], false, true],
])(
  "whether a call is decided on before its turn: %s",
  (_, call, ahead, isDecidedEarly, isPlanning = false) => {
    expect(placeInQueue({ ...plain, ...call }, ahead, isPlanning).isDecidedEarly).toBe(isDecidedEarly);
  },
);
