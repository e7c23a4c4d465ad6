/** Where the build has put the gateway's page, seen from the program that runs. */

import { existsSync } from "node:fs";
import { join } from "node:path";

/** Beside the built command, or in the `dist` of a checkout. */
const places = ["page", join("..", "page"), join("..", "..", "..", "..", "dist", "page")];

export function pageFolder(): { pageFolder?: string } {
  const found = places
    .map((place) => join(import.meta.dirname, place))
    .find((place) => existsSync(join(place, "assets.json")));
  return found === undefined ? {} : { pageFolder: found };
}
