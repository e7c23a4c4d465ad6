/** Tests what is told while a command of the shell waits. */

import { expect, test } from "vitest";
import { testTerminal } from "../tui/testing/terminal.ts";
import { toldWhile } from "./told-while.ts";

function handClock() {
  let [now, tick] = [0, (): void => undefined];
  return {
    now: () => now,
    every(_ms: number, then: () => void) {
      tick = then;
      return () => void (tick = () => undefined);
    },
    pass(ms: number) {
      now += ms;
      tick();
    },
  };
}

test("a long wait is told with its time on standard error, and leaves nothing", async () => {
  const terminal = testTerminal({ terminal: true });
  const clock = handClock();
  const work = Promise.withResolvers<number>();
  const told = toldWhile(terminal, "asking the servers", () => work.promise, clock);
  clock.pass(500);
  clock.pass(1_700);
  work.resolve(7);
  expect(await told).toBe(7);
  clock.pass(500);
  const clear = "\r\u001B[K";
  expect(terminal.reported()).toBe(
    `${clear}asking the servers · 0 s${clear}asking the servers · 2 s${clear}`,
  );
  expect(terminal.printed()).toBe("");
});

test("what is quick, or read by a program, is told nothing", async () => {
  const [person, program] = [testTerminal({ terminal: true }), testTerminal({})];
  expect(await toldWhile(person, "asking", async () => 1, handClock())).toBe(1);
  const clock = handClock();
  const work = Promise.withResolvers<void>();
  const told = toldWhile(program, "asking", () => work.promise, clock);
  clock.pass(5_000);
  work.reject(new Error("no"));
  await expect(told).rejects.toThrow("no");
  expect([person.reported(), program.reported()]).toEqual(["", ""]);
});
