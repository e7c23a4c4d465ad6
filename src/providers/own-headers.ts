/** Headers that the user's settings add to a provider's requests, for gateways and other authentication methods. */

import type { EnvironmentVariables } from "../base/environment-variables.ts";
type Headers = Readonly<Record<string, string>>;

const variable = /\$\{(\w+)\}/gu;

/** The headers to send: `${NAME}` is replaced by the variable. Names are in lower case, like those of the wires. */
export const headersOf = (headers: Headers, env: EnvironmentVariables): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, text]) => [
      name.toLowerCase(),
      text.replaceAll(variable, (_, of) => env[String(of)]?.trim() ?? ""),
    ]),
  );

/** The unset variables that the headers mention. */
export const unsetIn = (headers: Headers, env: EnvironmentVariables): string[] =>
  Object.values(headers)
    .flatMap((text) => [...text.matchAll(variable)].map(([, name = ""]) => name))
    .filter((name) => !env[name]?.trim());
