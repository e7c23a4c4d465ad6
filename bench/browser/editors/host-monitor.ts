/** An extension that measures how long the thread of the extension host, which all extensions share, is kept busy at once. */

import { readFile } from "node:fs/promises";
import { sleep } from "../../../src/base/async.ts";
import type { VSCode } from "../../../test/editors/vscode.ts";
import { packVsix } from "../../../test/editors/vsix.ts";

/** In milliseconds. A pause in which the thread had no processor counts for `pause`, and for `work` only what it computed. */
type HostFigures = { seconds: number; pause: number; work: number; busy: number };

const everyMs = 2;

/** A timer that is late by its pause; the thread's own clock tells its work from what other programs took. */
const main = `const { createServer } = require("node:http");
const { writeFileSync } = require("node:fs");
exports.activate = ({ subscriptions }) => {
  const cpu = () => { const { user, system } = process.threadCpuUsage(); return (user + system) / 1000; };
  let figures, at, worked, began, first;
  const begin = () => {
    [figures, at, worked] = [{ pause: 0, work: 0 }, performance.now(), cpu()];
    [began, first] = [at, worked];
  };
  const look = () => {
    const [now, done] = [performance.now(), cpu()];
    figures.pause = Math.max(figures.pause, now - at - ${everyMs});
    figures.work = Math.max(figures.work, done - worked);
    [at, worked] = [now, done];
  };
  begin();
  const timer = setInterval(look, ${everyMs});
  const server = createServer(({ url }, response) => {
    look();
    const seconds = (at - began) / 1000;
    response.end(JSON.stringify({ ...figures, seconds, busy: (worked - first) / 1000 / seconds }));
    if (url === "/begin") begin();
  });
  server.listen(0, "127.0.0.1", () => writeFileSync(process.env.HOST_MONITOR, String(server.address().port)));
  subscriptions.push({ dispose() { clearInterval(timer); server.close(); } });
};`;

export const monitorVariables = (file: string): Record<string, string> => ({ HOST_MONITOR: file });

/** For windows that are opened later. */
export async function installMonitor(editor: VSCode): Promise<void> {
  const manifest = {
    name: "host-monitor",
    publisher: "toolwright",
    version: "0.0.1",
    engines: { vscode: "^1.100.0" },
    main: "./main.js",
    activationEvents: ["*"],
  };
  await editor.install(await packVsix(editor.root, manifest, { "main.js": main }));
}

export class HostMonitor {
  readonly #url: string;

  private constructor(url: string) {
    this.#url = url;
  }

  /** Of the window opened last; `file`: the one of `monitorVariables`. */
  static async of(file: string): Promise<HostMonitor> {
    for (;;) {
      const port = await readFile(file, "utf8").catch(() => "");
      if (port !== "") return new HostMonitor(`http://127.0.0.1:${port}`);
      await sleep(50);
    }
  }

  async begin(): Promise<void> {
    await fetch(`${this.#url}/begin`);
  }

  /** Since the beginning. */
  async figures(): Promise<HostFigures> {
    const answer = await fetch(this.#url);
    return JSON.parse(await answer.text());
  }
}
