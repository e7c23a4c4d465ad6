/** The page's location: `#/s/<id>` for a session, otherwise the start. A one-time code is not a location. */

import { attempt } from "../../base/expected.ts";

export type PageLocation = { type: "start" } | { type: "session"; id: string };

export function placeIn(hash: string): PageLocation {
  const id = /^#\/s\/([^/?#]{1,200})$/u.exec(hash)?.[1];
  if (id === undefined) return { type: "start" };
  return attempt(() => ({ type: "session", id: decodeURIComponent(id) })) ?? { type: "start" };
}

export const hashOf = (place: PageLocation): string =>
  place.type === "session" ? `#/s/${encodeURIComponent(place.id)}` : "#/";

/** The one-time code in an address printed by `serve`. */
export const codeIn = (hash: string): string | undefined => /^#code=([\w-]{1,200})$/u.exec(hash)?.[1];
