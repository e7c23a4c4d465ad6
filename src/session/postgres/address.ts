/** Reads the address of a PostgreSQL database into what its driver needs. No message repeats the address itself. */

import { readFileSync } from "node:fs";
import type { ClientConfig } from "pg";
import { type Expected, errorMessage } from "../../base/expected.ts";

/** `name`: the address as messages show it, without user and password. */
export type DatabaseAddress = {
  name: string;
  login: Pick<ClientConfig, "host" | "port" | "user" | "password" | "database" | "ssl">;
};

const example = "postgres://user@host:5432/name";
const wrong = (what: string): { ok: false; problem: string } => ({
  ok: false,
  problem: `The address of the database ${what}. Give one such as ${example} with the option "database", TOOLWRIGHT_DATABASE or "database" in your configuration.`,
});

const parameters = ["host", "user", "sslmode", "sslrootcert"] as const;
const modes = ["disable", "require", "verify-full"] as const;

/** A parameter that is not known is an error: without one that was misspelt, a password might travel unprotected. */
export function readAddress(text: string): Expected<DatabaseAddress> {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (!url || !/^postgres(?:ql)?:$/u.test(url.protocol))
    return wrong("cannot be read: it begins with postgres://, and a password in it is percent-encoded");
  const given = [...url.searchParams.keys()];
  const foreign = given.find((name) => !parameters.some((known) => known === name));
  if (foreign !== undefined || new Set(given).size < given.length)
    return wrong(`may have the parameters ${parameters.join(", ")}, each once, and no others`);
  try {
    return addressOf(url);
  } catch (error) {
    if (error instanceof URIError) return wrong("is wrongly encoded: write % as %25");
    throw error;
  }
}

function addressOf(url: URL): Expected<DatabaseAddress> {
  const parameter = (name: (typeof parameters)[number]): string | undefined =>
    url.searchParams.get(name) ?? undefined;
  const database = decodeURIComponent(url.pathname.slice(1));
  if (database === "") return wrong("names no database behind its last /");
  const named = decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/u, "$1");
  if (named !== "" && parameter("host") !== undefined) return wrong("names two hosts");
  const host = named || parameter("host");
  const tls = tlsOf(host, parameter("sslmode"), parameter("sslrootcert"));
  if (!tls.ok) return tls;
  const [user, password] = [
    decodeURIComponent(url.username) || parameter("user"),
    decodeURIComponent(url.password),
  ];
  const login = {
    database,
    ssl: tls.value,
    host,
    ...(url.port === "" ? {} : { port: Number(url.port) }),
    user,
    ...(password === "" ? {} : { password }),
  };
  return { ok: true, value: { name: `${database} on ${host ?? "this machine"}`, login } };
}

/** Encrypted, and the server's certificate checked, unless the server is on this machine or the address says else. */
function tlsOf(
  host: string | undefined,
  given: string | undefined,
  authority: string | undefined,
): Expected<ClientConfig["ssl"]> {
  const mode = modes.find((known) => known === (given ?? (isHere(host) ? "disable" : "verify-full")));
  if (!mode) return wrong(`has an sslmode that is none of ${modes.join(", ")}`);
  if (mode === "disable") return { ok: true, value: false };
  if (mode === "require") return { ok: true, value: { rejectUnauthorized: false } };
  if (authority === undefined) return { ok: true, value: { rejectUnauthorized: true } };
  try {
    return { ok: true, value: { rejectUnauthorized: true, ca: readFileSync(authority, "utf8") } };
  } catch (error) {
    return wrong(`names an sslrootcert that cannot be read (${errorMessage(error)})`);
  }
}

const isHere = (host: string | undefined): boolean =>
  host === undefined || host.startsWith("/") || /^(?:localhost|127(?:\.\d+){3}|::1)$/iu.test(host);
