/** Reads the body of a request to the MCP server: JSON of bounded size and depth. */

import { otherProgramBounds } from "../base/bounds.ts";
import { readJsonBody } from "../base/json-body.ts";

type BodyResult = { ok: true; value: unknown } | { ok: false; refusal: Response };

/** A JSON-RPC error that belongs to no particular request. */
export function refusal(status: number, message: string, headers: Record<string, string> = {}): Response {
  const code = status === 400 ? -32700 : -32600;
  return Response.json({ jsonrpc: "2.0", id: null, error: { code, message } }, { status, headers });
}

export async function readBody(request: Request): Promise<BodyResult> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\s*(?:;|$)/iu.test(type))
    return refuseBody(415, "The body must be JSON: send it with content-type application/json.");
  const read = await readJsonBody(request, { most: otherProgramBounds.message, levels: mostLevels });
  if (!read.ok) return refuseBody(read.status, read.problem);
  return read.value === undefined ? refuseBody(400, "The body is empty.") : read;
}

const mostLevels = 64;
const refuseBody = (status: number, message: string): BodyResult => ({
  ok: false,
  refusal: refusal(status, message),
});
