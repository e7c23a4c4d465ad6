/** Where the page is: `#/s/<id>` for a session, else the start. A one-time code is no place. */

export type Place = { type: "start" } | { type: "session"; id: string };

export function placeIn(hash: string): Place {
  const id = /^#\/s\/([^/?#]{1,200})$/u.exec(hash)?.[1];
  if (id === undefined) return { type: "start" };
  try {
    return { type: "session", id: decodeURIComponent(id) };
  } catch {
    return { type: "start" };
  }
}

export const hashOf = (place: Place): string =>
  place.type === "session" ? `#/s/${encodeURIComponent(place.id)}` : "#/";

/** The one-time code that an address came with, as `serve` prints it. */
export const codeIn = (hash: string): string | undefined => /^#code=([\w-]{1,200})$/u.exec(hash)?.[1];
