/** The names under which a gateway is reached, as Host headers, and as origins of its own pages. */

import type { Expected } from "../base/expected.ts";
import { hostsOf } from "../base/listening.ts";

type GatewayNames = { hosts: string[]; origins: string[] };

type ListenSettings = { host: string; port: number; names: readonly string[] };

/** `names`: "name" (with our port), "name:port", or "https://name" behind a proxy. */
export function namesOf({ host, port, names }: ListenSettings): Expected<GatewayNames> {
  const own = hostsOf(host, port);
  const found: GatewayNames = { hosts: own, origins: own.map((name) => `http://${name}`) };
  for (const name of names) {
    const url = urlOf(name, port);
    if (!url) return { ok: false, problem: nameProblem(name) };
    const hasDefaultPort = url.port === "";
    found.hosts.push(
      url.host,
      ...(hasDefaultPort ? [`${url.host}:${url.protocol === "https:" ? 443 : 80}`] : []),
    );
    found.origins.push(url.origin);
  }
  return { ok: true, value: { hosts: [...new Set(found.hosts)], origins: [...new Set(found.origins)] } };
}

function urlOf(name: string, port: number): URL | undefined {
  const parts = /^(?<scheme>https?:\/\/)?(?<host>[\w.-]+|\[[\da-f:.]+\])(?<port>:\d+)?$/iu.exec(name)?.groups;
  if (!parts) return undefined;
  const { scheme, host = "", port: own = scheme === undefined ? `:${port}` : "" } = parts;
  const text = `${scheme ?? "http://"}${host}${own}`;
  return URL.canParse(text) ? new URL(text) : undefined;
}

const nameProblem = (name: string): string =>
  `${JSON.stringify(name)} cannot be a name of this gateway: give "name", "name:port", or "https://name" behind a proxy.`;
