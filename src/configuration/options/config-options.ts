/** The options that may stand in a configuration file. */

import { type Option, options } from "./options.ts";

export const configOptions: readonly Option[] = options.filter(({ inConfig }) => inConfig);

export const configOption = (key: string): Option | undefined =>
  configOptions.find(({ name }) => name === key);
