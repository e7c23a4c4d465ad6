/** Where the gateway is: its port, and the built page that it serves. */

import { existsSync } from "node:fs";
import { join } from "node:path";

/** The default, fixed so that clients find it after a restart. */
export const usualPort = 4747;

/** Next to the built command, or in the `dist` of a checkout. */
const places = ["page", join("..", "page"), join("..", "..", "..", "..", "dist", "page")];

export function pageFolder(): { pageFolder?: string } {
  const found = places
    .map((place) => join(import.meta.dirname, place))
    .find((place) => existsSync(join(place, "assets.json")));
  return found === undefined ? {} : { pageFolder: found };
}
