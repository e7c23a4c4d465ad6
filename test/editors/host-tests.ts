/** Runs a module of tests inside VS Code's extension host, as `in-host.ts` describes them. */

import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { rolldown } from "rolldown";
import { type HostTests, reportName } from "./in-host.ts";
import { newPage } from "./page.ts";

type HostTestRun = {
  /** The module's file; TypeScript, bundled for the extension host. */
  module: string;
  workspace: string;
  /** Of the server. */
  authority: string;
  /** Where to make a directory for the bundle. */
  root: string;
};

/** In a window of its own, beside the extensions that are installed. */
export async function runHostTests(context: BrowserContext, run: HostTestRun): Promise<HostTests> {
  const bundle = await bundleTests(run);
  const page = await newPage(context);
  try {
    const said = await listenTo(page, addressOf(run, bundle));
    const report = await readFile(join(bundle, reportName), "utf8").catch(() => undefined);
    if (report === undefined)
      throw new Error(`The tests did not run. VS Code said at last:\n${said.join("\n")}`);
    return JSON.parse(report);
  } finally {
    await page.close();
  }
}

/** VS Code runs tests only for an extension that is in development: one without a program. */
async function bundleTests({ module, root }: HostTestRun): Promise<string> {
  const directory = await mkdtemp(join(root, "host-tests-"));
  const manifest = {
    name: "host-tests",
    publisher: "toolwright",
    version: "0.0.0",
    engines: { vscode: "*" },
  };
  await writeFile(join(directory, "package.json"), JSON.stringify(manifest));
  const bundler = await rolldown({ input: module, external: ["vscode"], platform: "node" });
  await bundler.write({ file: join(directory, "tests.cjs"), format: "cjs", sourcemap: "inline" });
  await bundler.close();
  return directory;
}

function addressOf({ authority, workspace }: HostTestRun, bundle: string): string {
  const remote = `vscode-remote://${authority}${bundle}`;
  const payload = [
    ["extensionDevelopmentPath", remote],
    ["extensionTestsPath", `${remote}/tests.cjs`],
    ["enableProposedApi", ""],
    ["skipWelcome", "true"],
  ];
  const query = new URLSearchParams({ folder: workspace, payload: JSON.stringify(payload) });
  return `http://${authority}/?${query.toString()}`;
}

/** Of what VS Code says, only so many lines are kept, and so much of each. */
const mostLines = 30;
const longestLine = 300;

/** Resolves when VS Code says that the tests have ended, with the last of what it and the extension host have said. */
async function listenTo(page: Page, address: string): Promise<readonly string[]> {
  const said: string[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  await page.exposeFunction("codeAutomationExit", () => resolve());
  await page.exposeFunction("codeAutomationLog", (level: string, words: unknown[]) => {
    if (level === "error") said.push(words.map(String).join(" ").slice(0, longestLine));
    if (said.length > mostLines) said.shift();
  });
  await page.addInitScript(withTestDriver);
  await page.goto(address);
  await ended;
  return said;
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
