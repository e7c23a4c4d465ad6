/** The browser of the tests. */

import type { LaunchOptions } from "playwright-core";

/** The distribution's Chromium; `CHROMIUM_PATH` names another. */
export const browserOptions: LaunchOptions = {
  executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
  // Nobody but root is told that it cannot have a sandbox.
  chromiumSandbox: process.getuid?.() !== 0,
  args: ["--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking"],
};
