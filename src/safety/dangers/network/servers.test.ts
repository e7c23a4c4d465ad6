import { expect, test } from "vitest";
import { effectsOf, told } from "../testing-effects.ts";

const tells = (line: string): string[] => told(effectsOf([], line));

test.each(["nginx -t", "redis-server --version", "caddy validate", "ldapsearch -x", "hydra --help"])(
  "a query to a server or its own check has no effect: %s",
  (line) => {
    expect(tells(line)).toEqual([]);
  },
);

test.each([
  ["redis-server", "danger medium it starts or stops a server on this machine"],
  ["nginx -c x.conf", "loads x.conf other"],
  ["mkcert -install", "danger high it changes which certificates this machine trusts"],
  ["sqlmap -u http://h", "danger high it attacks other machines or breaks passwords"],
  ["smbclient //h/s -c put_a", "danger high its commands can send and remove files"],
  ["lynx -dump https://x.example", "fetches https://x.example"],
  ["mosquitto_pub -h h -t a -m b", "sends h b "],
  ["w3m a.html", "reads a.html"],
])("effects of servers, clients and attack tools are reported: %s", (line, effect) => {
  expect(tells(line)).toContain(effect);
});
