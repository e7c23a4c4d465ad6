/** The program's version: written into the bundle at build time, read from package.json in a checkout. */

import packageJson from "../../../package.json" with { type: "json" };

/** The version of this package. @public */
export const version: string = packageJson.version;
