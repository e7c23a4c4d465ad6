/** Reads the body of a request: JSON, not too long and not too deep, whatever is sent. */
import { bounds } from "../../base/bounds.ts";
import { figureOf } from "../../base/bound.ts";
import { parseJson } from "../../base/json.ts";
import { isTextDeeperThan } from "../../base/json-depth.ts";
import { Refusal } from "./refusal.ts";

/** Throws Refusal. Nothing at all is undefined, which every wire refuses in its own words. */
export async function readBody(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type");
  if (type !== null && !/^application\/(?:[\w.+-]+\+)?json\b/i.test(type))
    throw new Refusal(415, "The body must be JSON: send it with content-type application/json.");
  const encoding = request.headers.get("content-encoding");
  if (encoding !== null && encoding !== "identity")
    throw new Refusal(415, "The body is compressed, which is not understood here: send it as it is.");
  const text = await readText(request);
  if (text.trim() === "") return undefined;
  if (isTextDeeperThan(mostLevels, text))
    throw new Refusal(400, `The body is nested more than ${mostLevels} levels deep.`);
  const parsed = parseJson(text);
  if (parsed.ok) return parsed.value;
  throw new Refusal(400, "The body is not valid JSON.");
}

const { body: longest } = bounds.lmServer;

async function readText(request: Request): Promise<string> {
  const tooLong = new Refusal(413, `The body is longer than ${figureOf(longest)}.`);
  if (Number(request.headers.get("content-length") ?? 0) > bounds.lmServer.body.most) throw tooLong;
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  const reader = request.body?.getReader();
  if (!reader) return "";
  // A client that leaves while it sends has nobody to be answered.
  const read = () => reader.read().catch(() => Promise.reject(new Refusal(400, "The body broke off.")));
  for (let next = await read(); !next.done; next = await read()) {
    bytes += next.value.length;
    if (bytes > bounds.lmServer.body.most) {
      void reader.cancel().catch(() => undefined);
      throw tooLong;
    }
    pieces.push(next.value);
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
}

/** Schemas of tools are the deepest that honest clients send. */
const mostLevels = 64;
