/** Edits preserve every byte outside the requested change, in any file; test/edits.test.ts has more of these tests. */

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../base/testing/any-character.ts";
import { scale } from "../../testing/scale.ts";
import { editFileBytes } from "./edits.ts";
import { expectIntended, expectOutsideKept } from "./testing/checks.ts";
import { fileEdit, repeatedEdit } from "./testing/edits.ts";

test("bytes outside the changed lines are kept, whatever the file and however the passage is damaged", () => {
  let made = 0;
  fc.assert(
    fc.property(fileEdit, (one) => {
      if (expectOutsideKept(one)) made++;
    }),
    { numRuns: 300 * scale },
  );
  expect(made).toBeGreaterThan(150 * scale);
});

test("a damaged passage in a repetitive file changes the intended place or nothing", () => {
  let made = 0;
  fc.assert(
    fc.property(repeatedEdit, (one) => {
      if (expectIntended(one)) made++;
    }),
    { numRuns: 300 * scale },
  );
  expect(made).toBeGreaterThan(60 * scale);
});

test("an edit with arbitrary texts gets a result and never throws", () => {
  const odd = fc.string({ unit: anyCharacter, maxLength: 30 });
  const text = fc.oneof(
    odd,
    fc
      .array(fc.constantFrom("a", "\n", "\r\n", " ", "\t", "“", "\\n", '"', "```", "1\t", "> ", "e\u0301"), {
        maxLength: 20,
      })
      .map((all) => all.join("")),
  );
  fc.assert(
    fc.property(text, text, text, fc.boolean(), (file, old, fresh, all) => {
      const bytes = new TextEncoder().encode(file);
      const edited = editFileBytes({ relative: "f", bytes }, [{ old, new: fresh, all }]);
      if (edited.ok) expect(Buffer.compare(bytes, edited.value.bytes)).not.toBe(0);
      else expect(edited.problem).not.toBe("");
    }),
    { numRuns: 300 * scale },
  );
});
