/** Tests /btw: a side question at the prompt, during a request, and past its end. */

import { expect, test } from "vitest";
import { scriptedModel } from "../../providers/scripted-model.ts";
import { testTerminal } from "../../tui/testing/terminal.ts";
import { testRuntime, testSettings } from "../testing/runtime.ts";
import { converseIn } from "./conversation.ts";
import { controlC, controlD, enter, lines } from "./testing/conversation.ts";

async function converse(answers: { aside: Promise<unknown>; turn: Promise<unknown> }) {
  const terminal = testTerminal({ terminal: true, env: { NO_COLOR: "1", TERM: "xterm" } });
  const model = scriptedModel(({ toolChoice }) =>
    toolChoice === "none"
      ? [{ wait: answers.aside }, { say: "Port 80.\nSee a.txt." }]
      : [{ wait: answers.turn }, { say: "Done with it." }],
  );
  const runtime = await testRuntime(model);
  const over = converseIn({ terminal, settings: testSettings() }, runtime, "");
  await terminal.until("> ");
  const leave = async (): Promise<string[]> => {
    terminal.type(controlD);
    await over;
    await runtime.close();
    return lines(terminal);
  };
  return { terminal, runtime, leave, model };
}

const now = Promise.resolve();

test("at the prompt the answer is shown, indented, and the next request knows nothing of it", async () => {
  const { terminal, leave, model } = await converse({ aside: now, turn: now });
  terminal.type(`/btw which port?${enter}`);
  await terminal.until("See a.txt.");
  await terminal.until("> ");
  terminal.type(`Go${enter}`);
  await terminal.until("Done with it.");
  await terminal.until("> ");
  expect(JSON.stringify(model.prompts.at(-1)?.messages)).not.toContain("port");
  const shown = await leave();
  const at = shown.indexOf("· Aside: which port?");
  expect(shown.slice(at, at + 3)).toEqual(["· Aside: which port?", "  Port 80.", "  See a.txt."]);
});

test("without a question it says what it is for", async () => {
  const { terminal, leave } = await converse({ aside: now, turn: now });
  terminal.type(`/btw${enter}`);
  await terminal.until("/btw QUESTION asks the model beside the work");
  await leave();
});

test("Ctrl-C at the prompt gives it up, and does not leave", async () => {
  const { terminal, leave } = await converse({ aside: new Promise(() => undefined), turn: now });
  terminal.type(`/btw why?${enter}`);
  await terminal.until("Asking beside the conversation");
  terminal.type(controlC);
  await terminal.until("Stopped before there was an answer.");
  await terminal.until("> ");
  await leave();
});

test("during a request it is answered without holding up what is typed next", async () => {
  const turn = Promise.withResolvers<undefined>();
  const aside = Promise.withResolvers<undefined>();
  const { terminal, runtime, leave } = await converse({ aside: aside.promise, turn: turn.promise });
  terminal.type(`Go${enter}`);
  await runtime.session.log.until(({ type }) => type === "turn-start", new AbortController().signal);
  terminal.type(`/btw which port?${enter}`);
  await terminal.until("Asking beside the conversation");
  terminal.type(`/queue next thing${enter}`);
  await terminal.until("» next thing");
  aside.resolve(undefined);
  await terminal.until("  Port 80.");
  turn.resolve(undefined);
  await terminal.until("Done with it.");
  await terminal.until("Done with it.");
  await terminal.until("> ");
  const shown = await leave();
  expect(shown.filter((line) => line.includes("Aside:"))).toHaveLength(1);
});

test("at a question the answer is shown above it, for it may be wanted to answer that", async () => {
  const terminal = testTerminal({ terminal: true, env: { NO_COLOR: "1", TERM: "xterm" } });
  const model = scriptedModel(({ toolChoice, messages }) =>
    toolChoice === "none"
      ? [{ say: "It is harmless." }]
      : messages.some(({ role }) => role === "tool")
        ? [{ say: "Done with it." }]
        : [{ call: "run_command", with: { command: "touch a" } }],
  );
  const runtime = await testRuntime(model);
  const over = converseIn({ terminal, settings: testSettings() }, runtime, "Go");
  await terminal.until("or type why not: ");
  terminal.type(`/btw is it harmful?${enter}`);
  await terminal.until("  It is harmless.");
  await terminal.until("or type why not: ");
  terminal.type(`y${enter}`);
  await terminal.until("Done with it.");
  await terminal.until("> ");
  terminal.type(controlD);
  await over;
  await runtime.close();
  expect(lines(terminal).filter((line) => line.includes("It is harmless."))).toHaveLength(1);
});

test("an answer that comes after the request is shown above the open prompt, once", async () => {
  const aside = Promise.withResolvers<undefined>();
  const turn = Promise.withResolvers<undefined>();
  const { terminal, runtime, leave } = await converse({ aside: aside.promise, turn: turn.promise });
  terminal.type(`Go${enter}`);
  await runtime.session.log.until(({ type }) => type === "turn-start", new AbortController().signal);
  terminal.type(`/btw which port?${enter}`);
  await terminal.until("Asking beside the conversation");
  turn.resolve(undefined);
  await terminal.until("Done with it.");
  await terminal.until("> ");
  aside.resolve(undefined);
  await terminal.until("  Port 80.");
  terminal.type(`Again${enter}`);
  await terminal.until("Done with it.");
  await terminal.until("> ");
  const shown = await leave();
  expect(shown.filter((line) => line.includes("Port 80."))).toHaveLength(1);
});
