import fc from "fast-check";
import { expect, test } from "vitest";
import { testPng } from "../testing/pictures.ts";
import { pictureSize } from "./picture.ts";

test("a whole PNG gives its size, and a truncated one gives none", () => {
  const png = testPng({ width: 640, height: 480, padding: 30 });
  expect(pictureSize(png, "image/png")).toEqual({ width: 640, height: 480 });
  for (let length = 0; length < png.length - 8; length += 1)
    expect(pictureSize(png.subarray(0, length), "image/png")).toBeUndefined();
});

test("arbitrary bytes give a positive size or none", () => {
  const types = ["image/png", "image/jpeg", "image/gif", "image/webp", "text/plain"];
  const beginnings = [
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    [0xff, 0xd8, 0xff],
    [0x47, 0x49, 0x46, 0x38],
    [],
  ];
  const bytes = fc.tuple(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 300 }));
  fc.assert(
    fc.property(bytes, fc.constantFrom(...types), ([begin, rest], type) => {
      const size = pictureSize(Uint8Array.from([...begin, ...rest]), type);
      expect(size === undefined || (size.width > 0 && size.height > 0)).toBe(true);
    }),
  );
});
