/** The states of the screen: how each is reached from an empty input, and how it is left for one. */

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { acting } from "../page/story.ts";
import { commandFile, type Home, newHome } from "../support/command.ts";
import { serve } from "../support/roads.ts";
import { type Picture, readPicture } from "./picture.ts";
import { files, requests, scenes } from "./scenes.ts";
import { openTmux, type TerminalSize, type Tmux } from "./tmux.ts";

export type ScreenState = {
  name: string;
  /** The message from which on the rows belong to this state. */
  from?: string;
  reach(terminal: Tmux): Promise<void>;
  leave(terminal: Tmux): Promise<void>;
};

export const enter = "\r";
const escape = "\u001B";
const altEnter = "\u001B\r";
const shiftTab = "\u001B[Z";
const clearInput = "\u0015";

/** The hint of an input that nothing keeps from being sent. */
const isReady = "? keys";

/** A key within 300 ms of a card's appearing is no answer to it. */
export const seen = (): Promise<void> => pause(350);

export async function startShop(
  size: TerminalSize,
  { args = [], home: given, above }: { args?: readonly string[]; home?: Home; above?: number } = {},
): Promise<{ terminal: Tmux; home: Home }> {
  const home = given ?? (await newHome(files));
  const server = await serve(acting(scenes, 40), { capabilities: ["completion", "tools"] });
  Object.assign(home.env, { OLLAMA_HOST: server.url });
  // Whether the machine has language servers, and when they are there, is seen in menus.
  const configuration = join(home.env["XDG_CONFIG_HOME"] ?? home.root, "toolwright");
  await mkdir(configuration, { recursive: true, mode: 0o700 });
  await writeFile(join(configuration, "config.jsonc"), '{ "languageServers": false }', { mode: 0o600 });
  const command = [process.execPath, commandFile, "--model", "ollama/qwen3-coder", ...args];
  // A person starts it below what the shell has shown.
  const program = above === undefined ? command : ["sh", "-c", `seq ${above}; exec "$@"`, "sh", ...command];
  return { terminal: await openTmux(home, size, program), home };
}

export const prompted = (terminal: Tmux): Promise<void> => terminal.shows(isReady);

/** A card that is given up ends its request. */
const giveUp = async (terminal: Tmux): Promise<void> => {
  await seen();
  await terminal.type(escape);
  await prompted(terminal);
};

const say = (terminal: Tmux, message: string): Promise<void> => terminal.type(message + enter);

const start: ScreenState = {
  name: "start",
  reach: async (terminal) => {
    await prompted(terminal);
    await terminal.shows("⎇ main");
  },
  /** The first code of a session has no colours before what makes them is loaded. */
  async leave(terminal) {
    await say(terminal, requests.code);
    await terminal.shows("That was code.");
    await terminal.shows(/context (?!8 %)[^]*\? keys/u); // from here on it stays the same
  },
};

const working: ScreenState = {
  name: "working",
  from: requests.work,
  async reach(terminal) {
    await say(terminal, requests.work);
    await terminal.shows("│ 300");
    await terminal.type(`also rename price${altEnter}`);
    await terminal.shows("» also rename price");
    await terminal.type("and tell me wh");
    await terminal.shows("> and tell me wh");
  },
  async leave(terminal) {
    await terminal.type(clearInput);
    await terminal.hides("> and tell me wh");
    await terminal.type(escape);
    await prompted(terminal);
    await say(terminal, "/queue drop all");
    await terminal.hides("» also rename price");
  },
};

/** A request that leads to a card, which shows this. */
const card = (name: "change" | "command" | "question", shown: string, leave = giveUp): ScreenState => ({
  name,
  from: requests[name],
  async reach(terminal) {
    await say(terminal, requests[name]);
    await terminal.shows(shown);
  },
  leave,
});

const change = card("change", "y\u00A0once");
const command = card("command", "critical");
const question = card("question", "❯ 1 SQLite", async (terminal) => {
  await seen();
  await terminal.type(enter);
  await terminal.shows("SQLite it is.");
  await prompted(terminal);
});

const plan: ScreenState = {
  name: "plan",
  from: requests.plan,
  async reach(terminal) {
    await terminal.type(shiftTab + shiftTab);
    await terminal.shows(/^ plan ·/mu);
    await say(terminal, requests.plan);
    await terminal.shows("❯ 1 Write the notes");
  },
  async leave(terminal) {
    await seen();
    await terminal.type("d");
    await terminal.hides("Write the notes");
    await terminal.type("y");
    await terminal.shows("The plan stands.");
    await prompted(terminal);
  },
};

const done: ScreenState = {
  name: "done",
  from: requests.change,
  async reach(terminal) {
    await change.reach(terminal);
    await seen();
    await terminal.type("y");
    await terminal.shows("Changed src/total.js");
    await prompted(terminal);
  },
  leave: async () => undefined,
};

const menu: ScreenState = {
  name: "menu",
  from: requests.change,
  async reach(terminal) {
    await terminal.type("see @tot");
    await terminal.shows("❯ src/total.js");
  },
  async leave(terminal) {
    await terminal.type(clearInput);
    await terminal.hides("❯");
  },
};

const otherScripts: ScreenState = {
  name: "scripts",
  from: requests.scripts,
  async reach(terminal) {
    await say(terminal, requests.scripts);
    await terminal.shows("مرحبا");
    await prompted(terminal);
  },
  leave: async () => undefined,
};

/** An answer of which not everything is there. */
export const streaming: ScreenState = {
  name: "streaming",
  from: requests.talk,
  async reach(terminal) {
    await say(terminal, requests.talk);
    await terminal.shows(/(?:go|goes) on and on[^]*full by now\.\n/u);
  },
  leave: giveUp,
};

/** In an order in which one leads to the next. */
export const screenStates: readonly ScreenState[] = [
  start,
  otherScripts,
  change,
  command,
  question,
  plan,
  done,
  menu,
  working,
];

/** What is read when nothing moves any more but times and signs of life. */
export async function settled(read: () => Promise<string>): Promise<string> {
  let before: string | undefined;
  for (;;) {
    const now = steady(await read());
    if (now === before) return now;
    before = now;
    await pause(60);
  }
}

/** What is in sight of a state, in colours: from its message on, if that has not scrolled off. */
export async function pictureOf({ from }: ScreenState, terminal: Tmux): Promise<Picture> {
  const picture = readPicture(await settled(terminal.coloured));
  const first = from === undefined ? -1 : picture.findLastIndex(([row]) => row?.text === `> ${from}`);
  return picture.slice(Math.max(0, first));
}

const duration = /\d+(?:\.\d)? (?:ms|s|min)\b/gu;

/** Without what differs from run to run: times, the spinner, ids, the version. */
function steady(text: string): string {
  return text
    .split("\n")
    .map((row) => {
      const same = row
        .replace(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/gu, "⠋")
        .replace(/Toolwright \d[\w.-]*/u, "Toolwright 1.0.0")
        .replace(/--resume [\w-]+/gu, "--resume ID")
        .replace(duration, "0 s")
        .replace(/(?<=⠋.*) · 0 s/u, ""); // which only longer calls have
      const gap = /(?<= ) {3,}/u.exec(same)?.[0];
      // What stands at the right edge stays there.
      return gap === undefined
        ? same
        : same.replace(gap, gap + " ".repeat(Math.max(0, row.length - same.length)));
    })
    .join("\n");
}
