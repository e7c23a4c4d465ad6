/** Runs a module of tests inside VS Code's extension host, as `in-host.ts` describes them. */

import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { rolldown } from "rolldown";
import { type HostTests, reportName } from "./in-host.ts";
import { newPage } from "./window.ts";

export type HostTestRun = {
  /** The module's file; TypeScript, bundled for the extension host. */
  module: string;
  workspace: string;
  authority: string;
  /** A directory for what is made here. */
  root: string;
};

/** Opens a window in which nothing but the tests runs, and the extensions that are installed. */
export async function runHostTests(context: BrowserContext, run: HostTestRun): Promise<HostTests> {
  const bundle = await bundleTests(run);
  const page = await newPage(context);
  try {
    const said: string[] = [];
    const code = await ended(page, { run, bundle, said });
    const report = await readFile(join(bundle, reportName), "utf8").catch(() => undefined);
    if (report === undefined)
      throw new Error(`The extension host ended with code ${code}, and no report:\n${said.join("\n")}`);
    return JSON.parse(report);
  } finally {
    await page.close();
  }
}

/** An extension of its own, without a program: VS Code runs tests only for an extension in development. */
async function bundleTests({ module, root }: HostTestRun): Promise<string> {
  const directory = await mkdtemp(join(root, "host-tests-"));
  const manifest = {
    name: "host-tests",
    publisher: "toolwright",
    version: "0.0.0",
    engines: { vscode: "*" },
  };
  await writeFile(join(directory, "package.json"), JSON.stringify(manifest));
  const entry = `import ${JSON.stringify(module)};
export { run } from ${JSON.stringify(join(import.meta.dirname, "in-host.ts"))};`;
  const bundler = await rolldown({
    input: "entry",
    external: ["vscode"],
    platform: "node",
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === "entry" ? id : undefined),
        load: (id) => (id === "entry" ? entry : undefined),
      },
    ],
  });
  await bundler.write({ file: join(directory, "tests.cjs"), format: "cjs", sourcemap: "inline" });
  await bundler.close();
  return directory;
}

/** The exit code that VS Code gives the tests: 0 when `run` has resolved. */
async function ended(
  page: Page,
  { run, bundle, said }: { run: HostTestRun; bundle: string; said: string[] },
): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  await page.exposeFunction("codeAutomationExit", resolve);
  await page.exposeFunction("codeAutomationLog", (level: string, words: unknown[]) =>
    said.push(`${level}: ${words.map(String).join(" ")}`),
  );
  await page.addInitScript(withTestDriver);
  await page.goto(addressOf(run, bundle));
  return promise;
}

/**
 * Only a window with VS Code's driver for smoke tests runs tests. It shows no notifications, so the others have none: the
 * driver is not an option of the server, but set in the page before VS Code reads it.
 */
const withTestDriver = `new MutationObserver((_, observer) => {
  const meta = document.getElementById("vscode-workbench-web-configuration");
  if (!meta) return;
  observer.disconnect();
  const settings = JSON.parse(meta.dataset.settings);
  settings.developmentOptions = { ...settings.developmentOptions, enableSmokeTestDriver: true };
  meta.dataset.settings = JSON.stringify(settings);
}).observe(document, { childList: true, subtree: true });`;

function addressOf({ authority, workspace }: HostTestRun, bundle: string): string {
  const remote = `vscode-remote://${authority}${bundle}`;
  const payload = [
    ["extensionDevelopmentPath", remote],
    ["extensionTestsPath", `${remote}/tests.cjs`],
    ["enableProposedApi", ""],
    ["skipWelcome", "true"],
  ];
  const query = new URLSearchParams({ folder: workspace, payload: JSON.stringify(payload) });
  return `http://${authority}/?${query}`;
}
