/** Headers that the user's settings add to a provider's requests, for gateways and other authentication methods. */

type HeaderVariables = Readonly<Record<string, string | undefined>>;
type Headers = Readonly<Record<string, string>>;

const variable = /\$\{(\w+)\}/gu;

/** The headers to send: `${NAME}` is replaced by the variable. Names are in lower case, like those of the wires. */
export const headersOf = (headers: Headers, env: HeaderVariables): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, text]) => [
      name.toLowerCase(),
      text.replaceAll(variable, (_, of) => env[String(of)]?.trim() ?? ""),
    ]),
  );

/** The unset variables that the headers mention. */
export const unsetIn = (headers: Headers, env: HeaderVariables): string[] =>
  Object.values(headers)
    .flatMap((text) => [...text.matchAll(variable)].map(([, name = ""]) => name))
    .filter((name) => !env[name]?.trim());
