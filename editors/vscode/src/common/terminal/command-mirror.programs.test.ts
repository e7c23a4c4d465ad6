/** The commands of a real session, with a sandbox or without, as they are mirrored. */

import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { connect, type Entry, type Signal } from "../../../../../src/client.ts";
import { type ModelScript, scriptedModel } from "../../../../../src/providers/scripted-model.ts";
import { testGateway } from "../../../../../src/testing/gateway.ts";
import { CommandMirror, type MirrorPiece } from "./command-mirror.ts";
import { TerminalText } from "./terminal-text.ts";

/** Runs the commands in a session and mirrors it; questions are answered with yes. */
async function mirrored(script: ModelScript, interruptAt?: string): Promise<MirrorPiece[]> {
  const gateway = await testGateway(scriptedModel(script), { mode: "ask" });
  const live = connect({ url: gateway.url, token: gateway.token, WebSocket }).live();
  onTestFinished(async () => {
    live.close();
    await gateway.close();
    await gateway.test.remove();
  });
  const session = await gateway.newSession();
  const mirror = new CommandMirror();
  const pieces: MirrorPiece[] = [];
  const following = live.follow(session, { person: true });
  await live.command(session, { type: "send", content: [{ type: "text", text: "go" }] });
  for await (const event of following) {
    pieces.push(...mirror.take(event));
    if (event.type === "approval-asked")
      await live.command(session, {
        type: "answer-approval",
        callId: event.callId,
        answer: "allow",
        scope: "once",
        by: "test",
      });
    const isCue = event.type === "output-delta" && event.text.includes(interruptAt ?? "\0");
    if (isCue) await live.command(session, { type: "interrupt" });
    if (event.type === "turn-end") return pieces;
  }
  return pieces;
}

const run = (command: string): ModelScript => [
  [{ call: "run_command", with: { command } }],
  [{ say: "Done." }],
];

/** The output of a command is told in pieces of any size. */
function told(pieces: readonly MirrorPiece[]) {
  const output = pieces.map((piece) => (piece.type === "output" ? piece.text : "")).join("");
  const ends = pieces.flatMap((piece) => (piece.type === "end" ? [piece] : []));
  const begins = pieces.flatMap((piece) => (piece.type === "begin" ? [piece.command] : []));
  return { begins, output, ends };
}

test("A31: without any shell integration a heredoc is shown whole, with what it printed and its exit code", async () => {
  const command = "cat <<'END'\none\ntwo\nEND\n";
  const { begins, output, ends } = told(await mirrored(run(command)));
  expect([begins, output]).toEqual([[command], "one\ntwo\n"]);
  expect(ends).toMatchObject([{ isOk: true, exit: 0 }]);
});

test("a command that leaves with an exit code of its own, and one that is killed, end", async () => {
  const { ends } = told(await mirrored(run("echo before; exit 3")));
  expect(ends).toMatchObject([{ isOk: false, exit: 3 }]);
  const killed = told(await mirrored(run("echo before; kill -9 $$")));
  expect([killed.output, killed.ends.length]).toEqual(["before\n", 1]);
});

test("A34: a program without an end is shown while it runs, and ends when it is interrupted", async () => {
  const { output, ends } = told(await mirrored(run("echo ready; sleep 600"), "ready"));
  expect(output).toContain("ready");
  expect(ends).toHaveLength(1);
  expect(ends[0]?.isOk).toBe(false);
});

const stamp = { v: 1, seq: 1, at: 0, turn: 1 } as const;
const called: Entry = {
  ...stamp,
  type: "call",
  call: { id: "c", name: "run_command", input: { command: "make" }, source: "native" },
};
const started: Entry = { ...stamp, type: "call-start", callId: "c", title: "Run make", does: "execute" };
const printed = (offset: number, text: string): Signal => ({
  type: "output-delta",
  callId: "c",
  offset,
  text,
});

test("output that is told again after a broken connection is shown once, and a gap is marked", () => {
  const mirror = new CommandMirror();
  const events = [called, started, printed(0, "one "), printed(0, "one two "), printed(12, "four")];
  const { output } = told(events.flatMap((event) => mirror.take(event)));
  expect(output).toBe("one two \n[…]\nfour");
});

test("what runs in a terminal of the user's own is not shown twice", () => {
  const there: Entry = { ...called, call: { ...called.call, name: "mcp__vscode__run_in_my_terminal" } };
  const mirror = new CommandMirror();
  expect([there, started, printed(0, "one")].flatMap((event) => mirror.take(event))).toEqual([]);
});

test("nothing that a command prints moves the cursor, except a progress line that is written over", () => {
  const text = new TerminalText();
  const of = (piece: MirrorPiece): string => text.of(piece);
  expect(of({ type: "begin", callId: "c", command: "cat <<E\nx\nE" })).toBe(
    "\u001B[1m$ cat <<E\r\n> x\r\n> E\u001B[0m\r\n",
  );
  expect(of({ type: "output", callId: "c", text: "10%\r20%\u001B[2J\nend" })).toBe("10%\r20%␛[2J\r\nend");
  expect(of({ type: "end", callId: "c", isOk: false, exit: 3, words: "Exit code: 3" })).toBe(
    "\r\n\u001B[31mexit code 3\u001B[0m\r\n",
  );
});
