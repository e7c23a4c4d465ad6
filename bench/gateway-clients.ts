/**
 * The clients of a gateway in a separate process: takes the task as one JSON argument, prints the results as one line.
 */

import { once } from "node:events";
import { connect } from "../src/client.ts";
import { quantile } from "./figures.ts";
import { agesOf, now } from "./gateway-clock.ts";

/**
 * `each`: sessions per connection. `speaking`: how many of them get a message when a line arrives on standard input.
 */
export type Task = { url: string; token: string; ids: string[]; each: number; speaking: number };
/** `ages`: of the words on arrival, in milliseconds: p50, p99 and maximum. */
export type Seen = { ages: number[]; words: number; facts: number; lost: number; repeated: number };

const task: Task = JSON.parse(process.argv[2] ?? "{}");
const ages: number[] = [];
const seen: Seen = { ages: [], words: 0, facts: 0, lost: 0, repeated: 0 };
const client = connect({ url: task.url, token: task.token });
const lives = Array.from({ length: Math.ceil(task.ids.length / task.each) }, () => client.live());
const liveOf = (at: number) => lives[Math.floor(at / task.each)] ?? client.live();
for (const live of lives) for await (const { type } of live.states()) if (type === "open") break;

const begun = task.ids.map(() => Promise.withResolvers<void>());
const over = task.ids.map((id, at) => follow(id, at));
await Promise.all(begun.map(({ promise }) => promise));
process.stdout.write("ready\n");
await once(process.stdin, "data");
for (const [at, id] of task.ids.slice(0, task.speaking).entries()) {
  const content = [{ type: "text" as const, text: "Speak." }];
  const outcome = await liveOf(at).command(id, { type: "send", content });
  if (!outcome.ok) throw new Error(outcome.problem);
}
await Promise.all(over.slice(0, task.speaking));
seen.words = ages.length;
seen.ages = [0.5, 0.99, 1].map((part) => quantile(ages, part));
process.stdout.write(`${JSON.stringify(seen)}\n`, () => process.exit(0));

async function follow(id: string, at: number): Promise<void> {
  let seq = 0;
  for await (const event of liveOf(at).follow(id)) {
    const came = now();
    if (event.type === "text-delta") {
      ages.push(...agesOf(event.text, came));
    }
    if (!("seq" in event)) continue;
    begun[at]?.resolve();
    seen.facts += 1;
    if (event.seq <= seq) seen.repeated += 1;
    if (event.seq > seq + 1) seen.lost += event.seq - seq - 1;
    seq = event.seq;
    if (event.type === "turn-end") return;
  }
}
