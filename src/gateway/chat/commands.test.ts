/** Commands and skills over the chat protocol: listed with and without a session, and invoked by a message. */

import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../../providers/scripted-model.ts";
import { testHost } from "../../testing/host.ts";
import { chatContext, openChat } from "./chat.ts";
import { testSocket } from "./testing/socket.ts";

const files = {
  ".claude/commands/review.md": "---\ndescription: Look it over\n---\nReview #$1 with @notes.txt.",
  "notes.txt": "the notes",
};

async function opened() {
  const model = scriptedModel(() => [{ say: "Fine." }]);
  const made = await testHost(model, { files });
  onTestFinished(async () => {
    await made.close();
    await made.remove();
  });
  const chat = testSocket();
  onTestFinished(() => chat.leave());
  openChat(chat.socket, chatContext(made.host));
  return { chat, model };
}

test("chat.commands lists commands without a session and in the current one", async () => {
  const { chat } = await opened();
  const commands = [{ kind: "command", name: "review", description: "Look it over", from: "workspace" }];
  chat.send({ type: "chat.commands", requestId: "1" });
  expect(await chat.next("chat.commands")).toMatchObject({ commands, problems: [], requestId: "1" });
  chat.send({ type: "chat.send", content: "/review 12" });
  const { sessionId } = await chat.next("chat.stream.end");
  chat.send({ type: "chat.commands" });
  expect(await chat.next("chat.commands")).toMatchObject({ sessionId, commands });
  chat.send({ type: "chat.commands", sessionId: "none", requestId: "2" });
  expect(await chat.next("error")).toMatchObject({ code: "unknown-session", requestId: "2" });
});

test("clients see the typed command and its file names, and the model receives the expanded text", async () => {
  const { chat, model } = await opened();
  chat.send({ type: "chat.send", content: "/review 12", requestId: "1" });
  const { sessionId } = await chat.next("session");
  expect(await chat.next("chat.message")).toMatchObject({ text: "/review 12\n[file: notes.txt]", images: 0 });
  await chat.next("chat.stream.end");
  expect(JSON.stringify(model.prompts[0]?.messages)).toContain("Review #12 with @notes.txt.");
  expect(JSON.stringify(model.prompts[0]?.messages)).toContain("the notes");
  chat.send({ type: "chat.open", sessionId });
  expect(await chat.next("chat.history")).toMatchObject({
    messages: [{ role: "user", text: "/review 12\n[file: notes.txt]" }, { role: "assistant" }],
  });
});

test("a message with an unknown command is refused with a reason", async () => {
  const { chat } = await opened();
  chat.send({ type: "chat.send", content: "/nosuch", requestId: "1" });
  expect(await chat.next("error")).toMatchObject({
    code: "refused",
    message: "There is no command /nosuch: to say it to the model, begin with another word.",
    requestId: "1",
  });
});
