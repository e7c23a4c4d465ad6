import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { isObject } from "../../../../../src/base/json.ts";
import { packagedManifest } from "../../../scripts/manifest.ts";
import { listenOnOwnPort, ownPorts } from "./own-ports.ts";

async function listening(): Promise<number> {
  const server = createServer();
  onTestFinished(() => void server.close());
  await listenOnOwnPort(server);
  const address: unknown = server.address();
  return isObject(address) ? Number(address["port"]) : 0;
}

test("each window has one of a few ports, and any other when all are taken", async () => {
  const ports: number[] = [];
  for (let at = ownPorts.first; at <= ownPorts.last + 1; at += 1) ports.push(await listening());
  expect(new Set(ports).size).toBe(ports.length);
  expect(ports[0]).toBeGreaterThanOrEqual(ownPorts.first);
  expect(ports[0]).toBeLessThanOrEqual(ownPorts.last);
  expect(ports.at(-1)).not.toBe(0);
});

test("the manifest keeps exactly these from being forwarded, beside those of the core", async () => {
  const { contributes } = await packagedManifest("1.2.3");
  const defaults = isObject(contributes) ? contributes["configurationDefaults"] : {};
  const ports = isObject(defaults) ? defaults["remote.portsAttributes"] : {};
  const ignored = { onAutoForward: "ignore", label: "Toolwright" };
  expect(ports).toEqual({
    [`${ownPorts.first}-${ownPorts.last}`]: ignored,
    [String.raw`[/\\]core[/\\]bin\.cjs`]: ignored,
  });
});
