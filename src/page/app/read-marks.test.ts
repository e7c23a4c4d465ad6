import { expect, test } from "vitest";
import { mostSeenMarks } from "../bounds.ts";
import { isUnread, keepSeen, type SeenFacts, seenAfterNames, seenIn, withSeen } from "./read-marks.ts";

function storage(first?: string) {
  const kept = new Map<string, string>(first === undefined ? [] : [["toolwright-seen", first]]);
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  };
}

test("a session is unread if it has new facts since it was shown, but not if it never was", () => {
  const some = storage();
  keepSeen(some, withSeen(seenIn(some), "a", 7));
  const seen = seenIn(some);
  expect(isUnread(seen, { id: "a", facts: 7 })).toBe(false);
  expect(isUnread(seen, { id: "a", facts: 8 })).toBe(true);
  expect(isUnread(seen, { id: "never shown", facts: 8 })).toBe(false);
});

test("beyond the bound the oldest marks are dropped", () => {
  let seen: SeenFacts = new Map();
  const most = mostSeenMarks;
  for (let at = 0; at < most + 3; at += 1) seen = withSeen(seen, `s${at}`, 1);
  expect(seen.size).toBe(most);
  expect(seen.has("s2")).toBe(false);
  expect(seen.has("s3")).toBe(true);
});

test("invalid stored marks are ignored", () => {
  for (const text of ["", "{", "null", "[[1,2],[3]]", '[["a","b"]]'])
    expect(seenIn(storage(text)).size).toBe(0);
});

test("storage that rejects writes causes no error", () => {
  const full = {
    getItem: () => null,
    setItem: () => {
      throw new Error("no room");
    },
  };
  expect(() => keepSeen(full, withSeen(new Map(), "a", 1))).not.toThrow();
});

test("renaming a session elsewhere does not make it unread", () => {
  const read = withSeen(new Map(), "a", 7);
  const row = (facts: number, title: string) => ({ id: "a", facts, title });
  const named = seenAfterNames(read, [row(7, "old")], [row(8, "new")]);
  expect(isUnread(named, row(8, "new"))).toBe(false);
  const went = seenAfterNames(read, [row(7, "old")], [row(9, "new")]);
  expect(isUnread(went, row(9, "new"))).toBe(true);
  const said = seenAfterNames(read, [row(7, "old")], [row(8, "old")]);
  expect(isUnread(said, row(8, "old"))).toBe(true);
  const unread = seenAfterNames(read, [row(8, "old")], [row(9, "new")]);
  expect(isUnread(unread, row(9, "new"))).toBe(true);
  expect(seenAfterNames(read, undefined, [row(8, "new")])).toBe(read);
});
