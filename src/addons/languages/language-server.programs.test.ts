import { dirname } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { filesRunBy } from "../../safety/ran/ran.ts";
import { testRow, uncontainedForTests } from "../../testing/languages.ts";
import { temporaryWorkspace } from "../../testing/workspace.ts";
import { LanguageServer } from "./language-server.ts";
import { knownServers, launchesOf } from "./launches.ts";

async function serverOf(way: string) {
  const workspace = await temporaryWorkspace({});
  const warned: string[] = [];
  const clock = { ms: 1_000_000, starts: 0 };
  const [server] = knownServers([testRow(way)], undefined);
  if (!server) throw new Error("no row");
  const environment = { PATH: dirname(process.execPath) };
  const place = { workspace: workspace.root, home: "/nonexistent", environment };
  const language = new LanguageServer({
    server,
    root: workspace.root,
    launches: () => launchesOf(server, workspace.root, place),
    context: {
      ...place,
      trust: { allows: () => false, filesRun: async () => filesRunBy, waiting: () => [] },
      contain: (profile, request) => {
        clock.starts += 1;
        return uncontainedForTests(profile, request);
      },
      warn: (_code, text) => void warned.push(text),
    },
    now: () => clock.ms,
  });
  onTestFinished(async () => {
    await language.close();
    await workspace.remove();
  });
  return { language, warned, clock };
}

test("a failing server is started four times with growing delays, then given up with one warning", async () => {
  const { language, warned, clock } = await serverOf("crash-at-start");
  const started: number[] = [];
  for (let second = 0; second < 200; second++) {
    const before = clock.starts;
    await language.ready();
    if (clock.starts > before) started.push(second);
    clock.ms += 1000;
  }
  expect(started).toEqual([0, 1, 5, 21]);
  expect(warned).toEqual([
    "The language server test has failed 4 times and is not started again in this session: it ended with exit code 2: error: this program cannot work here. Check it with `toolwright doctor`.",
  ]);
  expect(await language.ready()).toEqual({ ok: false, problem: warned[0] });
});

test("concurrent requests share a single start", async () => {
  const { language, clock } = await serverOf("good");
  const [one, other] = await Promise.all([language.ready(), language.ready()]);
  expect(one.ok && other.ok && one.value === other.value).toBe(true);
  expect(clock.starts).toBe(1);
});

test("a closed server is not started again", async () => {
  const { language, clock } = await serverOf("good");
  await language.ready();
  await language.close();
  expect(language.running).toBeUndefined();
  expect(await language.ready()).toMatchObject({ ok: false });
  expect(clock.starts).toBe(1);
});
