import { expect, test } from "vitest";
import { clineXml } from "../cline-xml.ts";
import { offeredTools } from "../extract.ts";
import { allDialects } from "../index.ts";
import { tool } from "../testing/reading.ts";
import { markTable } from "./marks.ts";

const ping = offeredTools([tool("ping", {})]);
const pong = offeredTools([tool("pong", { text: "string" })]);

test("the mark table is cached per dialects, model and tools, and rebuilt if one of them changes", () => {
  const table = markTable(allDialects, { known: undefined, offered: ping });
  expect(markTable(allDialects, { known: undefined, offered: ping })).toBe(table);
  const known = markTable(allDialects, { known: clineXml, offered: ping });
  expect(known).not.toBe(table);
  expect(markTable(allDialects, { known: undefined, offered: ping })).toBe(table); // not lost by another model's
  const other = markTable(allDialects, { known: clineXml, offered: pong });
  expect(other.leftovers.marks.all).toContain("</text>");
  expect(known.leftovers.marks.all).not.toContain("</text>");
  expect(markTable([...allDialects], { known: clineXml, offered: pong })).toEqual(
    expect.objectContaining({
      leftovers: expect.objectContaining({ marks: other.leftovers.marks }),
    }),
  );
});
