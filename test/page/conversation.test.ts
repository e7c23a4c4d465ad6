import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { Model } from "../../src/providers/provider.ts";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { testGateway, type TestGatewayOptions } from "../../src/testing/gateway.ts";
import { testPng } from "../../src/testing/pictures.ts";
import { goTo, idle, leaveEnd, pageTest, type PageTest, say } from "./browser.ts";

const opened: PageTest[] = [];
afterEach(async () => void (await Promise.all(opened.splice(0).map((each) => each.close()))));

async function start(model: Model, options: TestGatewayOptions = {}): Promise<PageTest> {
  const started = await pageTest(model, options);
  opened.push(started);
  return started;
}

test("a one-time link signs in once, disappears from the address, and explains what to do when reused", async () => {
  const t = await start(scriptedModel([]));
  const link = t.gateway.link();
  const page = await t.open();
  expect(new URL(page.url()).hash).toBe("");
  const first = await t.browser.newPage();
  await first.goto(link);
  await first.getByRole("heading", { name: "What do you want to do?" }).waitFor();
  expect(first.url()).not.toContain("code");
  await first.reload();
  await first.getByRole("heading", { name: "What do you want to do?" }).waitFor();
  const second = await t.browser.newPage();
  await second.goto(link);
  await second.getByRole("heading", { name: "Not signed in" }).waitFor();
  expect(await second.locator("main").innerText()).toContain("toolwright serve link");
  expect(t.complaints).toEqual([]);
});

test("an answer streams as Markdown with highlighted code, and looks the same after a reload", async () => {
  const gate = Promise.withResolvers<void>();
  const text =
    "# Title\n\nSome **bold** words and [a link](https://example.org).\n\n```ts\nconst a = 1;\n```\n\n- one\n- two\n";
  const t = await start(scriptedModel([[{ think: "Hm." }, { say: text.slice(0, 60) }, { wait: gate.promise }, { say: text.slice(60) }]], { pieces: 7 })); // prettier-ignore
  const page = await t.open();
  await say(page, "Go on.");
  const answer = page.locator(".block-text");
  await answer.getByRole("heading", { name: "Title" }).waitFor();
  expect(await page.locator("main").getAttribute("data-status")).toBe("running");
  gate.resolve();
  await idle(page);
  await page.locator(".hljs-keyword").waitFor();
  const link = answer.getByRole("link", { name: "a link" });
  expect(await link.getAttribute("rel")).toBe("noopener noreferrer");
  expect(await link.getAttribute("target")).toBe("_blank");
  const live = await answer.innerHTML();
  await page.reload();
  await page.locator(".hljs-keyword").waitFor();
  expect(await page.locator(".block-text").innerHTML()).toBe(live);
  const reasoning = page.locator("details.reasoning");
  expect(await reasoning.locator(".prose").count()).toBe(0);
  await reasoning.locator("summary").click();
  expect(await reasoning.locator(".prose").innerText()).toBe("Hm.");
  expect(t.complaints).toEqual([]);
});

test("a tool card unfolds to its output, and shows all of it on request", async () => {
  const lines = Array.from({ length: 60 }, (_, at) => `line ${at + 1}`).join("\n");
  const t = await start(
    scriptedModel([[{ call: "read_file", with: { path: "long.txt" } }], [{ say: "Read." }]]),
    {
      files: { "long.txt": lines },
    },
  );
  const page = await t.open();
  await say(page, "Read it.");
  await idle(page);
  const card = page.locator(".call");
  expect(await card.getByRole("button").first().getAttribute("aria-expanded")).toBe("false");
  await card.getByRole("button").first().click();
  expect(await card.locator(".output-text").innerText()).not.toContain("line 1\n");
  await card.getByRole("button", { name: "Show all" }).click();
  await expect.poll(() => card.locator(".output-text").innerText()).toMatch(/line 1\n[^]*line 60/u);
  expect(t.complaints).toEqual([]);
});

test("during a turn messages are queued, a queued one can be withdrawn, and Escape stops the turn", async () => {
  const gate = Promise.withResolvers<void>();
  const t = await start(scriptedModel((_, round) => (round === 1 ? [{ say: "It is working on it." }, { wait: gate.promise }] : [{ say: "Then." }]), { pieces: 4 })); // prettier-ignore
  const page = await t.open();
  await say(page, "Begin.");
  await page.getByText("It is working").waitFor();
  await say(page, "And hear this.");
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill("Afterwards that.");
  await field.press("Control+Enter");
  const waiting = page.locator(".queue-list li");
  await expect.poll(() => waiting.count()).toBe(2);
  await waiting.nth(1).getByRole("button").click();
  await expect.poll(() => waiting.count()).toBe(1);
  await field.press("Escape");
  await expect.poll(() => page.locator(".ending").allInnerTexts()).toContain("Stopped by you.");
  gate.resolve();
});

test("Shift+Enter adds a line, ArrowUp recalls the last message, and a draft survives a reload", async () => {
  const t = await start(scriptedModel([[{ say: "Yes." }]]));
  const page = await t.open();
  await say(page, "one");
  await idle(page);
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill("half");
  await field.press("Shift+Enter");
  await field.pressSequentially("a thought");
  expect(await field.inputValue()).toBe("half\na thought");
  await page.reload();
  await expect
    .poll(() => page.getByRole("textbox", { name: "Message" }).inputValue())
    .toBe("half\na thought");
  await page.getByText("Yes.", { exact: true }).waitFor();
  await field.fill("");
  await field.press("ArrowUp");
  expect(await field.inputValue()).toBe("one");
  await field.press("ArrowDown");
  expect(await field.inputValue()).toBe("");
});

test("a pasted picture is shown, sent, and stays with its message", async () => {
  const t = await start(scriptedModel([[{ say: "A dot." }]]));
  const page = await t.open();
  const field = page.getByRole("textbox", { name: "Message" });
  await field.evaluate(async (element) => {
    const canvas = new OffscreenCanvas(2000, 40);
    canvas.getContext("2d")?.fillRect(0, 0, 10, 10);
    const file = new File([await canvas.convertToBlob({ type: "image/png" })], "dot.png", {
      type: "image/png",
    });
    const data = new DataTransfer();
    data.items.add(file);
    element.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
    );
  });
  await page.getByRole("img", { name: "Picture 1 to send" }).waitFor();
  await say(page, "What is this?");
  await idle(page);
  const picture = page.getByRole("img", { name: "Picture 1 of the message" });
  await expect.poll(() => picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth)).toBe(2000); // prettier-ignore
  await page.reload();
  await picture.waitFor();
  expect(t.complaints).toEqual([]);
});

test("a broken picture is refused with an error, and the typed text stays", async () => {
  const t = await start(scriptedModel([]));
  const page = await t.open();
  const folder = join(t.gateway.test.root, "away");
  await mkdir(folder);
  await writeFile(join(folder, "broken.png"), "no picture".repeat(100_000));
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill("Look:");
  await page.locator(".composer-pick input").setInputFiles(join(folder, "broken.png"));
  await page.getByRole("alert").filter({ hasText: "broken.png cannot be read as a picture" }).waitFor();
  await writeFile(join(folder, "cut.png"), testPng().subarray(0, 40));
  await page.locator(".composer-pick input").setInputFiles(join(folder, "cut.png"));
  await page.getByRole("alert").filter({ hasText: "cut.png cannot be read as a picture" }).waitFor();
  expect(await field.inputValue()).toBe("Look:");
});

test("a chosen text file is listed, sent with the message, and shown by name only", async () => {
  const model = scriptedModel([[{ say: "Three words." }]]);
  const t = await start(model);
  const page = await t.open();
  const folder = join(t.gateway.test.root, "away");
  await mkdir(folder);
  await writeFile(join(folder, "notes.txt"), "one two three\n");
  await writeFile(join(folder, "paper.pdf"), Buffer.from([0x25, 0x50, 0x44, 0x46, 0]));
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill("How many words?");
  const pick = page.locator(".composer-pick input");
  await pick.setInputFiles([join(folder, "notes.txt"), join(folder, "paper.pdf")]);
  await page.getByRole("list", { name: "Files to send" }).getByText("notes.txt").waitFor();
  await page.getByRole("alert").filter({ hasText: "paper.pdf is neither text nor a picture" }).waitFor();
  await field.press("Enter");
  await idle(page);
  await page.getByText("[file: notes.txt]").waitFor();
  expect(await page.getByText("one two three").count()).toBe(0);
  expect(JSON.stringify(model.prompts)).toContain("one two three");
});

test("sessions are listed live, renamed, and deleted after a confirmation", async () => {
  const t = await start(scriptedModel([[{ say: "Yes." }]]));
  const page = await t.open();
  await say(page, "A first request");
  await idle(page);
  const list = page.getByRole("navigation", { name: "Sessions" });
  await list.getByRole("link", { name: /A first request/u }).waitFor();
  const other = await t.gateway.newSession();
  await expect.poll(() => list.locator("[data-session]").count()).toBe(2);
  const own = list.locator(`[data-session]:not([data-session="${other}"])`);
  await own.hover();
  await own.getByRole("button", { name: /Actions/u }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Better");
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("heading", { name: "Better", level: 1 }).waitFor();
  await expect.poll(() => page.title()).toBe("Better – Toolwright");
  await own.hover();
  await own.getByRole("button", { name: /Actions/u }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete for good" }).click();
  await expect.poll(() => list.locator("[data-session]").count()).toBe(1);
  await page.getByRole("heading", { name: "What do you want to do?" }).waitFor();
  expect(t.complaints).toEqual([]);
});

test("a session is saved as a file, imported elsewhere, and not a second time where it is", async () => {
  const t = await start(scriptedModel([[{ say: "An answer to keep." }]]));
  const page = await t.open();
  await say(page, "Keep this");
  await idle(page);
  const saving = page.waitForEvent("download");
  await page
    .locator(".session-head")
    .getByRole("button", { name: /Actions/u })
    .click();
  await page.getByRole("menuitem", { name: "Save as a file" }).click();
  const buffer = await readFile(await (await saving).path());
  const file = { name: "kept.jsonl", mimeType: "application/x-ndjson", buffer };
  const elsewhere = await start(scriptedModel([]));
  const other = await elsewhere.open();
  for (const each of [other, page]) {
    const imported = each.waitForResponse((response) => response.request().method() === "POST");
    await each.locator(".sidebar input[type=file]").setInputFiles(file);
    expect((await imported).ok()).toBe(true);
    await each.locator(".block-text", { hasText: "An answer to keep." }).waitFor(); // also announced, if seen to end
    expect(await each.locator("[data-session]").count()).toBe(1);
  }
  expect([t.complaints, elsewhere.complaints]).toEqual([[], []]);
});

test("the conversation follows its end while that is in view, and leaves a reader's scroll position alone", async () => {
  const gate = Promise.withResolvers<void>();
  const long = (word: string): string => Array.from({ length: 80 }, (_, at) => `${word} ${at}\n\n`).join("");
  const t = await start(scriptedModel([[{ say: long("early") }, { wait: gate.promise }, { say: long("late") }]], { pieces: 100 })); // prettier-ignore
  const page = await t.open();
  await say(page, "Much, please.");
  await page.getByText("early 79").waitFor();
  const place = page.locator(".conversation");
  const fromEnd = (): Promise<number> =>
    place.evaluate((at) => at.scrollHeight - at.scrollTop - at.clientHeight);
  await expect.poll(fromEnd).toBeLessThan(2);
  await place.evaluate((at) => at.scrollTo({ top: 100 }));
  await page.getByRole("button", { name: "To the end" }).waitFor();
  gate.resolve();
  await idle(page);
  await page.getByRole("button", { name: "New below" }).waitFor();
  expect(await place.evaluate((at) => at.scrollTop)).toBe(100);
  await page.getByRole("button", { name: "New below" }).click();
  await expect.poll(fromEnd).toBeLessThan(2);
});

test("whoever has gone back and sends a message sees it, and follows the answer", async () => {
  const t = await start(scriptedModel(() => [{ say: "A word of it.\n\n".repeat(60) }]));
  const page = await t.open();
  await say(page, "Much, please.");
  await idle(page);
  const place = page.locator(".conversation");
  await leaveEnd(place);
  await page.getByRole("button", { name: "To the end" }).waitFor();
  await say(page, "And again."); // it was sent out of sight
  await page.locator(".conversation[data-at-end=true]").waitFor();
  await idle(page);
  const left = () => place.evaluate((at) => at.scrollHeight - at.scrollTop - at.clientHeight);
  await expect.poll(left).toBeLessThan(60);
});

test("a reader who goes back is told of nothing new where nothing is, also while earlier parts appear", async () => {
  const t = await start(scriptedModel(() => [{ say: "A word of it.\n\n".repeat(40) }]));
  const page = await t.open();
  await say(page, "Much, please.");
  await idle(page);
  const place = page.locator(".conversation");
  await leaveEnd(place);
  const toEnd = page.locator(".to-end button");
  await toEnd.waitFor();
  await page.setViewportSize({ width: 500, height: 600 }); // narrower, so that all of it is longer
  await place.evaluate(async (at) => {
    const before = at.scrollHeight;
    const earlier = document.createElement("p");
    earlier.style.height = "900px";
    at.querySelector(".conversation-content")?.prepend(earlier);
    while (at.scrollHeight === before) await new Promise(requestAnimationFrame);
    for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
  });
  expect(await toEnd.innerText()).toBe("To the end"); // it said that there was something new
});

test("the last answer is copied as it was written", async () => {
  const t = await start(scriptedModel([[{ say: "It is **four**." }], [{ say: "No." }]]));
  const page = await t.open({ context: { permissions: ["clipboard-read", "clipboard-write"] } });
  await say(page, "How many?");
  await idle(page);
  const copied = async (): Promise<string> => {
    await page.locator(".session-head").getByRole("button", { name: "Actions for" }).click();
    await page.getByRole("menuitem", { name: "Copy the last answer" }).click();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  await expect.poll(copied).toBe("It is **four**.");
  await say(page, "Sure?");
  await idle(page);
  await expect.poll(copied).toBe("No.");
});

test("a new file is shown over the whole width, and a change beside what it was", async () => {
  const content = "one\ntwo\n";
  const t = await start(
    scriptedModel([
      [{ call: "write_file", with: { path: "new.txt", content } }],
      [{ call: "edit_file", with: { path: "new.txt", old: "two", new: "three" } }],
      [{ say: "Done." }],
    ]),
  );
  const page = await t.open({ context: { viewport: { width: 1600, height: 800 } } });
  await say(page, "Write it.");
  const left = async (what: string): Promise<number> =>
    Math.round((await page.locator(`.approval-card ${what}`).first().boundingBox())?.x ?? NaN);
  await page.locator(".approval-card", { hasText: "new.txt (new)" }).waitFor();
  expect(await left("ins")).toBe(await left(".diff-hunk")); // the left half was empty
  await page.locator(".approval-answers button:enabled").first().click();
  await page.locator(".approval-card del", { hasText: "two" }).waitFor();
  expect(await left("ins")).toBeGreaterThan((await left(".diff-hunk")) + 300);
  await page.locator(".approval-answers button:enabled").first().click();
  await idle(page);
});

test("a lost gateway is reported, and the draft and the conversation stay", async () => {
  const t = await start(scriptedModel([[{ say: "Yes." }]]));
  const page = await t.open();
  await say(page, "one");
  await idle(page);
  await page.getByRole("textbox", { name: "Message" }).fill("not sent yet");
  await page.context().setOffline(true);
  await t.gateway.close();
  await page.getByRole("status").filter({ hasText: "What you write is kept." }).waitFor();
  expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("not sent yet");
  expect(await page.locator(".block-text").innerText()).toBe("Yes.");
});

test("a conversation of 1,800 parts draws only its end until someone scrolls up", async () => {
  const parts = Array.from({ length: 900 }, (_, at) => [{ think: `Thought ${at}.` }, { say: `Part ${at}.` }]);
  const t = await start(scriptedModel([[...parts.flat(), { say: "Done." }]]));
  const page = await t.open();
  await say(page, "Many parts, please.");
  await idle(page);
  const session = new URL(page.url()).hash.slice(4);
  const fresh = await t.open();
  await goTo(fresh, session);
  await fresh.getByText("Done.").waitFor();
  const drawn = await fresh.locator(".block").count();
  expect(drawn).toBeLessThan(500);
  const place = fresh.locator(".conversation");
  await leaveEnd(place);
  await expect.poll(() => fresh.locator(".block").count()).toBeGreaterThan(drawn);
  expect(t.complaints).toEqual([]);
});

test("what arrives between two pictures does not part the reader from the end", async () => {
  const t = await start(scriptedModel([[{ say: "A word before it. ".repeat(300) }]]));
  const page = await t.open();
  await say(page, "Write.");
  await idle(page);
  const place = page.locator(".conversation");
  // A scroll event comes a frame after the scrolling, before the page looks at what has arrived meanwhile.
  await place.locator(".conversation-content").evaluate(async (content) => {
    const add = (): void => {
      const block = document.createElement("p");
      block.style.height = "300px";
      content.append(block);
    };
    add();
    await new Promise(requestAnimationFrame);
    await new Promise((resolve) => setTimeout(resolve));
    add();
    for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
  });
  const left = () => place.evaluate((at) => at.scrollHeight - at.scrollTop - at.clientHeight);
  await expect.poll(left).toBeLessThan(60);
  await place.evaluate((at) => at.scrollBy({ top: -200 }));
  await page.getByRole("button", { name: "To the end" }).waitFor();
});

test("an unfolded output at the end stays in view", async () => {
  const lines = Array.from({ length: 200 }, (_, at) => `line ${at + 1}`).join("\n");
  const t = await start(
    scriptedModel([
      [{ say: "A word before it. ".repeat(300) }, { call: "read_file", with: { path: "long.txt" } }],
      [{ say: "Read." }],
    ]),
    { files: { "long.txt": lines } },
  );
  const page = await t.open();
  await say(page, "Read it.");
  await idle(page);
  const head = page.locator("button.call-head");
  await head.click();
  await page.getByRole("button", { name: "Show all" }).click();
  await page.getByText("line 100").waitFor();
  const { top, bottom } = await head.evaluate((element) => {
    const place = element.closest(".conversation")?.getBoundingClientRect();
    const own = element.getBoundingClientRect();
    return { top: own.top - (place?.top ?? 0), bottom: (place?.bottom ?? 0) - own.bottom };
  });
  expect(top).toBeGreaterThanOrEqual(0);
  expect(bottom).toBeGreaterThan(0);
});

test("on a phone the session list is a drawer that takes focus, makes the rest inert, and returns focus", async () => {
  const t = await start(scriptedModel([]));
  const page = await t.open({ context: { viewport: { width: 390, height: 800 } } });
  const open = page.getByRole("button", { name: "Sessions", exact: true });
  await open.click();
  const list = page.getByRole("navigation", { name: "Sessions" });
  await list.waitFor();
  await expect.poll(() => list.evaluate((place) => place.contains(document.activeElement))).toBe(true);
  expect(
    await page.locator(".page-main").evaluate((place) => place instanceof HTMLElement && place.inert),
  ).toBe(true);
  await page.keyboard.press("Escape");
  await list.waitFor({ state: "hidden" });
  await expect.poll(() => open.evaluate((button) => button === document.activeElement)).toBe(true);
});

test("the tab title shows an open approval, and a screen reader hears of it and of the finished answer", async () => {
  const t = await start(
    scriptedModel([
      [{ call: "edit_file", with: { path: "a.txt", old: "one", new: "two" } }],
      [{ say: "It is two now." }],
    ]),
    { files: { "a.txt": "one" } },
  );
  const page = await t.open();
  await say(page, "Make it two.");
  await expect.poll(() => page.title()).toBe("● Make it two. – Toolwright");
  expect(await page.locator('link[rel="icon"]').getAttribute("href")).toContain("waiting");
  await expect.poll(() => page.locator("main [role=status]").allInnerTexts()).toContain("Waiting for your answer. May it do this: Edit a.txt?"); // prettier-ignore
  await page.locator(".approval-answers button:enabled").first().click();
  await idle(page);
  await expect.poll(() => page.title()).toBe("Make it two. – Toolwright");
  await expect.poll(() => page.locator("main [aria-live=polite]").allInnerTexts()).toContain("The answer is finished. It is two now."); // prettier-ignore
  expect(await page.locator("main [role=status]").allInnerTexts()).not.toContain("Waiting for your answer. May it do this: Edit a.txt?"); // prettier-ignore
});

test("Ctrl+K searches the text of all sessions, and opens the one chosen", async () => {
  const t = await start(scriptedModel(() => [{ say: "The parser has two passes." }]));
  const page = await t.open();
  await say(page, "Explain it");
  await idle(page);
  const session = new URL(page.url()).hash;
  await page.keyboard.press("Alt+n");
  await page.getByRole("heading", { name: "What do you want to do?" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("two passes");
  await page.getByRole("dialog").getByText("Explain it").click();
  await page.locator(".block-text", { hasText: "The parser has two passes." }).waitFor();
  expect(new URL(page.url()).hash).toBe(session);
});

test("in the search of all sessions the arrows go through what was found, and Enter opens it", async () => {
  const t = await start(scriptedModel(() => [{ say: "The parser has two passes." }]));
  const page = await t.open();
  const sessions: string[] = [];
  for (const words of ["Explain it", "Explain it again"]) {
    await page.keyboard.press("Alt+n");
    await page.getByRole("heading", { name: "What do you want to do?" }).waitFor();
    await say(page, words);
    await idle(page);
    sessions.unshift(new URL(page.url()).hash);
  }
  const search = page.getByRole("dialog");
  for (const [keys, session] of [
    [["Enter"], sessions[0]],
    [["ArrowDown", "ArrowDown", "ArrowUp", "ArrowDown", "Enter"], sessions[1]],
  ] as const) {
    await page.keyboard.press("Control+k");
    await page.keyboard.type("two passes");
    await search.getByText("2 sessions with these words.").waitFor();
    for (const key of keys) await page.keyboard.press(key); // they did nothing
    await search.waitFor({ state: "detached" });
    await expect.poll(() => new URL(page.url()).hash).toBe(session);
  }
});

test("after the gateway restarts the page reconnects, and nothing is missing or duplicated", async () => {
  const t = await start(scriptedModel([[{ say: "The first answer." }]]));
  const page = await t.open();
  await say(page, "one");
  await idle(page);
  const { port, test: host } = t.gateway;
  await t.gateway.close();
  await page.getByRole("status").filter({ hasText: "What you write is kept." }).waitFor();
  const tried = page.waitForEvent("websocket");
  await page.getByRole("button", { name: "Try now" }).click();
  await tried;
  const again = await testGateway(scriptedModel([[{ say: "The second answer." }]]), {
    mode: "ask",
    root: host.root,
    port,
  });
  try {
    await say(page, "two");
    await page.locator(".block-text", { hasText: "The second answer." }).waitFor();
    await idle(page);
    expect(await page.locator(".block-user, .block-text").allInnerTexts()).toEqual([
      "one",
      "The first answer.",
      "two",
      "The second answer.",
    ]);
    expect(t.complaints).toEqual([]);
  } finally {
    await again.close();
  }
});

test("a session that finished in the background is marked as unread until it is opened", async () => {
  const gate = Promise.withResolvers<void>();
  const t = await start(scriptedModel([[{ wait: gate.promise }, { say: "Done meanwhile." }]]));
  const page = await t.open();
  await say(page, "Take your time");
  const unread = page.locator(".session-unread");
  expect(await unread.count()).toBe(0);
  await page.keyboard.press("Alt+n");
  await page.getByRole("heading", { name: "What do you want to do?" }).waitFor();
  gate.resolve();
  await expect.poll(() => unread.allInnerTexts()).toEqual(["Take your time"]);
  await page.keyboard.press("Alt+ArrowDown");
  await page.locator(".block-text", { hasText: "Done meanwhile." }).waitFor();
  await expect.poll(() => unread.count()).toBe(0);
});

test("finished parts of an answer are never redrawn, and growing code is appended to", async () => {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const t = await start(
    scriptedModel(
      [
        [
          { say: "A first paragraph.\n\nA second one.\n\n```ts\nconst first = 1;\n" },
          { wait: gates[0].promise },
          { say: "const second = 2;\n" },
          { wait: gates[1].promise },
          { say: "```\n\nAnd the end." },
        ],
      ],
      { pieces: 6 },
    ),
  );
  const page = await t.open();
  await say(page, "Write.");
  const code = page.locator(".block-text .code code");
  await expect.poll(() => code.innerText()).toContain("const first = 1;");
  await page.evaluate(() => {
    for (const element of document.querySelectorAll(".block-text .prose > *"))
      element.setAttribute("data-seen", "");
  });
  gates[0].resolve();
  await expect.poll(() => code.innerText()).toContain("const second = 2;");
  expect(await page.locator(".prose > [data-seen]").count()).toBe(3);
  gates[1].resolve();
  await idle(page);
  await page.locator(".hljs-keyword").first().waitFor();
  expect(await page.locator(".prose > [data-seen]").count()).toBe(3);
  expect(await page.locator(".prose > *").count()).toBe(4);
});
