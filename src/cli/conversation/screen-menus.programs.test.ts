/** Choices on the screen: of a session, a message, a model, a mode. */

import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { timePasses } from "../../tui/testing/screen.ts";
import { stageBuiltScreen, stageScreen } from "./testing/screen-conversation.ts";

const enter = "\r";
const escape = "\u001B";
const up = "\u001B[A";
const down = "\u001B[B";
const controlD = "\u0004";

/** An Escape that a key follows at once is Alt. */
const escaped = (): Promise<void> => pause(60);
const idle = /^> *\n─/mu;

test("/resume is a menu: typing looks for a title, Enter goes there, and Esc leaves everything as it was", async () => {
  const { shows, hides, type, over, runtime } = await stageBuiltScreen([
    [{ say: "First answer." }],
    [{ say: "Second answer." }],
    [{ say: "Third answer." }],
  ]);
  await shows("ask ·");
  type(`about apples${enter}`);
  await shows("First answer.");
  await hides("esc interrupts");
  type(`/new${enter}`);
  await shows("This is a new session");
  type(`about pears${enter}`);
  await shows("Second answer.");
  await hides("esc interrupts");
  type(`/new${enter}`);
  await shows(/This is a new session[\s\S]*This is a new session/u);
  type(`/resume${enter}`);
  await shows(/\? Which session\?\n❯ 1 about pears .*\n {2}2 about apples /u);
  type(escape);
  await hides("Which session?");
  await escaped();
  expect(await runtime.store.list()).toHaveLength(3);
  type(`/resume${enter}`);
  await shows(/❯ 1 about pears/u);
  type("appl");
  await shows(/❯ 2 about apples/u);
  type(enter);
  await shows("This is session ");
  await shows(/> about apples\n\n {2}First answer/u);
  type(`and again${enter}`);
  await shows("Third answer.");
  await hides("esc interrupts");
  type(controlD);
  await over;
});

test("a queued message that was sent and is edited then waits nowhere: it is sent once", async () => {
  const gate = Promise.withResolvers<undefined>();
  const { shows, hides, type, over, screen } = await stageBuiltScreen([
    [{ wait: gate.promise }, { say: "First answer." }],
    [{ say: "Second answer." }],
  ]);
  await shows("ask ·");
  type(`one${enter}`);
  await shows("esc interrupts");
  type(`two${escape}${enter}`);
  await shows("» two");
  gate.resolve(undefined);
  await shows("Second answer.");
  await hides("esc interrupts");
  type(`/edit 2${enter}`);
  await shows("This is a new session");
  await shows(/^> two\n─/mu);
  expect(screen.present().join("\n")).not.toContain("» two");
  type("\u0015");
  await shows(idle);
  type(controlD);
  await over;
});

test("↑ in an empty field takes back the last message that waits, with what goes along, and it is sent once", async () => {
  const gate = Promise.withResolvers<undefined>();
  const { shows, hides, type, over, screen } = await stageBuiltScreen([
    [{ wait: gate.promise }, { say: "First answer." }],
    [{ say: "Second answer." }],
  ]);
  await shows("ask ·");
  type(`one${enter}`);
  await shows("esc interrupts");
  type(`two${escape}${enter}`);
  await shows(/» two .*after this request · ↑ edits it/u);
  type(`three${escape}${enter}`);
  await shows(/» two .*after this request\n.*» three .*after this request · ↑ edits it/u);
  type(up);
  await shows(/^> three\n─/mu);
  await hides("» three");
  type(` more${escape}${enter}`);
  await shows("» three more");
  gate.resolve(undefined);
  await shows("Second answer.");
  await hides("esc interrupts");
  const said = screen.all().filter((row) => /^> \S/u.test(row));
  expect(said.map((row) => row.trim())).toEqual(["> one", "> two", "> three more"]);
  type(controlD);
  await over;
});

test("a message that takes waiting ones along stands below them, as in the log", async () => {
  const never = new Promise<undefined>(() => {});
  const { shows, hides, type, over } = await stageBuiltScreen([
    [{ wait: never }],
    [{ say: "Both answered." }],
  ]);
  await shows("ask ·");
  type(`one${enter}`);
  await shows("esc interrupts");
  type(`two${escape}${enter}`);
  await shows("» two");
  type(escape);
  await hides("esc interrupts");
  await shows(/» two .*with your next message/u);
  type(`three${enter}`);
  await shows(/> two[\s\S]*> three[\s\S]*Both answered\./u);
  type(controlD);
  await over;
});

test("Esc Esc chooses an earlier message, by arrows or by its number; Ctrl-C leaves the menu alone", async () => {
  const { shows, hides, type, over } = await stageBuiltScreen([
    [{ say: "First answer." }],
    [{ say: "Second answer." }],
  ]);
  await shows("ask ·");
  type(`one${enter}`);
  await shows("First answer.");
  await hides("esc interrupts");
  type(`two${enter}`);
  await shows("Second answer.");
  await hides("esc interrupts");
  type(escape);
  await escaped();
  type(escape);
  await shows(/\? Which message.*\n {2}1 one\n❯ 2 two/u);
  type(up);
  await shows(/❯ 1 one/u);
  type(down);
  await shows(/❯ 2 two/u);
  type("\u0003");
  await hides("Which message");
  type(`/edit${enter}`);
  await shows(/❯ 2 two/u);
  type(`1${enter}`);
  await shows("with everything before request");
  await shows(/^> one\n─/mu);
  type("\u0015");
  await shows(idle);
  type(controlD);
  await over;
});

test("a message that was typed into the menu of messages stands in the input afterwards", async () => {
  const { shows, hides, type, over } = await stageBuiltScreen([[{ say: "First answer." }]]);
  await shows("ask ·");
  type(`one${enter}`);
  await shows("First answer.");
  await hides("esc interrupts");
  type(escape);
  await escaped();
  type(escape);
  await shows("Which message");
  type(`explain it again${enter}`); // it was refused, and gone
  await shows("There is no message explain it again");
  await shows(/^> explain it again\n─/mu);
  type("\u0015");
  await shows(idle);
  type(controlD);
  await over;
});

test("/mode and /model are menus that begin at what is set, also while a request runs", async () => {
  let goOn: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  const { shows, hides, type, over, runtime } = await stageScreen([
    [{ say: "It begins. " }, { wait: gate }, { say: "And ends." }],
  ]);
  await shows("ask ·");
  type(`/mode${enter}`);
  await shows(/\? Which mode\?\n❯ 1 ask .*\n {2}2 accept-edits/u);
  type(`plan${enter}`);
  await shows("plan ·");
  await hides("Which mode?");
  type(`go${enter}`);
  await shows("It begins.");
  type(`/mode${enter}`);
  await shows(/❯ 3 plan/u);
  type(escape);
  await hides("Which mode?");
  await escaped();
  type(`/mode${enter}`);
  await shows(/❯ 3 plan/u);
  type(`${up}${enter}`);
  await shows("accept-edits ·");
  goOn();
  await shows("And ends.");
  await hides("esc interrupts");
  expect(runtime.test.facts()).not.toContainEqual(
    expect.objectContaining({ type: "turn-end", reason: "interrupted" }),
  );
  type(controlD);
  await over;
});

test("a question comes before a menu, which gives way to it and leaves everything as it was", async () => {
  let goOn: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  const { shows, hides, type, over } = await stageScreen(
    [
      [{ wait: gate }, { call: "edit_file", with: { path: "a.txt", old: "a", new: "b" } }],
      [{ say: "Done." }],
    ],
    { session: { files: { "a.txt": "a\n" } } },
  );
  await shows("ask ·");
  type(`go${enter}`);
  await shows("esc interrupts");
  type(`/mode${enter}`);
  await shows("Which mode?");
  goOn();
  await shows("? Edit a.txt");
  await hides("Which mode?");
  timePasses(301);
  type("y");
  await shows("Done.");
  await hides("esc interrupts");
  await shows("ask ·");
  type(controlD);
  await over;
});

test("a subagent is one row while it works, and opens by /agents, then and when it is over", async () => {
  let goOn: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  const { shows, faces, hides, screen, type, over } = await stageBuiltScreen(
    [
      [{ call: "delegate", with: { task: "Look for the colour.\nThen tell." } }],
      [{ say: "I look. " }, { call: "read_file", with: { path: "a.txt" } }],
      [{ wait: gate }, { say: "It is **green**." }],
      [{ say: "Your colour is green." }],
    ],
    {},
    { "a.txt": "green\n" },
  );
  await shows("ask ·");
  type(`find the colour${enter}`);
  await shows(/Subagent: Look for the colour\. · Read a\.txt · \d s · 1 call · /u);
  expect(screen.present().join("\n")).not.toContain("works on:");
  type(`/agents${enter}`);
  await shows(/\? Which subagent\?\n❯ 1 Look for the colour\. +works · \d s · 1 call · /u);
  type(enter);
  await faces(/> Look for the colour\.[\s\S]*I look\.[\s\S]*● Read a\.txt/u);
  goOn();
  await faces(/● Read a\.txt[\s\S]*It is green\.[\s\S]*q back/u);
  type("q");
  await hides("q back");
  await shows(/❯ 1 Look for the colour\. +done · /u);
  type(escape);
  await hides("Which subagent?");
  await shows(/● Subagent: Look for the colour\. · \d s · .* · \/agents opens it/u);
  await shows("Your colour is green.");
  await hides("esc interrupts");
  await escaped();
  type(controlD);
  await over;
});

test("a command that takes long says which it is and how long; it stands no longer than it goes on", async () => {
  let goOn: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  const { shows, hides, type, over } = await stageScreen([
    [{ say: "The port is 80." }],
    [{ wait: gate }, { say: "It was 80." }],
  ]);
  await shows("ask ·");
  type(`which port${enter}`);
  await shows("The port is 80.");
  await hides("esc interrupts");
  type(`/btw which port was it${enter}`);
  await shows(/^ {2}. \/btw · [01] s$/mu);
  await shows(/^ {2}. \/btw · [12] s$/mu);
  goOn();
  await shows(/Aside: which port was it\n {2}It was 80\./u); // its answer was once left out
  await hides("/btw ·");
  type(controlD);
  await over;
});
