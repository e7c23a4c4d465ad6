/** Reads a request's body: JSON of bounded size and depth. */

import { readJsonBody } from "../base/json-body.ts";
import { lmServerBounds } from "./bounds.ts";
import { RequestRefusal } from "./refusal.ts";

/**
 * Throws Refusal. An empty body gives undefined, which every wire refuses in its own words. `ofAnyType`: whatever its
 * content type says, as a plain `curl -d` sends it.
 */
export async function readBody(request: Request, { ofAnyType }: { ofAnyType: boolean }): Promise<unknown> {
  const type = request.headers.get("content-type");
  if (!ofAnyType && type !== null && !/^application\/(?:[\w.+-]+\+)?json\b/i.test(type))
    throw new RequestRefusal(415, "The body must be JSON: send it with content-type application/json.");
  const read = await readJsonBody(request, { most: lmServerBounds.body, levels: mostLevels });
  if (!read.ok) throw new RequestRefusal(read.status, read.problem);
  return read.value;
}

/** Tool schemas are the deepest JSON that regular clients send. */
const mostLevels = 64;
