/**
 * The headers that a user's settings give a provider: what gateways and other ways of signing in want besides the key.
 */

type Environment = Readonly<Record<string, string | undefined>>;
type Headers = Readonly<Record<string, string>>;

const variable = /\$\{(\w+)\}/gu;

/** As they are sent: `${NAME}` is what the variable holds. Their names are in lower case, as those of the wires. */
export const headersOf = (headers: Headers, env: Environment): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, text]) => [
      name.toLowerCase(),
      text.replaceAll(variable, (_, of) => env[String(of)]?.trim() ?? ""),
    ]),
  );

/** The variables in them that are not set. */
export const unsetIn = (headers: Headers, env: Environment): string[] =>
  Object.values(headers)
    .flatMap((text) => [...text.matchAll(variable)].map(([, name = ""]) => name))
    .filter((name) => !env[name]?.trim());
