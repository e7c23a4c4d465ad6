/** CORS for the web pages that the settings allow. */

import { headerValues, type RawHeaders } from "../base/server-guard.ts";

/** The request's origin, if it is an allowed one; other origins are refused elsewhere. */
export function pageOf(raw: RawHeaders, origins: readonly string[]): string | undefined {
  const [origin] = headerValues(raw, "origin");
  return origin !== undefined && origins.includes(origin) ? origin : undefined;
}

/** Whether the request is a CORS preflight, which carries no token. */
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

/** Adds the CORS headers to a reply. */
export function forPage(response: Response, origin: string | undefined): Response {
  if (origin === undefined) return response;
  response.headers.set("access-control-allow-origin", origin);
  response.headers.append("vary", "origin");
  response.headers.set(
    "access-control-expose-headers",
    "x-toolwright-repairs, x-toolwright-model, x-request-id, request-id, retry-after",
  );
  return response;
}
