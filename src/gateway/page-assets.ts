/** The page's files as a table by exact name, read once, so that a request never turns into a file path. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { parseJson } from "../base/json.ts";
import { pageHeaders } from "./strict-headers.ts";

type AssetBytes = Uint8Array<ArrayBuffer>;
/** `encoded`: the same, by content coding. */
type Asset = { type: string; bytes: AssetBytes; encoded: ReadonlyMap<string, AssetBytes> };
/** Keyed by request path. */
export type PageAssets = ReadonlyMap<string, Asset>;

/** Written by the page's build; `file` and the values of `encoded` are relative to its folder. */
const manifest = z.array(
  z.object({
    path: z.string(),
    file: z.string(),
    type: z.string(),
    encoded: z.optional(z.record(z.string(), z.string())),
  }),
);

const withoutPage: PageAssets = new Map([
  [
    "/",
    {
      type: "text/plain; charset=utf-8",
      encoded: new Map(),
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
  const bytesOf = async (file: string): Promise<AssetBytes> =>
    new Uint8Array(await readFile(join(folder, file)));
  const assets = read.data.map(async ({ path, file, type, encoded = {} }) => {
    const codings = Object.entries(encoded).map(
      async ([coding, name]) => [coding, await bytesOf(name)] as const,
    );
    const asset: Asset = { type, bytes: await bytesOf(file), encoded: new Map(await Promise.all(codings)) };
    return [path, asset] as const;
  });
  return new Map(await Promise.all(assets));
}

/** Best first. */
const codings = ["br", "gzip"];

/** An asset as it is sent: in the best coding that the client takes, and kept by browsers where its name has a hash. */
export function assetReply(
  path: string,
  { type, bytes, encoded }: Asset,
  accepted: string | null | undefined,
): { headers: Record<string, string>; bytes: AssetBytes } {
  const taken = takenCodings(accepted ?? "");
  const coding = codings.find((one) => encoded.has(one) && taken.has(one));
  const sent = (coding === undefined ? undefined : encoded.get(coding)) ?? bytes;
  const headers = {
    ...pageHeaders,
    ...(path.startsWith("/assets/") ? { "cache-control": "public, max-age=31536000, immutable" } : {}),
    ...(encoded.size > 0 ? { vary: "accept-encoding" } : {}),
    ...(coding === undefined ? {} : { "content-encoding": coding }),
    "content-type": type,
    "content-length": String(sent.length),
  };
  return { headers, bytes: sent };
}

/** The codings of an Accept-Encoding header, without those of weight 0. */
function takenCodings(header: string): Set<string> {
  const named = header.split(",").flatMap((one) => {
    const [name = "", ...parameters] = one.split(";").map((part) => part.trim().toLowerCase());
    return parameters.some((text) => /^q=0(?:\.0*)?$/u.test(text)) ? [] : name;
  });
  return new Set(named);
}
