/** Reads the body of a request: JSON, not too long and not too deep, whatever is sent. */

import { bounds } from "../../base/bounds.ts";
import { readJsonBody } from "../../base/json-body.ts";
import { Refusal } from "./refusal.ts";

/** Throws Refusal. Nothing at all is undefined, which every wire refuses in its own words. */
export async function readBody(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type");
  if (type !== null && !/^application\/(?:[\w.+-]+\+)?json\b/i.test(type))
    throw new Refusal(415, "The body must be JSON: send it with content-type application/json.");
  const read = await readJsonBody(request, { most: bounds.lmServer.body, levels: mostLevels });
  if (!read.ok) throw new Refusal(read.status, read.problem);
  return read.value;
}

/** Schemas of tools are the deepest that honest clients send. */
const mostLevels = 64;
