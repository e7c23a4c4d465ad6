/** The gateway without a port: the same access control and the same router. */

import type { Hono } from "hono";
import { type Door, entry, pathOf, signedOutOf } from "./door.ts";
import { assetReply, type PageAssets } from "./page-assets.ts";
import { type AdmittedFrom, refusedResponse } from "./route.ts";

type FetchContext = { door: Door; app: Hono<AdmittedFrom>; page: PageAssets };

export async function fetchThroughDoor(
  { door, app, page }: FetchContext,
  request: Request,
): Promise<Response> {
  const { pathname, search, host } = new URL(request.url);
  const raw = [...request.headers].flat();
  const named = request.headers.has("host") ? raw : [...raw, "host", host];
  const head = { method: request.method, target: pathname + search, raw: named };
  const { refused, bearer } = await entry(door, head);
  if (refused) return refusedResponse(refused);
  const asset = request.method === "GET" ? page.get(pathOf(pathname)) : undefined;
  if (asset) {
    const { headers, bytes } = assetReply(pathname, asset, request.headers.get("accept-encoding"));
    return new Response(bytes, { headers });
  }
  const signedOut = signedOutOf(request.method, bearer);
  if (!signedOut) return app.fetch(request, { bearer });
  const ending = new Request(request, { signal: AbortSignal.any([request.signal, signedOut]) });
  return app.fetch(ending, { bearer });
}
