/** Commands and skills from files for the gateway's clients: listed, sent as their text, trusted as in a terminal. */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { FactOf } from "../protocol/facts.ts";
import { type ModelScript, scriptedModel } from "../providers/scripted-model.ts";
import { testGateway, type TestGateway } from "../testing/gateway.ts";
import { followUntil } from "../testing/host.ts";

const files = {
  ".claude/commands/review.md":
    '---\ndescription: Look it over\nargument-hint: "NUMBER"\n---\nReview #$1 with @notes.txt.',
  ".claude/commands/help.md": "Never.",
  ".claude/skills/pdf/SKILL.md": "---\nname: pdf\ndescription: Forms\n---\nFill it in.",
  ".claude/skills/run/SKILL.md": "---\nname: run\ndescription: Runs\n---\nRun it.",
  ".claude/skills/run/x.sh": "#!/bin/sh\n",
  "notes.txt": "the notes",
};

async function stage(script: ModelScript = () => [{ say: "Fine." }]): Promise<TestGateway> {
  const gateway = await testGateway(scriptedModel(script), { files });
  onTestFinished(async () => {
    await gateway.close();
    await gateway.test.remove();
  });
  return gateway;
}

const send = (text: string, more = {}) => ({ type: "send", content: [{ type: "text", text }], ...more });

/** The messages of a session's requests, once there are `count` of them. */
async function requests({ test: { host } }: TestGateway, id: string, count: number): Promise<string[][]> {
  const said: FactOf<"user-message">[] = [];
  await followUntil(host, id, (event) => {
    if (event.type === "user-message") said.push(event);
    return event.type === "turn-end" && said.length === count;
  });
  return said.map(({ content }) =>
    content.map((part) => (part.type === "text" ? (part.file ?? part.text) : part.type)),
  );
}

test("a message that calls a command or skill reaches the model as its text with the mentioned files", async () => {
  const gateway = await stage();
  const id = await gateway.newSession();
  const path = `/sessions/${id}/commands`;
  expect(await gateway.ask("POST", path, send("/review 12", { id: "one" }))).toEqual({
    status: 200,
    body: { ok: true },
  });
  await requests(gateway, id, 1);
  await gateway.ask("POST", path, send("/review 12", { id: "one" })); // resent: already accepted
  await gateway.ask("POST", path, send("look at @notes.txt and @/etc/hosts"));
  await requests(gateway, id, 2);
  await gateway.ask("POST", path, send("/pdf page 3"));
  const [first, second, third] = await requests(gateway, id, 3);
  expect(first).toEqual(["Review #12 with @notes.txt.", "notes.txt"]);
  expect(second).toEqual(["look at @notes.txt and @/etc/hosts", "notes.txt"]);
  expect(third?.[0]).toMatch(/^# Skill: pdf\n\nFill it in\.[\s\S]*Arguments: page 3$/u);
});

test.each([
  ["/reviw 12", 'There is no command /reviw (did you mean "/review"?)'],
  ["/help", "/help is a command of a conversation in a terminal"],
  ["/run", "is not used until you agree"],
])("%s is refused with a reason, and nothing is sent to the model", async (text, words) => {
  const gateway = await stage();
  const id = await gateway.newSession();
  const { status, body } = await gateway.ask("POST", `/sessions/${id}/commands`, send(text));
  expect(status).toBe(409);
  expect(JSON.stringify(body)).toContain(words.replaceAll('"', '\\"'));
  expect((await gateway.ask("GET", `/sessions/${id}`)).body).toMatchObject({ turns: 0 });
});

test("messages keep their order even if the first must be looked up in files", async () => {
  const gateway = await stage();
  const id = await gateway.newSession();
  const sent = ["/review 1", "plain", "/pdf"].map((text) =>
    gateway.test.host.command(id, {
      type: "send",
      content: [{ type: "text", text }],
      when: "next",
    }),
  );
  expect(await Promise.all(sent)).toEqual([{ ok: true }, { ok: true }, { ok: true }]);
  const stop = new AbortController();
  const said: string[] = [];
  for await (const event of gateway.test.host.follow(id, 0, { signal: stop.signal })) {
    if (event.type !== "user-message" && event.type !== "steer") continue;
    const [part] = event.content;
    said.push(part?.type === "text" ? part.text.slice(0, 12) : "");
    if (said.length === 3) break;
  }
  stop.abort();
  expect(said).toEqual(["Review #1 wi", "plain", "# Skill: pdf"]);
});

test("the commands and skills of a session or workspace are listed, with those that cannot be called", async () => {
  const gateway = await stage();
  const id = await gateway.newSession();
  const { workspace } = gateway.test;
  const told = await gateway.ask("GET", `/sessions/${id}/slash-commands`);
  expect(told).toEqual({
    status: 200,
    body: {
      commands: [
        {
          kind: "command",
          name: "review",
          description: "Look it over",
          argumentHint: "NUMBER",
          from: "workspace",
          path: join(workspace, ".claude/commands/review.md"),
        },
        {
          kind: "skill",
          name: "pdf",
          description: "Forms",
          from: "workspace",
          path: join(workspace, ".claude/skills/pdf/SKILL.md"),
        },
      ],
      problems: [
        expect.stringMatching(/^\/help is a command of our own, so \S+help\.md is not called by it/u),
      ],
    },
  });
  await writeFile(join(workspace, ".claude/commands/late.md"), "Late.");
  const here = await gateway.ask("GET", `/slash-commands?workspace=${encodeURIComponent(workspace)}`);
  expect(JSON.stringify(here.body)).toContain('"name":"late"');
  expect(await gateway.ask("GET", "/slash-commands")).toEqual(here);
});

test("listing the commands of a missing session or an invalid workspace is refused", async () => {
  const gateway = await stage();
  expect((await gateway.ask("GET", "/sessions/20000101-000000-ffffff/slash-commands")).status).toBe(404);
  expect(await gateway.ask("GET", "/slash-commands?workspace=nowhere")).toMatchObject({
    status: 400,
    body: { error: { code: "bad-request", message: expect.stringContaining("no absolute path") } },
  });
});

test("calling a command whose head is not fully followed adds a warning to the session", async () => {
  const gateway = await stage();
  const id = await gateway.newSession();
  const { workspace } = gateway.test;
  await writeFile(join(workspace, ".claude/commands/fix.md"), "---\nmodel: opus\n---\nFix it.");
  await gateway.ask("POST", `/sessions/${id}/commands`, send("/fix"));
  const warnings: string[] = [];
  await followUntil(gateway.test.host, id, (event) => {
    if (event.type === "warning" && event.code === "command-head") warnings.push(event.text);
    return event.type === "turn-end";
  });
  expect(warnings).toEqual([expect.stringMatching(/^\/fix: Its head is not followed in this: model opus /u)]);
});
