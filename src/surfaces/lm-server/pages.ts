/** What a web page needs that the settings let in: its browser asks first, and reads only what names its origin. */

import { headerValues, type RawHeaders } from "../../base/server-guard.ts";

/** The origin, where it is one of those; a page of any other is refused elsewhere. */
export function pageOf(raw: RawHeaders, origins: readonly string[]): string | undefined {
  const [origin] = headerValues(raw, "origin");
  return origin !== undefined && origins.includes(origin) ? origin : undefined;
}

/** Whether a browser only asks what it may send; it has no token then. */
export const isPreflight = (method: string, raw: RawHeaders): boolean =>
  method === "OPTIONS" && headerValues(raw, "access-control-request-method").length > 0;

export function preflight(raw: RawHeaders): Response {
  const [wanted = ""] = headerValues(raw, "access-control-request-headers");
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": "GET, POST",
      "access-control-allow-headers": wanted,
      "access-control-allow-private-network": "true",
      "access-control-max-age": "600",
    },
  });
}

/** The same reply, for the page. */
export function forPage(response: Response, origin: string | undefined): Response {
  if (origin === undefined) return response;
  response.headers.set("access-control-allow-origin", origin);
  response.headers.append("vary", "origin");
  response.headers.set(
    "access-control-expose-headers",
    "x-toolwright-repairs, x-request-id, request-id, retry-after",
  );
  return response;
}
