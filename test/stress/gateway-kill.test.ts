import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import {
  clientCodes,
  type Command,
  type CommandOutcome,
  connect,
  type Entry,
  GatewayError,
} from "../../src/client.ts";
import { step } from "../../src/protocol/fold.ts";
import { emptyState } from "../../src/protocol/session-state.ts";

const token = "a-token-that-only-this-test-knows-0123456789";
const kills = Number(process.env["TOOLWRIGHT_RUNS"] ?? 2);
const sessions = 50;
const readersEach = 4;

const cleaning: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleaning.splice(0).toReversed()) await clean();
});

class Gateway {
  readonly root: string;
  port = 0;
  #child: ChildProcess | undefined;

  constructor(root: string) {
    this.root = root;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Restarts on the same port. */
  async start(): Promise<void> {
    const script = join(import.meta.dirname, "../support/gateway-child.ts");
    const child = spawn(process.execPath, [script, this.root, String(this.port), token, String(2 + kills)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#child = child;
    const [port]: Buffer[] = await once(child.stdout, "data");
    this.port = Number(port?.toString());
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
}

/** One client: its own connection, and all facts that it received. */
function reader(url: string, session: string, told: () => void) {
  const live = connect({ url, token, random: () => Math.random() / 4 }).live();
  cleaning.push(() => live.close());
  const facts: Entry[] = [];
  const over = (async () => {
    for await (const event of live.follow(session)) {
      if (!("seq" in event)) continue;
      facts.push(event);
      told();
      if (event.type === "turn-end" && event.turn === 2) return;
    }
  })();
  return { session, live, facts, over };
}

const send = (text: string, id: string): Command => ({
  type: "send",
  content: [{ type: "text", text }],
  when: "next",
  id,
});

test("after repeated kills of the gateway 200 clients have every fact once, in order, and no message is lost", async () => {
  const gateway = new Gateway(await realpath(await mkdtemp(join(tmpdir(), "toolwright-kill-"))));
  cleaning.push(() => rm(gateway.root, { recursive: true, force: true }));
  cleaning.push(() => gateway.kill());
  await gateway.start();
  const client = connect({ url: gateway.url, token });
  const ids = await Promise.all(
    Array.from({ length: sessions }, async (_, at) => (await client.create({ title: `Session ${at}` })).id),
  );

  let told = 0;
  let wake = (): unknown => undefined;
  const heard = (): void => {
    told += 1;
    wake();
  };
  const until = (count: number): Promise<void> =>
    new Promise((resolve) => {
      wake = () => told >= count && resolve();
      wake();
    });
  const readers = ids.flatMap((id) =>
    Array.from({ length: readersEach }, () => reader(gateway.url, id, heard)),
  );
  expect(readers).toHaveLength(200);
  const firstOf = (id: string) => readers.find(({ session }) => session === id);
  const again = new Set<string>([clientCodes.outcomeUnknown, clientCodes.notSent]);
  /** A message with an id may be sent again and again: on a busy machine a gateway may take long to come back. */
  const sayTo = async (id: string, text: string): Promise<CommandOutcome | undefined> => {
    try {
      return await firstOf(id)?.live.command(id, send(text, `${text} of ${id}`));
    } catch (error) {
      if (error instanceof GatewayError && again.has(error.code)) return sayTo(id, text);
      throw error;
    }
  };
  const say = (text: string) => Promise.all(ids.map((id) => sayTo(id, text)));

  expect(new Set((await say("first")).map((outcome) => outcome?.ok))).toEqual(new Set([true]));
  const second: Promise<unknown>[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    await until(told + sessions * readersEach * 4);
    // The outcome of this message is unknown when the gateway dies, so the client sends it again.
    if (kill === 0) second.push(say("second"));
    await gateway.kill();
    await gateway.start();
    await Promise.all(ids.map((id) => client.command(id, { type: "go-on" })));
  }
  if (kills === 0) second.push(say("second"));
  const outcomes = (await Promise.all(second)).flat();
  expect(outcomes).toEqual(ids.map(() => ({ ok: true })));
  await Promise.all(ids.map((id) => client.command(id, { type: "go-on" })));
  await Promise.all(readers.map(({ over }) => over));

  for (const { session, facts } of readers) {
    expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_, at) => at + 1));
    const messages = facts.flatMap((fact) =>
      fact.type === "user-message" ? [fact.id ?? fact.queued ?? ""] : [],
    );
    expect(messages).toEqual([`first of ${session}`, `second of ${session}`]);
  }
  for (const id of ids) {
    const same = readers.filter(({ session }) => session === id).map(({ facts }) => facts);
    for (const facts of same) expect(facts).toEqual(same[0]);
    const stored: Entry[] = [];
    for (let more = true; more;) {
      const page = await client.facts(id, { after: stored.length, limit: 1_000 });
      stored.push(...page.facts);
      more = page.more;
    }
    expect(stored.slice(0, same[0]?.length)).toEqual(same[0]);
    expect(stored.reduce(step, emptyState()).status).toBe("idle");
  }
});
