/** `/init` and `toolwright init`: the model writes AGENTS.md, and one that is there is changed only with a yes. */

import { expect, test } from "vitest";
import { initRequest } from "./init-command.ts";
import { controlD, enter, lines, stage } from "./testing/conversation.ts";

test("/init sends the request, and AGENTS.md is written once that is approved", async () => {
  const { terminal, runtime, over } = await stage(
    [
      [{ call: "write_file", with: { path: "AGENTS.md", content: "# Shop\n" } }],
      [{ say: "I wrote AGENTS.md." }],
    ],
    { first: "/init" },
  );
  await terminal.until("[n]o");
  await expect(runtime.test.workspace.read("AGENTS.md")).rejects.toThrow();
  terminal.type(`y${enter}`);
  await terminal.until("I wrote AGENTS.md.");
  terminal.type(controlD);
  expect(await over).toBe(0);
  const [turn] = runtime.session.state.turns;
  expect(turn?.request).toEqual([{ type: "text", text: initRequest }]);
  expect(await runtime.test.workspace.read("AGENTS.md")).toBe("# Shop\n");
  expect(lines(terminal).join("\n")).not.toContain("Leave out what every programmer knows"); // the words typed are enough
  await runtime.close();
});

test("an AGENTS.md that is there stays as it is without a yes", async () => {
  const { terminal, runtime, over } = await stage(
    [[{ call: "write_file", with: { path: "AGENTS.md", content: "new" } }], [{ say: "Then it stays." }]],
    { first: "/init", session: { files: { "AGENTS.md": "ours\n" } } },
  );
  await terminal.until("[n]o");
  terminal.type(`n${enter}`);
  await terminal.until("Then it stays.");
  terminal.type(controlD);
  expect(await over).toBe(0);
  expect(await runtime.test.workspace.read("AGENTS.md")).toBe("ours\n");
  await runtime.close();
});
