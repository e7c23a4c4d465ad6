import { expect, test } from "vitest";
import { temporaryWorkspace } from "../../testing/workspace.ts";
import { type TerminalTestOptions, prompt, sessionIn, outcomeLines } from "./testing/session.ts";

async function session({
  files = {},
  ...given
}: TerminalTestOptions & { files?: Record<string, string> } = {}) {
  const workspace = await temporaryWorkspace(files);
  return { workspace, ...sessionIn(workspace, given) };
}

test("a shell is given only whole lines, so that the command that was judged is the one that runs", async () => {
  const { call } = await session();
  await call({ action: "start" });
  await call({ action: "write", input: "echo par", enter: false });
  expect((await call({ action: "write", input: "tial" })).outcome).toBe("failed");
  expect((await call({ action: "write", key: "up" })).lines).toEqual([
    'At a shell write the whole command as "input" instead of using the key up.',
  ]);
  expect(outcomeLines(await call({ action: "write", key: "enter" })).slice(1, 4)).toEqual([
    "at its prompt",
    `/w${prompt} echo par`,
    "par",
  ]);
  expect(outcomeLines(await call({ action: "write", input: "echo '!!' !x" }))).toContain("!! !x");
  expect((await call({ action: "write", input: "echo a\u0015rm -rf ~" })).outcome).toBe("failed");
  const several = outcomeLines(await call({ action: "write", input: "for i in 1 2; do\n\techo $i\ndone" }));
  expect(several.slice(-3)).toEqual(["1", "2", `/w${prompt}`]);
});

test("input to a shell is taken literally: no line editor keys and no history expansion", async () => {
  const { call, workspace } = await session();
  await call({ action: "start", command: "bash" });
  const text = "cat > made <<'END'\n\tif\ta\n!! ^a^b \\\nEND\n";
  expect(outcomeLines(await call({ action: "write", input: text }))[1]).toBe("at its prompt");
  expect(await workspace.read("made")).toBe("\tif\ta\n!! ^a^b \\\n");
  await call({ action: "write", input: `bind '"z": "; echo bound"'; bash --norc` });
  const nested = outcomeLines(await call({ action: "write", input: `echo z ';echo pwned;' "!#:gs/'//"` }));
  expect(nested).toContain(`z ;echo pwned; !#:gs/'//`);
});

test("input that would continue an earlier command is not typed", async () => {
  const { call } = await session();
  await call({ action: "start" });
  expect((await call({ action: "write", input: "rm -rf \\" })).lines[0]).toContain("ends in a backslash");
  for (const open of ["cat <<X", "echo '"]) {
    expect(outcomeLines(await call({ action: "write", input: open }))[1]).toMatch(
      /^the shell waits for the rest/,
    );
    expect((await call({ action: "write", input: ": '$(echo run)'" })).outcome).toBe("failed");
    expect(outcomeLines(await call({ action: "write", key: "ctrl-c" }))[1]).toBe("at its prompt");
  }
});

test("input that a program leaves unread does not reach the shell behind it", async () => {
  const { call } = await session({ files: { keep: "" } });
  await call({ action: "start" });
  for (const program of ["head -1", `${JSON.stringify(process.execPath)} -i`]) {
    await call({ action: "write", input: program });
    const typed = await call({ action: "write", input: ".exit\nrm keep\nrm keep" });
    expect(typed.lines.at(-1)).toMatch(/at its prompt\. Only 1 of 3 lines could be typed: \w+ reads no more/);
  }
  await call({ action: "write", input: "timeout 0.5 cat" });
  const left = await call({ action: "write", input: "rm keep", enter: false, pattern: "none" });
  expect(outcomeLines(left)[1]).toBe("at its prompt");
  expect((await call({ action: "write", key: "enter" })).outcome).toBe("failed");
  expect((await call({ action: "write", input: "ls" })).outcome).toBe("failed");
  await call({ action: "write", key: "ctrl-u" });
  expect(outcomeLines(await call({ action: "write", input: "ls" }))).toContain("keep");
});

test("all lines arrive at a program that reads them one by one", async () => {
  const { call, workspace } = await session();
  await call({ action: "start", command: "cat > out" });
  const lines = Array.from({ length: 100 }, (_, at) => `line ${at}`).join("\n");
  await call({ action: "write", input: lines });
  await call({ action: "write", key: "ctrl-d" });
  expect(await workspace.read("out")).toBe(`${lines}\n`);
});

test("nothing is typed at a shell while its program is running", async () => {
  const { call } = await session();
  await call({ action: "start" });
  await call({ action: "write", input: "sleep 60", quietSeconds: 1 });
  expect((await call({ action: "write", input: "ls" })).lines).toEqual([
    'Nothing was typed: sleep still runs and does not read. Wait for it, end it with "key": "ctrl-c", or start another terminal under a new name.',
  ]);
  expect(outcomeLines(await call({ action: "write", key: "ctrl-c" }))[1]).toBe("at its prompt");
});

test("output types nothing at a shell, while a program that queries the terminal gets its reply", async () => {
  const ask = `process.stdin.setRawMode(true); process.stdin.on("data", (bytes) => { console.log(JSON.stringify(String(bytes))); process.exit(); }); process.stdout.write("\x1b[6n");`;
  const { call } = await session({ files: { evil: "\x1b[6n\x1b[c\x1b[>c\x1b[5n", "ask.cjs": ask } });
  await call({ action: "start" });
  expect(outcomeLines(await call({ action: "write", input: "cat evil" })).at(-1)).toBe(`/w${prompt}`);
  expect(outcomeLines(await call({ action: "write", input: "echo clean" })).slice(-2)).toEqual([
    "clean",
    `/w${prompt}`,
  ]);
  const asked = await call({ action: "write", input: `${JSON.stringify(process.execPath)} ask.cjs` });
  expect(asked.lines.join("\n")).toMatch(/"\\u001b\[\d+;1R"/);
});

test("a line too long for the system's input buffer is not typed", async () => {
  const { call, workspace } = await session();
  await call({ action: "start", command: "exec cat > out" });
  const long = "x".repeat(4095);
  expect((await call({ action: "write", input: `short\n${long}` })).lines[0]).toMatch(
    /no more than 4095 bytes/,
  );
  await call({ action: "write", input: `short\n${long.slice(1)}` });
  await call({ action: "write", key: "ctrl-d" });
  expect(await workspace.read("out")).toBe(`short\n${long.slice(1)}\n`);
});
