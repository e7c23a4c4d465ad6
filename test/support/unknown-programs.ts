/** Programs that no row knows, which a contained command can start. */

import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * `make` returns the name of a program that runs this script; `env` lets a sandbox see them, beside PATH; `remove` removes
 * them all.
 */
export function unknownPrograms(): {
  env: Record<string, string>;
  make(script: string): string;
  remove(): void;
} {
  const home = mkdtempSync(join(tmpdir(), "toolwright-unknown-"));
  const bin = join(home, "bin");
  mkdirSync(bin);
  const env = { UNKNOWN_PROGRAMS_HOME: home };
  Object.assign(process.env, env);
  process.env.PATH = `${bin}:${process.env.PATH}`;
  let made = 0;
  return {
    env,
    make(script) {
      made += 1;
      const name = `frobnicate${made}`;
      writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
      chmodSync(join(bin, name), 0o755);
      return name;
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}
