/** A real VS Code 1.139 in a browser, from npm packages and the system's Chromium: the rig of the editors' tests. */

import { chromium } from "playwright-core";
import { browserOptions } from "../support/chromium.ts";
import { type EditorHomeOptions, newEditorHome, newWorkspace, removeEditorHome } from "./home.ts";
import { runHostTests } from "./host-tests.ts";
import type { HostTests } from "./in-host.ts";
import { installedVSCode } from "./installed-vscode.ts";
import { startServer } from "./server.ts";
import { type EditorWindow, openWindow } from "./window.ts";

export type VSCode = {
  /** The directory of everything that it writes, removed with it; its home as well. */
  root: string;
  /** A new directory with these files; keys are paths below it. */
  newWorkspace(files?: Record<string, string>): Promise<string>;
  /** Installs a .vsix file, for windows that are opened later. */
  install(vsix: string): Promise<void>;
  /**
   * A window as a person has it, closed with the test that opens it. All are of one browser profile, in which VS Code
   * keeps the state of extensions.
   */
  open(workspace: string): Promise<EditorWindow>;
  /** Runs a module of tests (see in-host.ts) in an extension host of its own, beside the extensions installed. */
  runInHost(module: string, workspace: string): Promise<HostTests>;
  /** Whatever runs because of it, its own processes included. */
  processes(): number[];
  close(): Promise<void>;
};

export async function startVSCode(options: EditorHomeOptions = {}): Promise<VSCode> {
  const installed = await installedVSCode();
  const home = await newEditorHome(options, installed.machine);
  const [server, browser] = await Promise.all([
    startServer(installed, home),
    chromium.launch(browserOptions),
  ]);
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  const { authority } = server;
  const addressOf = (folder: string): string =>
    `http://${authority}/?${new URLSearchParams({ folder }).toString()}`;
  return {
    root: home.root,
    newWorkspace: (files = {}) => newWorkspace(home, files),
    install: (vsix) => server.install(vsix),
    open: (workspace) => openWindow(context, addressOf(workspace)),
    runInHost: (module, workspace) =>
      runHostTests(context, { module, workspace, authority, root: home.root }),
    processes: () => server.processes(),
    async close() {
      await browser.close();
      await server.close();
      await removeEditorHome(home);
    },
  };
}
