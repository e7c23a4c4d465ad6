/** Reads the body of a request to the MCP server: JSON of bounded size and depth. */

import { readJsonBody } from "../../base/json-body.ts";
import { mcpServerBounds } from "./bounds.ts";

type Body = { ok: true; value: unknown } | { ok: false; refusal: Response };

/** A JSON-RPC error that belongs to no particular request. */
export function refusal(status: number, message: string, headers: Record<string, string> = {}): Response {
  const code = status === 400 ? -32700 : -32600;
  return Response.json({ jsonrpc: "2.0", id: null, error: { code, message } }, { status, headers });
}

export async function readBody(request: Request): Promise<Body> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\s*(?:;|$)/iu.test(type))
    return refused(415, "The body must be JSON: send it with content-type application/json.");
  const read = await readJsonBody(request, { most: mcpServerBounds.frame, levels: mostLevels });
  if (!read.ok) return refused(read.status, read.problem);
  return read.value === undefined ? refused(400, "The body is empty.") : read;
}

const mostLevels = 64;
const refused = (status: number, message: string): Body => ({ ok: false, refusal: refusal(status, message) });
