import fc from "fast-check";
import { expect, test } from "vitest";
import { hashOfParts } from "../../base/crypto.ts";
import { objectReader } from "./git-objects.ts";

const idOf = (content: Uint8Array, algorithm: "sha1" | "sha256" = "sha1"): string =>
  hashOfParts(algorithm, [Buffer.from(`blob ${content.length}\0`), content]);
const told = (id: string, content: Uint8Array, type = "blob"): Buffer =>
  Buffer.concat([Buffer.from(`${id} ${type} ${content.length}\n`), content, Buffer.from("\n")]);

test("contents are found however git's output is chunked, and missing objects are left out", () => {
  const content = fc.uint8Array({ maxLength: 30 });
  fc.assert(
    fc.property(
      fc.array(content, { maxLength: 5 }),
      fc.array(fc.nat(300), { maxLength: 6 }),
      (contents, cuts) => {
        const bytes = Buffer.concat([
          ...contents.map((each) => told(idOf(each), each)),
          Buffer.from(`${"0".repeat(40)} missing\n`),
        ]);
        const reader = objectReader(contents.map((each) => ({ id: idOf(each), size: each.length })));
        let from = 0;
        for (const cut of [
          ...cuts.toSorted((a, b) => a - b).filter((at) => at < bytes.length),
          bytes.length,
        ]) {
          reader.push(bytes.subarray(from, cut));
          from = cut;
        }
        const found = [...reader.end()].map(([id, each]) => [id, [...each]]);
        expect(Object.fromEntries(found)).toEqual(
          Object.fromEntries(contents.map((each) => [idOf(each), [...each]])),
        );
      },
    ),
  );
});

test("an object that does not match its hash or size, or is not a blob, is rejected", () => {
  const [good, bad] = [Buffer.from("good"), Buffer.from("evil")];
  const sha256 = idOf(good, "sha256");
  const wanted = [
    { id: idOf(good), size: 4 },
    { id: idOf(Buffer.from("long")), size: 3 },
    { id: "1".repeat(40), size: 4 },
    { id: sha256, size: 4 },
  ];
  const reader = objectReader(wanted);
  reader.push(
    Buffer.concat([
      told("1".repeat(40), bad),
      told(idOf(Buffer.from("long")), Buffer.from("long")),
      told(idOf(good), good, "tree"),
      told("2".repeat(40), bad),
      told(sha256, good),
    ]),
  );
  expect([...reader.end().keys()]).toEqual([sha256]);
});
