/** Which values of the settings and the environment count as secrets. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Config, loadConfig } from "../../configuration/config.ts";
import { knownSecrets, redactorFor } from "./known-secrets.ts";

async function settings(more: Partial<Config>): Promise<Config> {
  const home = await mkdtemp(join(tmpdir(), "toolwright-secrets-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const given = {
    command: "doctor",
    flags: { cwd: home, stateDir: join(home, "state") },
    environment: {},
  } as const;
  const config = await loadConfig({ arguments: given, env: { HOME: home }, cwd: home });
  if (!config.ok) throw new Error(config.problem);
  return { ...config.value, ...more };
}

test("keys, headers, environments, arguments after a secret flag, and credentials in addresses count as secrets", async () => {
  const server = { command: "x", args: ["--verbose", "--api-token", "canary-args", "plain"] };
  const config = await settings({
    providers: {
      mine: {
        key: "canary-key",
        baseUrl: "https://ann:canary-login@example.org/v1",
        headers: { "api-key": "canary-own-header" },
      },
    },
    addons: {
      user: {
        mcpServers: {
          one: { ...server, env: { ANY: "canary-env" } },
          two: { url: "https://example.org/mcp?api_key=canary-query", headers: { "x-any": "canary-header" } },
          three: { url: "https://canary-user-name-alone@example.org/hooks/T0Canary9Path8Made7By6A5Machine" },
        },
      },
      workspace: {},
    },
  });
  const known = knownSecrets(config, { HTTPS_PROXY: "http://ann:canary%20proxy@proxy.example:8080" });
  for (const secret of [
    "canary-key",
    "canary-own-header",
    "canary-login",
    "canary-args",
    "canary-env",
    "canary-query",
    "canary-header",
    "canary-user-name-alone",
    "T0Canary9Path8Made7By6A5Machine",
    "canary proxy",
  ])
    expect(known).toContain(secret);
  for (const plain of ["plain", "--verbose", "x", "ann", "example.org"]) expect(known).not.toContain(plain);
});

test("an invalid address and a short login are not secrets", async () => {
  const config = await settings({ providers: { mine: { baseUrl: "http://[" } } });
  const known = knownSecrets(config, { A: "git://git@example.org/x", B: "://", C: "http://%zz:%zz@h/" });
  expect(known).not.toContain("git");
  const redact = redactorFor(config, { ORIGIN: "ssh://git@example.org/x.git" });
  expect(redact("git fetch ssh://git@example.org/x.git")).toBe("git fetch ssh://git@example.org/x.git");
});
