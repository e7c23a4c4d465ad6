/** Tests line counts across all changes of a call and a request to a file, including further changes by a hook. */

import { expect, onTestFinished, test } from "vitest";
import type { Entry } from "../../protocol/facts.ts";
import { checkpointOf, filesOfCall } from "../../protocol/fold-changes.ts";
import { scriptedModel, type ScriptedAnswer } from "../../providers/scripted-model.ts";
import { hookedSession } from "../../testing/hooked-session.ts";
import { emptyTranscript, showEntry } from "../../view/transcript.ts";

const call = (name: string, input: Record<string, string>): ScriptedAnswer[number] => ({
  call: name,
  with: input,
});
const write = (path: string, content: string) => call("write_file", { path, content });
const edit = (path: string, old: string, now: string) => call("edit_file", { path, old, new: now });

/** Counts as reported for each call, the request and the screen after one request, with this hook after each change. */
async function counts(
  script: readonly ScriptedAnswer[],
  { format, files = {} }: { format?: string; files?: Record<string, string> },
) {
  const hooks =
    format === undefined ? [] : [{ on: "after-change" as const, name: "format", command: format }];
  const opened = await hookedSession(scriptedModel([...script, [{ say: "Done." }]]), hooks, {
    mode: "accept-edits",
    files,
  });
  onTestFinished(opened.close);
  await opened.ask("Change it.");
  const { state } = opened.session;
  const checkpoint = checkpointOf(state, 1);
  return {
    calls: callsIn(opened.facts()),
    turn: checkpoint && lines(checkpoint),
    screen: screenOf(opened.facts()),
  };
}

const lines = ({ added, removed }: { added: number; removed: number }): string => `+${added} −${removed}`;

function callsIn(facts: readonly Entry[]): string[] {
  const calls = new Map<string, ReturnType<typeof filesOfCall>>();
  for (const fact of facts)
    if (fact.type === "change-applied")
      calls.set(fact.callId, filesOfCall(fact.changes, calls.get(fact.callId)));
  return [...calls.values()].map((files) => files.map((file) => `${file.path} ${lines(file)}`).join(", "));
}

function screenOf(facts: readonly Entry[]) {
  const transcript = emptyTranscript();
  for (const fact of facts) showEntry(transcript, fact);
  return transcript.blocks.flatMap((block) =>
    (block.type === "call" || block.type === "ending") && block.badge ? [lines(block.badge)] : [],
  );
}

const upper = `sed -i 's/x/FORMATTED/' "$TOOLWRIGHT_HOOK_PATH"`;

test("a new one-line file that a hook formats counts as one added line, in its call and in the request", async () => {
  expect(await counts([[write("n.txt", "x\n")]], { format: upper })).toEqual({
    calls: ["n.txt +1 −0"],
    turn: "+1 −0",
    screen: ["+1 −0", "+1 −0"],
  });
});

test("lines that a hook reverts do not count, and no count is negative", async () => {
  const shorten = `sed -i '2,$d' "$TOOLWRIGHT_HOOK_PATH"`;
  expect(await counts([[write("n.txt", "a\nb\nc\n")]], { format: shorten })).toMatchObject({
    calls: ["n.txt +1 −0"],
    turn: "+1 −0",
  });
  const back = `printf 'old\\n' > "$TOOLWRIGHT_HOOK_PATH"`;
  const files = { "a.txt": "old\n" };
  expect(await counts([[edit("a.txt", "old", "new")]], { format: back, files })).toMatchObject({
    calls: ["a.txt +0 −0"],
    turn: "+0 −0",
  });
});

test("a request that changes a file several times counts the net change, each call its own", async () => {
  const script = [
    [write("n.txt", "one\ntwo\n")],
    [edit("n.txt", "one", "ONE")],
    [edit("a.txt", "old", "mid")],
    [edit("a.txt", "mid", "new")],
  ];
  expect(await counts(script, { files: { "a.txt": "old\nrest\n" } })).toEqual({
    calls: ["n.txt +2 −0", "n.txt +1 −1", "a.txt +1 −1", "a.txt +1 −1"],
    turn: "+3 −1",
    screen: ["+2 −0", "+1 −1", "+1 −1", "+1 −1", "+3 −1"],
  });
});
