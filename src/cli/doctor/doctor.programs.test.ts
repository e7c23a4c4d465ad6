/** Unit tests of doctor's checks; test/doctor.test.ts runs the whole command. */

import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCheck } from "./finding.ts";
import { clock, network, ripgrep } from "./machine.ts";
import { unknownVariables } from "./settings.ts";
import { clockFinding } from "./state.ts";

test("a check that takes too long or throws becomes a warning", async () => {
  const never = () => new Promise<never>(() => undefined);
  const slow = await runCheck("slow", never, 10);
  const fix = "try again when this machine is less busy";
  expect(slow).toEqual([{ check: "slow", state: "warn", words: "could not be checked within 0.01 s", fix }]);
  const broken = (): never => {
    throw new Error("no such luck");
  };
  expect(await runCheck("broken", broken)).toEqual([
    { check: "broken", state: "warn", words: "could not be checked (no such luck)" },
  ]);
});

test("proxies are shown without credentials, and wrong proxy and certificate settings are warnings", async () => {
  const [proxy] = await network({ HTTPS_PROXY: "http://ann:hunter22@proxy.example:8080" });
  expect(proxy).toEqual({ check: "proxy", state: "ok", words: "HTTPS_PROXY http://…@proxy.example:8080" });
  expect((await network({ http_proxy: "proxy.example" }))[0]).toMatchObject({ state: "warn" });
  const [, missing, open_] = await network({
    NODE_EXTRA_CA_CERTS: "/no/such/file.pem",
    NODE_TLS_REJECT_UNAUTHORIZED: "0",
  });
  expect(missing).toMatchObject({ state: "warn", words: expect.stringContaining("cannot be read") });
  expect(open_?.words).toContain("are not verified");
  const [, directory] = await network({ NODE_EXTRA_CA_CERTS: tmpdir() });
  expect(directory).toMatchObject({ state: "warn", words: expect.stringContaining("cannot be read") });
  expect(clock(0).state).toBe("warn");
});

test("a clock far behind the newest session is a warning, and an hour's difference is not", () => {
  const now = Date.UTC(2027, 4, 1);
  expect(clockFinding([], now)).toEqual([]);
  expect(clockFinding([now - 1e9, now + 3_600_000], now)).toEqual([]);
  expect(clockFinding([0, Date.UTC(2027, 6, 9)], now)).toMatchObject([
    { check: "clock", state: "warn", words: "it says 2027-05-01, and a session here is of 2027-07-09" },
  ]);
});

test("a bundled ripgrep without execute permission is reported with a fix", async () => {
  const folder = await mkdtemp(join(tmpdir(), "toolwright-doctor-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "rg");
  await writeFile(path, "#!/bin/sh\necho ripgrep 99\n", { mode: 0o644 });
  const found = await ripgrep(async () => path);
  expect(found.words).toContain(`cannot be run (${path})`);
  expect(found.fix).toContain(`chmod +x ${path}`);
  await chmod(path, 0o755);
  expect(await ripgrep(async () => path)).toEqual({ check: "ripgrep", state: "ok", words: "ripgrep 99" });
});

test("only unknown TOOLWRIGHT_ variables are a finding", () => {
  expect(unknownVariables({ TOOLWRIGHT_MODE: "ask", TOOLWRIGHT_HOOK_NAME: "x", PATH: "/bin" })).toEqual([]);
  expect(unknownVariables({ TOOLWRIGHT_MODLE: "ask" })).toHaveLength(1);
});
