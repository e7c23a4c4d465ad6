/** The page's files as a table by exact name, read once, so that a request never turns into a file path. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { parseJson } from "../../base/json.ts";

type Asset = { type: string; bytes: Uint8Array<ArrayBuffer> };
/** Keyed by request path. */
export type PageAssets = ReadonlyMap<string, Asset>;

/** Written by the page's build; `file` is relative to its folder. */
const manifest = z.array(z.object({ path: z.string(), file: z.string(), type: z.string() }));

const withoutPage: PageAssets = new Map([
  [
    "/",
    {
      type: "text/plain; charset=utf-8",
      bytes: new TextEncoder().encode(
        "This is a Toolwright gateway. Its page was not built: `npm run build` does that. Programs may use it all the same.\n",
      ),
    },
  ],
]);

/** `folder`: the page's build output; without one, a text explains that there is no page. */
export async function readPageAssets(folder: string | undefined): Promise<PageAssets> {
  const text = folder && (await readFile(join(folder, "assets.json"), "utf8").catch(() => undefined));
  if (folder === undefined || text === undefined) return withoutPage;
  const parsed = parseJson(text);
  const read = manifest.safeParse(parsed.ok ? parsed.value : undefined);
  if (!read.success) return withoutPage;
  const assets = read.data.map(async ({ path, file, type }) => {
    const bytes = new Uint8Array(await readFile(join(folder, file)));
    return [path, { type, bytes }] as const;
  });
  return new Map(await Promise.all(assets));
}
