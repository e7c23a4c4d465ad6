/** The addresses that a server may send us to for a login. */

import { expect, test } from "vitest";
import { whyNotThere } from "./elsewhere.ts";

const names: Readonly<Record<string, string>> = {
  "mcp.example.com": "93.184.216.34",
  "login.example.com": "93.184.216.35",
  "rebound.example.com": "10.0.0.7",
  "mcp.company.example.com": "10.0.0.8",
};
const resolve = async (name: string) => {
  const address = names[name];
  if (address === undefined) throw new Error("ENOTFOUND");
  return [{ address, family: 4 }];
};
const why = (server: string, address: string) => whyNotThere(new URL(server), new URL(address), resolve);

test.each([
  "http://169.254.169.254/latest",
  "http://localhost:8080/as",
  "http://127.0.0.1:2375/",
  "https://[::1]/",
  "https://router.lan/",
  "https://rebound.example.com/",
])("an internet server may not name %s for its login", async (address) => {
  expect(await why("https://mcp.example.com/mcp", address)).toMatch(/^it names https?:.*which no server/u);
});

test.each([
  ["https://mcp.example.com/mcp", "https://login.example.com/"],
  ["https://mcp.example.com/mcp", "https://mcp.example.com/token"],
  ["https://mcp.company.example.com/mcp", "https://rebound.example.com/"],
  ["http://127.0.0.1:3000/mcp", "http://localhost:9000/"],
  ["https://mcp.example.com/mcp", "https://nowhere.example.com/"],
])("%s may name %s", async (server, address) => {
  expect(await why(server, address)).toBeUndefined();
});

test("a local server, too, may name only http and https addresses for its login", async () => {
  expect(await why("http://127.0.0.1:3000/mcp", "file:///etc/passwd")).toBe(
    "it names file:// for its login, which is none of http or https",
  );
});
