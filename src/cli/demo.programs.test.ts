/** The demo on a screen, as a newcomer sees it. */

import { expect, test } from "vitest";
import { emulatedTerminal, timePasses } from "../tui/testing/screen.ts";
import { testTerminal } from "../tui/testing/terminal.ts";
import { runDemo } from "./demo.ts";

test(
  "the demo plays on the screen: its edit is a card, and /undo undoes it",
  { timeout: 60_000 },
  async () => {
    const screen = emulatedTerminal(100, 30);
    const env = { ...process.env, TERM: "xterm-256color", LANG: "C.UTF-8" };
    const terminal = testTerminal({ terminal: true, env });
    let look = (): void => undefined;
    const shows = (text: RegExp): Promise<void> =>
      new Promise((resolve) => {
        look = () => text.test(screen.all().join("\n")) && resolve();
        look();
      });
    const over = runDemo(
      {
        ...terminal,
        columns: () => 100,
        rows: () => 30,
        print(text) {
          screen.print(text);
          look();
        },
      },
      { plain: false },
    );
    await shows(/> A test of this shop fails/u);
    await shows(/\? Edit total\.js {2}\+1 −1[^]*y\u00A0once/u);
    timePasses(301); // a key that comes sooner is no answer
    terminal.type("y");
    await shows(/Undo the change \(as \/undo does\)\?[^]*⏎ answers/u);
    expect(screen.present().join("\n")).not.toContain("esc interrupts");
    terminal.type("/undo\r");
    await shows(/Undone: total\.js is as it was\./u);
    await shows(/That was the demo\./u);
    expect(await over).toBe(0);
  },
);
