import fc from "fast-check";
import { expect, test } from "vitest";
import { TerminalScreen } from "./screen.ts";

function screenWith(output: string, { columns = 20, rows = 5, space = 10_000 } = {}) {
  const answers: string[] = [];
  const screen = new TerminalScreen({ columns, rows, space, answer: (text) => void answers.push(text) });
  screen.write(Buffer.from(output));
  return { screen, answers, lines: screen.since(0) };
}

test("carriage returns, backspaces, tabs and erased lines leave what a person would see", () => {
  expect(screenWith("10%\r20%\r\nwor\bld\r\na\tb\r\nsecret\x1b[2K\rgone").lines).toEqual([
    "20%",
    "wold",
    "a       b",
    "gone",
  ]);
});

test("a progress display that moves the cursor up changes its own lines", () => {
  expect(
    screenWith("one 0%\r\ntwo 0%\r\n\x1b[2A\rone 100%\x1b[K\x1b[1B\rtwo 50%\x1b[K\x1b[1B\r").lines,
  ).toEqual(["one 100%", "two 50%", ""]);
});

test("a line longer than the screen stays one line, also when its start has scrolled away", () => {
  const long = "x".repeat(250);
  expect(screenWith(`${long}\r\nnext`).lines).toEqual([long, "next"]);
  expect(screenWith(`${long}\r\n${"y\r\n".repeat(9)}`).lines).toEqual([long, ..."y".repeat(9).split(""), ""]);
});

test("wide characters take two columns, combining ones none", () => {
  expect(screenWith("日本語テスト日本語テスト\r\n").lines).toEqual(["日本語テスト日本語テスト", ""]);
  expect(screenWith("日本\rab").lines).toEqual(["ab本"]);
  expect(screenWith("日本\rx").lines).toEqual(["x 本"]);
  expect(screenWith("e\u0301a👍🏽b\r\x1b[2Cc").lines).toEqual(["e\u0301ac b"]);
});

test("cleared output is kept above the screen", () => {
  expect(screenWith("one\r\ntwo\x1b[H\x1b[2J\x1b[3Jthree").lines).toEqual(["one", "two", "three"]);
  expect(screenWith("one\x1b[H\x1b[Jtwo").lines).toEqual(["one", "two"]);
});

test("a full-screen program has a screen of its own, and the main screen comes back afterwards", () => {
  const { screen } = screenWith("$ edit\r\n\x1b[?1049h\x1b[2J\x1b[H~\r\n~\x1b[5;1H:");
  expect([screen.isFullScreen, screen.present()]).toEqual([true, ["~", "~", "", "", ":"]]);
  screen.write(Buffer.from("\x1b[?1049l$ "));
  expect([screen.isFullScreen, screen.since(0)]).toEqual([false, ["$ edit", "$ "]]);
});

test("scroll regions and inserted or deleted lines and characters behave as in xterm", () => {
  expect(screenWith("a\r\nb\r\nc\r\nd\x1b[2;3r\x1b[3;1H\nnew\x1b[r").screen.present()).toEqual([
    "a",
    "c",
    "new",
    "d",
  ]);
  expect(screenWith("a\r\nb\x1b[1;1H\x1b[Lnew").screen.present()).toEqual(["new", "a", "b"]);
  expect(screenWith("a\r\nb\r\nc\x1b[1;1H\x1b[M").screen.present()).toEqual(["b", "c"]);
  expect(screenWith("abcd\x1b[1;2H\x1b[2P").lines).toEqual(["ad"]);
  expect(screenWith("abcd\x1b[1;2H\x1b[2@").lines).toEqual(["a  bcd"]);
  expect(screenWith("abcd\x1b[1;2H\x1b[2X").lines).toEqual(["a  d"]);
  expect(screenWith("\x1b(0lqk\x1b(B").lines).toEqual(["┌─┐"]);
});

test("the screen answers queries for the cursor position, the terminal type and the status", () => {
  expect(screenWith("ab\r\nc\x1b[6n\x1b[c\x1b[5n").answers).toEqual(["\x1b[2;2R", "\x1b[?1;2c", "\x1b[0n"]);
});

test("new output is reported from the first line that changed, also above the cursor", () => {
  const { screen } = screenWith("a\r\nb\r\nc");
  screen.look();
  expect(screen.changedFrom).toBeUndefined();
  screen.write(Buffer.from("!"));
  expect(screen.changedFrom).toBe(2);
  screen.write(Buffer.from("\x1b[1;1HA"));
  expect([screen.changedFrom, screen.since(0)]).toEqual([0, ["A", "b", "c!"]]);
});

test("line numbers stay valid while lines scroll away, and only the newest lines are kept", () => {
  const { screen } = screenWith("", { space: 100_000 });
  for (let line = 0; line < 100_000; line++) screen.write(Buffer.from(`line ${line}\r\n`));
  expect(screen.cursorLine).toBe(100_000);
  expect(screen.since(99_998)).toEqual(["line 99998", "line 99999", ""]);
  expect(screen.first).toBeGreaterThan(80_000);
  expect(screen.since(0)[0]).toBe(`line ${screen.first}`);
});

test("output split anywhere, also within a character, gives the same text", () => {
  const bytes = Buffer.from("é 日本 👍🏽 e\u0301\r\n\x1b[1mnext\x1b[0m é");
  const whole = screenWith(bytes.toString()).lines;
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length), { maxLength: 6 }), (cuts) => {
      const places = cuts.toSorted((a, b) => a - b);
      const { screen } = screenWith("");
      for (const [at, from] of [0, ...places].entries())
        screen.write(bytes.subarray(from, places[at] ?? bytes.length));
      expect(screen.since(0)).toEqual(whole);
    }),
  );
});

test("no bytes make the screen throw or exceed its bounds", () => {
  const hostile = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc
      .string({
        unit: fc.constantFrom(
          "\x1b[",
          "9",
          ";",
          "r",
          "L",
          "M",
          "P",
          "@",
          "X",
          "J",
          "H",
          "\n",
          "日",
          "\u0301",
          "a",
          "\x1b[?1049h",
          "S",
          "T",
          "b",
        ),
      })
      .map((text) => Buffer.from(text)),
  );
  fc.assert(
    fc.property(fc.array(hostile, { maxLength: 20 }), (pieces) => {
      const { screen } = screenWith("");
      for (const piece of pieces) screen.write(piece);
      expect(screen.present().length).toBeLessThanOrEqual(5);
      expect(screen.cursorLine).toBeGreaterThanOrEqual(screen.first);
      for (const row of screen.present()) expect(row.length).toBeLessThanOrEqual(20 * 16);
    }),
  );
});
