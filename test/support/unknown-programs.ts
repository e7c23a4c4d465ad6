/** Programs that no row knows, which a contained command can start. */

import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** `make` returns the name of a program that runs this script; `remove` removes them all. */
export function unknownPrograms(): { make(script: string): string; remove(): void } {
  const home = mkdtempSync(join(tmpdir(), "toolwright-unknown-"));
  const bin = join(home, "bin");
  mkdirSync(bin);
  process.env.UNKNOWN_PROGRAMS_HOME = home;
  process.env.PATH = `${bin}:${process.env.PATH}`;
  let made = 0;
  return {
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
