/** What rooms below say of an option, in the words of a command line. */

import { options } from "./options.ts";

/** `the option "stateDir"` is `--state-dir`. */
export const inFlags = (text: string): string =>
  text.replaceAll(/\bthe option "(\w+)"/giu, (said, name) => {
    const option = options.find((one) => one.name === name);
    return option ? `--${option.flag}` : said;
  });
