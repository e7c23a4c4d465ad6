/** Tests that the bytes of many terminals become the same keys, however they are cut. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../base/testing/any-character.ts";
import { scale } from "../../testing/scale.ts";
import { tuiBounds } from "../bounds.ts";
import { keyWords } from "./key.ts";
import { type TerminalKey, KeyReader } from "./keys.ts";

/** A clock whose time passes when the test says so. */
function heldClock() {
  let waiting: { milliseconds: number; wake: () => void } | undefined;
  return {
    clock: (milliseconds: number, wake: () => void) => {
      waiting = { milliseconds, wake };
      return () => (waiting = undefined);
    },
    /** Returns how long was waited. */
    pass: () => {
      const passed = waiting;
      waiting = undefined;
      passed?.wake();
      return passed?.milliseconds;
    },
  };
}

function reader() {
  const keys: TerminalKey[] = [];
  const { clock, pass } = heldClock();
  return { keys, pass, reader: new KeyReader((key) => keys.push(key), clock) };
}

/** The keys in words, after the time that a lone Escape waits. */
function heard(...chunks: (string | Buffer)[]): string[] {
  const { keys, pass, reader: reading } = reader();
  for (const chunk of chunks) reading.read(chunk);
  pass();
  return keys.map(wordsOf);
}

function wordsOf(key: TerminalKey): string {
  if (key.type === "paste") return `paste ${JSON.stringify(key.text)}${key.isCut ? " cut" : ""}`;
  if (key.type === "focus") return key.isFocused ? "focus" : "blur";
  return key.text === "" ? keyWords(key) : `${keyWords(key)}=${key.text}`;
}

test.for<[string, string]>([
  ["a", "a=a"],
  ["A", "shift+a=A"],
  ["é", "é=é"],
  ["?", "?=?"],
  [" ", "space= "],
  ["\r", "enter"],
  ["\n", "ctrl+j"],
  ["\t", "tab"],
  ["\x7f", "backspace"],
  ["\b", "ctrl+h"],
  ["\0", "ctrl+space"],
  ["\x03", "ctrl+c"],
  ["\x1f", "ctrl+_"],
  ["\x1b", "escape"],
  ["\x1b\r", "alt+enter"],
  ["\x1b\x7f", "alt+backspace"],
  ["\x1bb", "alt+b"],
  ["\x1bB", "alt+shift+b"],
  ["\x1b<", "alt+<"],
  ["\x1b[", "alt+["],
  ["\x1bO", "alt+shift+o"],
  ["\x1b]", "alt+]"],
  ["\x1b[A", "up"],
  ["\x1bOA", "up"],
  ["\x1b[1;5C", "ctrl+right"],
  ["\x1b[1;2P", "shift+f1"],
  ["\x1b[Z", "shift+tab"],
  ["\x1b[H", "home"],
  ["\x1b[1~", "home"],
  ["\x1b[7~", "home"],
  ["\x1b[8$", "shift+end"],
  ["\x1b[3^", "ctrl+delete"],
  ["\x1b[3@", "ctrl+shift+delete"],
  ["\x1b[3;3~", "alt+delete"],
  ["\x1b[a", "shift+up"],
  ["\x1bOd", "ctrl+left"],
  ["\x1b\x1b[A", "alt+up"],
  ["\x1b\x1bOA", "alt+up"],
  ["\x1b[24~", "f12"],
  ["\x1bOP", "f1"],
  ["\x1b[[B", "f2"],
  ["\x1bO5P", "ctrl+f1"],
  ["\x1bOM", "enter"],
  ["\x1bOw", "7=7"],
  ["\x1b[27;2;13~", "shift+enter"],
  ["\x1b[27;5;9~", "ctrl+tab"],
  ["\x1b[27;6;95~", "ctrl+_"],
  ["\x1b[13;2u", "shift+enter"],
  ["\x1b[13;3u", "alt+enter"],
  ["\x1b[27u", "escape"],
  ["\x1b[27;1:1u", "escape"],
  ["\x1b[99;5u", "ctrl+c"],
  ["\x1b[99;69u", "ctrl+c"],
  ["\x1b[97;2u", "shift+a=A"],
  ["\x1b[97:65;2;65u", "shift+a=A"],
  ["\x1b[45:95;6u", "ctrl+_"],
  ["\x1b[57414u", "enter"],
  ["\x1b[57400u", "1=1"],
  ["\x1b[57419;5u", "ctrl+up"],
  ["\x1b[I", "focus"],
  ["\x1b[O", "blur"],
])("%j is %s", ([bytes, words]) => {
  expect(heard(bytes)).toEqual([words]);
});

test.for([
  "\x1b[99;5:3u", // a key that was let go
  "\x1b[57441;2u", // Shift alone
  "\x1b[97;9u", // with Super
  "\x1b[?62;22c",
  "\x1b[>0;276;0c",
  "\x1b[?2026;2$y",
  "\x1b[24;80R",
  "\x1b[201~",
  "\x1b[99999999999999999999u",
  "\x1b[1114112u",
  "\x1b[55296u",
  `\x1b[${"1;".repeat(1000)}u`,
  "\x1b]11;rgb:0000/0000/0000\x07",
  "\x1b]11;rgb:0000/0000/0000\x1b\\",
  "\x1bP>|tmux 3.5a\x1b\\",
  "\x1b_Gi=31;OK\x1b\\",
  "\u0085",
])("%j is no key, and what follows is read as usual", (bytes) => {
  expect(heard(`${bytes}a`)).toEqual(["a=a"]);
});

test("Escape is a key after a short time, and a sequence that breaks off is dropped after a longer one", () => {
  const { keys, pass, reader: reading } = reader();
  reading.read("\x1b");
  expect(keys).toEqual([]);
  expect(pass()).toBe(30);
  expect(keys.map(wordsOf)).toEqual(["escape"]);
  reading.read("\x1b[1;");
  expect(pass()).toBe(500);
  reading.read("\x1b]11;rgb");
  expect(pass()).toBe(500);
  reading.read("x");
  expect(keys.map(wordsOf)).toEqual(["escape", "x=x"]);
});

test("Escape twice and three times are as many keys", () => {
  expect(heard("\x1b\x1b")).toEqual(["escape", "escape"]);
  expect(heard("\x1b\x1b\x1b")).toEqual(["escape", "escape", "escape"]);
  expect(heard("\x1b\x1bx")).toEqual(["escape", "alt+x"]);
});

test("Ctrl-C is heard within whatever sequence it arrives", () => {
  for (const begun of ["\x1b[1;", "\x1bO", "\x1b]11;", "\x1bP", "\x1b[["])
    expect(heard(`${begun}\x03a`)).toEqual(["ctrl+c", "a=a"]);
});

test("a paste is one key, whatever it contains, with line feeds as line ends", () => {
  expect(heard("a\x1b[200~one\r\ntwo\rthree\x1b[A\x03 x\x1b[201~b")).toEqual([
    "a=a",
    'paste "one\\ntwo\\nthree\\u001b[A\\u0003 x"',
    "b=b",
  ]);
});

test("a paste that nobody ends is ended by Ctrl-C, but not by one that was pasted", () => {
  const { keys, pass, reader: reading } = reader();
  reading.read("\x1b[200~lost");
  expect(pass()).toBeUndefined();
  reading.read("\x03");
  reading.read("\rrm -rf .\r");
  expect(pass()).toBeUndefined();
  reading.read("\x03");
  expect(pass()).toBe(300);
  reading.read("x");
  expect(keys.map(wordsOf)).toEqual(['paste "lost\\u0003\\nrm -rf .\\n"', "ctrl+c", "x=x"]);
});

test("rows that come at once are a paste, and an Enter that nothing follows at once is the key", () => {
  expect(heard("one\rtwo\tx\r\nthree\r")).toEqual(["o=o", "n=n", "e=e", 'paste "\\ntwo\\tx\\nthree\\n"']);
  expect(heard("a\r")).toEqual(["a=a", "enter"]);
  expect(heard("\r\r\n\r")).toEqual(["enter", "enter", "enter"]);
  expect(heard("\rx\x1b[A\r\x1b[B")).toEqual(['paste "\\nx"', "up", "enter", "down"]);
  expect(heard("\rx\x03")).toEqual(['paste "\\nx"', "ctrl+c"]);
  const { keys, pass, reader: reading } = reader();
  reading.read("y\r");
  expect(keys.map(wordsOf)).toEqual(["y=y"]);
  expect(pass()).toBe(30);
  reading.read("z");
  expect(keys.map(wordsOf)).toEqual(["y=y", "enter", "z=z"]);
});

test("a paste beyond its bound is cut, and its end is found", () => {
  const { keys, reader: reading } = reader();
  reading.read("\x1b[200~");
  for (let sent = 0; sent <= tuiBounds.pasted.most; sent += 1_000_000) reading.read("y".repeat(1_000_000));
  reading.read("\x1b[20");
  reading.read("1~k");
  const [paste, after] = keys;
  expect(paste).toEqual({ type: "paste", text: "y".repeat(tuiBounds.pasted.most), isCut: true });
  expect(after).toMatchObject({ name: "k" });
});

test("closing hears what is unfinished, and nothing more", () => {
  const { keys, pass, reader: reading } = reader();
  reading.read("\x1b[200~half");
  reading.close();
  reading.read("x");
  reading.close();
  expect(pass()).toBeUndefined();
  expect(keys.map(wordsOf)).toEqual(['paste "half"']);
});

test("the clock of the system lets a lone Escape be heard", async () => {
  const key = await new Promise<TerminalKey>((resolve) => new KeyReader(resolve).read("\x1b"));
  expect(wordsOf(key)).toBe("escape");
});

const pieces = fc.oneof(
  fc.constantFrom("\x1b", "\x1b[", "\x1bO", "\x1b]", "\x1bP", "\x1b\\", "\x07", "\x1b[200~", "\x1b[201~"),
  fc.constantFrom(
    "\x1b[A",
    "\x1b[1;5C",
    "\x1b[13;2u",
    "\x1b[[A",
    "\x1b[3$",
    "\x1b[I",
    "\x03",
    "\r",
    "~",
    "$",
  ),
  fc.string({ unit: anyCharacter, maxLength: 6 }),
);

test("however the bytes are cut, the keys are the same", () => {
  fc.assert(
    fc.property(
      fc.array(pieces, { maxLength: 20 }),
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }),
      (parts, sizes) => {
        const bytes = Buffer.from(parts.join(""));
        const chunks: Buffer[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          chunks.push(bytes.subarray(at, at + size));
          at += size;
        }
        expect(heard(...chunks)).toEqual(heard(bytes));
        expect(heard(...bytes.toString().split(""))).toEqual(heard(bytes.toString()));
      },
    ),
    { numRuns: 300 * scale },
  );
});
