/** The version of this program: written into the bundle when it is built, read from package.json in a checkout. */

import packageJson from "../../../package.json" with { type: "json" };

/** The version of this package. */
export const version: string = packageJson.version;
