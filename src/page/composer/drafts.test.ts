import fc from "fast-check";
import { expect, test } from "vitest";
import type { ImagePart, TextPart } from "../../protocol/messages.ts";
import { type MessageDraft, type DraftStorage, draftsIn } from "./drafts.ts";
import { mostDraftAdded } from "./drafts.ts";

/** A tab's storage with a limited number of characters. */
function tab(most = Infinity): DraftStorage & { held: Map<string, string> } {
  const held = new Map<string, string>();
  return {
    held,
    get length() {
      return held.size;
    },
    key: (at) => [...held.keys()][at] ?? null,
    getItem: (key) => held.get(key) ?? null,
    setItem(key, value) {
      const others = [...held].reduce((sum, [name, text]) => sum + (name === key ? 0 : text.length), 0);
      if (others + value.length > most) throw new Error("QuotaExceededError");
      held.set(key, value);
    },
    removeItem: (key) => void held.delete(key),
  };
}

const picture = (data: string): ImagePart => ({ type: "image", mediaType: "image/png", data });
const file: TextPart = { type: "text", text: "one", file: "a.txt" };
const nothing: MessageDraft = { text: "", images: [], files: [] };

test("the text, images and files of every draft survive a reload", () => {
  const context = tab();
  const before = draftsIn(context);
  before.keep("a", { text: "Look:", images: [picture("AAAA")], files: [file] });
  before.keep("b", { text: "", images: [picture("BBBB")], files: [] });
  const after = draftsIn(context);
  expect(after.of("a")).toEqual({ text: "Look:", images: [picture("AAAA")], files: [file] });
  expect(after.of("b")).toEqual({ text: "", images: [picture("BBBB")], files: [] });
  expect(after.of("c")).toEqual(nothing);
});

test("a draft that was sent or emptied leaves nothing in storage", () => {
  const context = tab();
  draftsIn(context).keep("a", { text: "Look:", images: [picture("AAAA")], files: [file] });
  const after = draftsIn(context);
  after.keep("a", nothing);
  expect(context.held.size).toBe(0);
  expect(after.of("a")).toEqual(nothing);
});

test("typing does not write the images again", () => {
  const context = tab();
  const drafts = draftsIn(context);
  const draft = { text: "", images: [picture("AAAA")], files: [] };
  drafts.keep("a", draft);
  const written: string[] = [];
  const { setItem } = context;
  context.setItem = (key, value) => {
    written.push(key);
    setItem(key, value);
  };
  drafts.keep("a", { ...draft, text: "L" });
  expect(written).toEqual(["toolwright-draft:a"]);
});

test("images beyond the bound stay in memory only, and earlier ones stay stored", () => {
  const context = tab();
  const half = picture("A".repeat(mostDraftAdded * 0.6));
  const drafts = draftsIn(context);
  drafts.keep("a", { text: "a", images: [half], files: [] });
  drafts.keep("b", { text: "b", images: [half], files: [] });
  expect(drafts.of("b").images).toHaveLength(1);
  const after = draftsIn(context);
  expect([after.of("a").images.length, after.of("b").images.length]).toEqual([1, 0]);
  expect(after.of("b").text).toBe("b");
});

test("with limited storage text is kept before images; in memory nothing is lost", () => {
  const some = fc.record({ session: fc.constantFrom("a", "b"), text: fc.nat(40), picture: fc.nat(90) });
  fc.assert(
    fc.property(fc.nat(200), fc.array(some), (most, changes) => {
      const context = tab(most);
      const drafts = draftsIn(context);
      for (const { session, text, picture: size } of changes) {
        const images = size === 0 ? [] : [picture("A".repeat(size))];
        const draft = { text: "t".repeat(text), images, files: [] };
        drafts.keep(session, draft);
        expect(drafts.of(session)).toEqual(draft);
        const other = context.held.get(`toolwright-draft:${session === "a" ? "b" : "a"}`)?.length ?? 0;
        if (text + other <= most) expect(draftsIn(context).of(session).text).toBe(draft.text);
      }
    }),
  );
});

test("invalid stored content yields no draft and no error", () => {
  const context = tab();
  for (const content of ["", "{", "null", '[{"type":"image"}]', '{"images":3}']) {
    context.held.set("toolwright-draft-added:a", content);
    expect(draftsIn(context).of("a")).toEqual(nothing);
  }
});

test("what is added from outside the field follows what was written, and its field is told", () => {
  const drafts = draftsIn(tab());
  const told: string[] = [];
  const stop = drafts.onAdded((session) => told.push(session));
  drafts.keep("a", { text: "Look at", images: [], files: [] });
  drafts.add("a", { text: "@total.ts " });
  drafts.add("a", { files: [file] });
  stop();
  drafts.add("b", { text: "@total.ts " });
  expect(drafts.of("a")).toEqual({ text: "Look at @total.ts ", images: [], files: [file] });
  expect(drafts.of("b").text).toBe("@total.ts ");
  expect(told).toEqual(["a", "a"]);
});
