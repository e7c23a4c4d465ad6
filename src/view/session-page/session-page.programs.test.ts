/** Tests a session's page: everything is escaped, nothing is loaded, and it has timeline, diffs and cost. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { scriptedModel, type ScriptedAnswer } from "../../providers/scripted-model.ts";
import { testSession } from "../../testing/session.ts";
import type { ReviewedChanges } from "../review.ts";
import { timelineOf } from "../timeline.ts";
import { markup } from "./html.ts";
import { sessionPage } from "./session-page.ts";

const usage = { usage: { inputTokens: 900, outputTokens: 100 } };

async function pageOf(script: readonly ScriptedAnswer[], requests: readonly string[], title = "A title") {
  const { session, ask, facts, close } = await testSession(scriptedModel(script), {
    pricing: () => 0.5,
    files: { "a.txt": "one\n  two\nthree\n" },
  });
  for (const request of requests) await ask(request);
  const reviews = new Map<number, ReviewedChanges>();
  for (const turn of session.state.changes.trails.keys()) {
    const review = await session.review(turn);
    if (review.ok) reviews.set(turn, review.value);
  }
  const { usage: used, cost: dollars, session: id, workspace } = session.state;
  const cost = { dollars, unknown: 0 };
  const about = { id, title, workspace, createdAt: 0, updatedAt: 60_000, usage: used, cost };
  const page = sessionPage(about, await timelineOf(facts()), reviews);
  await close();
  return page;
}

const hostile = `<script>alert(1)</script><img src=x onerror=alert(1)>"'&</pre></details></style>`;

test("no text of the session becomes HTML, wherever it comes from", async () => {
  const page = await pageOf(
    [
      [
        { think: hostile },
        { say: hostile },
        { call: "write_file", with: { path: "b.txt", content: hostile } },
      ],
      [
        { call: hostile, with: { path: hostile } },
        { call: "run_command", with: { command: `echo '${hostile}'` } },
      ],
      [
        {
          say: `${hostile}\n\n[x](javascript:alert(1)) ![x](https://tracker.example/x.png)\n\n\`\`\`html\n${hostile}\n\`\`\``,
        },
      ],
    ],
    [hostile],
    hostile,
  );
  const tags = new Set(
    [...page.matchAll(/<\/?([a-z!][a-z0-9]*)/giu)].map(([, name = ""]) => name.toLowerCase()),
  );
  for (const tag of ["script", "img", "iframe", "link", "object"]) expect(tags).not.toContain(tag);
  expect(page).not.toMatch(/javascript:/iu);
  expect(page).not.toMatch(/<[^>]*\son\w+=/iu);
  expect(page).not.toMatch(/<[^a][^>]*\s(?:src|href)=/iu);
  expect(page.match(/<\/style>/gu)).toHaveLength(1);
});

test("it has each request with its diffs and cost, and an overview that adds them up", async () => {
  const page = await pageOf(
    [
      [{ call: "edit_file", with: { path: "a.txt", old: "  two", new: "  2" } }, usage],
      [{ say: "**Done** with `a.txt`." }, usage],
      [{ say: "Nothing to do." }, usage],
    ],
    ["Change a", "And b?"],
  );
  expect(page).toContain('<span class="row del">-  two</span><span class="row add">+  2</span>');
  expect(page).toContain("<strong>Done</strong> with <code>a.txt</code>");
  expect(page).toContain('<a href="#request-2">And b?</a>');
  expect(page).toMatch(/<td>All<\/td>.*3,000.*\$1\.50/u);
  expect(page).toMatch(/done<\/strong> · changed a\.txt · 1,800 tokens in, 200 out · \$1\.00/u);
  expect(page).toContain(`default-src 'none'; style-src 'unsafe-inline'`.replaceAll("'", "&#39;"));
});

test("a session in which nothing was said is a page, too", async () => {
  expect(await pageOf([], [])).toContain("<h1>A title</h1>");
});

test("whatever is put into a template is text, and what cannot be seen is shown", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("<", ">", "&", '"', "'", "a", "\n", "\u001B", "\u202E", "\u{1F600}")),
      (characters) => {
        const text = characters.join("");
        expect(
          markup`<p title="${text}">${[text]}</p>`.text.replaceAll(/&(?:amp|lt|gt|quot|#39);/gu, ""),
        ).toMatch(/^<p title="[^<>"'&]*">[^<>"'&]*<\/p>$/u);
      },
    ),
  );
  const odd = ["\u001B", "\u202E"];
  for (const character of odd) expect(markup`${`a${character}b`}`.text).not.toContain(character);
});
