/** Finds the built page of the gateway, relative to the running program. */

import { existsSync } from "node:fs";
import { join } from "node:path";

/** Next to the built command, or in the `dist` of a checkout. */
const places = ["page", join("..", "page"), join("..", "..", "..", "..", "dist", "page")];

export function pageFolder(): { pageFolder?: string } {
  const found = places
    .map((place) => join(import.meta.dirname, place))
    .find((place) => existsSync(join(place, "assets.json")));
  return found === undefined ? {} : { pageFolder: found };
}
