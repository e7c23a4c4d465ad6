/** What every store guarantees for images, as tests: each implementation runs them from its own test file. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { sha256 } from "../../base/crypto.ts";
import { StoreError, type Store } from "../store.ts";

/** `makeStore` returns two connections to the same new store with this limit on the total size of images. */
type MakeImageStore = (maxImageBytes: number) => Promise<[Store, Store]>;

const sessions = ["s1", "s2"] as const;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

export function imageContract(name: string, makeStore: MakeImageStore): void {
  const opened = async (maxImageBytes = 1024 ** 2): Promise<[Store, Store]> => {
    const [store, other] = await makeStore(maxImageBytes);
    for (const id of sessions) await store.create({ id, workspace: "/w", createdAt: 1000 });
    return [store, other];
  };
  for (const [title, check] of Object.entries(promises)) test(`${name}: ${title}`, () => check(opened));
}

type Open = (maxImageBytes?: number) => Promise<[Store, Store]>;

const promises: Readonly<Record<string, (open: Open) => Promise<void>>> = {
  "A40: images are stored by content, unchanged, and read only within their session": async (open) => {
    const [store, other] = await open();
    const given = Uint8Array.from({ length: 100_000 }, (_, index) => index % 256);
    const original = given.slice();
    const hash = await store.keepImage("s1", "ckpt_1", given);
    expect(hash).toBe(sha256(original));
    given.fill(0);
    (await store.image("s1", hash))?.fill(0);
    expect(await other.image("s1", hash)).toEqual(original);
    expect(await other.image("s2", hash)).toBeUndefined();
    expect(await other.image("s1", "0".repeat(64))).toBeUndefined();
    expect(await other.image("s1", await store.keepImage("s1", "ckpt_1", bytes("")))).toEqual(bytes(""));
  },

  "A40: an owner's images are dropped with it, unless another owner needs them": async (open) => {
    const [store, other] = await open();
    const shared = await store.keepImage("s1", "ckpt_1", bytes("shared"));
    const own = await store.keepImage("s1", "ckpt_1", bytes("own"));
    await other.keepImage("s1", "ckpt_2", bytes("shared"));
    await store.keepImage("s2", "ckpt_1", bytes("own"));
    await store.keepImage("s1", "ckpt_1", bytes("own"));
    await store.dropImages("s1", "ckpt_1");
    await store.dropImages("s1", "ckpt_1");
    expect(await other.image("s1", own)).toBeUndefined();
    expect(await other.image("s2", own)).toEqual(bytes("own"));
    expect(await other.image("s1", shared)).toEqual(bytes("shared"));
    await other.dropImages("s1", "ckpt_2");
    expect(await store.image("s1", shared)).toBeUndefined();
    await store.dropImages("nobody", "ckpt_1");
  },

  "A40: when images exceed the limit, the least recently used owners lose theirs, never the current one":
    async (open) => {
      const [store, other] = await open(10);
      const first = await store.keepImage("s1", "first", bytes("1111"));
      const second = await store.keepImage("s2", "second", bytes("2222"));
      await other.keepImage("s1", "first", bytes("1111"));
      const third = await store.keepImage("s1", "third", bytes("3333"));
      expect(await store.image("s2", second)).toBeUndefined();
      expect(await store.image("s1", first)).toEqual(bytes("1111"));
      const huge = await other.keepImage("s1", "third", bytes("4".repeat(100)));
      expect(await store.image("s1", first)).toBeUndefined();
      expect(await store.image("s1", third)).toEqual(bytes("3333"));
      expect(await store.image("s1", huge)).toEqual(bytes("4".repeat(100)));
      await store.dropImages("s1", "third");
      const later = await store.keepImage("s1", "fourth", bytes("5555"));
      await store.keepImage("s1", "fifth", bytes("6666"));
      expect(await store.image("s1", later)).toEqual(bytes("5555"));
    },

  "a blob stored by an earlier version is found as an image": async (open) => {
    const [store, other] = await open();
    expect(await other.image("s1", await store.putBlob(bytes("old")))).toEqual(bytes("old"));
  },

  "images of an unknown session are refused with a StoreError": async (open) => {
    const [store] = await open();
    await expect(store.keepImage("nobody", "ckpt_1", bytes("x"))).rejects.toThrow(StoreError);
  },

  "concurrent keeps and drops of images end as if run one after the other": async (open) => {
    const [store, other] = await open();
    await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const connection = index % 2 ? store : other;
        await connection.keepImage("s1", `ckpt_${index % 6}`, bytes(`${index % 10}`));
        if (index % 6 === 5) await connection.dropImages("s1", "ckpt_5");
      }),
    );
    for (let index = 0; index < 10; index += 1)
      expect(await store.image("s1", sha256(bytes(`${index}`)))).toEqual(bytes(`${index}`));
  },

  "A40: after any keeps and drops exactly the needed images exist": async (open) => {
    const act = fc.record({
      session: fc.constantFrom(...sessions),
      owner: fc.constantFrom("a", "b", "c"),
      content: fc.option(fc.constantFrom("", "1", "22", "333", "4444")),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 30 }), async (acts) => {
        const [store] = await open(8);
        const expected: { owner: string; session: string; contents: Set<string> }[] = [];
        for (const { session, owner, content } of acts) {
          const known = expected.findIndex((one) => one.session === session && one.owner === owner);
          const [keeper] = known === -1 ? [] : expected.splice(known, 1);
          if (content === null) {
            await store.dropImages(session, owner);
            continue;
          }
          await store.keepImage(session, owner, bytes(content));
          expected.push({ session, owner, contents: new Set([...(keeper?.contents ?? []), content]) });
          const total = () => [...new Set(expected.flatMap(({ contents }) => [...contents]))].join("").length;
          while (total() > 8 && expected.length > 1) expected.shift();
        }
        for (const session of sessions)
          for (const content of ["", "1", "22", "333", "4444"]) {
            const isNeeded = expected.some((one) => one.session === session && one.contents.has(content));
            const image = await store.image(session, sha256(bytes(content)));
            expect(image).toEqual(isNeeded ? bytes(content) : undefined);
          }
      }),
      { numRuns: 40 },
    );
  },
};
