/** A key at the beginning of the path (`/k/KEY/v1/…`), for clients that can send none, and paths without their keys. */

import type { IncomingMessage } from "node:http";

/** Where a key from the path stands from then on. */
export const keyHeader = "x-toolwright-key";

/** Takes the key out of the path before anything reads the path. */
export function moveKey(request: Pick<IncomingMessage, "url" | "headers" | "rawHeaders">): void {
  const [, key, rest = ""] = /^\/k\/([^/?#]+)(.*)$/su.exec(request.url ?? "") ?? [];
  if (key === undefined) return;
  request.url = rest.startsWith("/") ? rest : `/${rest}`;
  const value = decodeKey(key);
  request.headers[keyHeader] = value; // Node has read the raw ones already
  request.rawHeaders.push(keyHeader, value);
}

/** What a header cannot hold stays as it is, and is no key. */
function decodeKey(text: string): string {
  try {
    const plain = decodeURIComponent(text);
    return /^[\u0021-\u007e]+$/u.test(plain) ? plain : text;
  } catch {
    return text;
  }
}

/** For logs and messages: what stands in a key's place, or is a key anywhere, is left out. At most 200 characters. */
export function withoutKeys(path: string, isKey: (text: string) => boolean): string {
  const parts = path.split("/", mostParts);
  const shown = parts.map((part, at) => {
    const isPlace = decodeKey(parts[at - 1] ?? "").toLowerCase() === "k";
    return isPlace || (part.length >= leastKey && isKey(decodeKey(part))) ? "KEY" : part;
  });
  return shown.join("/").slice(0, 200);
}

const mostParts = 20;
/** No key is shorter, and no part of the server's own paths is as long. */
const leastKey = 16;
