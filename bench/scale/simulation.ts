/** A discrete-event simulation of sessions that take turns on shared processors. */

/** Tasks share them evenly, and none has more than `speed` of one. */
export type Processors = { cores: number; speed: number };

export type Part = "database" | "gateway" | "model" | "worker";

type SimulatedPlace = {
  sessions: number;
  /** From the end of a turn to the next request of the same session, on average; 0 for at once. */
  thinkMs: number;
  /** Answers of the model in a turn. */
  rounds: number;
  /** What a round takes in the model and its tools, on average. */
  awayMs: number;
  /** How often a worker looks into its queue. */
  pollMs: number;
  /** What a round, and a second without any, costs each part in milliseconds of a processor; whose it uses. */
  parts: Readonly<Record<Part, { roundMs: number; restMs: number; on: Processors }>>;
  /** What is counted: after the first milliseconds, for the second. */
  counted: { after: number; during: number };
};

export type SimulatedFigures = {
  roundsPerSecond: number;
  /** Of each turn, without the time in the model and its tools. */
  turnMs: readonly number[];
  /** Processors that were busy, on average. */
  busy: ReadonlyMap<Processors, number>;
  /** Sessions with a turn, on average. */
  atWork: number;
};

export function simulate(place: SimulatedPlace): SimulatedFigures {
  const { after, during } = place.counted;
  const team = new Team(place);
  team.runUntil(after);
  const before = team.busyMs();
  team.forget();
  team.runUntil(after + during);
  const busy = team.busyMs().map(([on, ms], at) => [on, (ms - (before[at]?.[1] ?? 0)) / during] as const);
  const { made, workMs, turnMs } = team;
  return {
    roundsPerSecond: (1_000 * made) / during,
    turnMs,
    busy: new Map(busy),
    atWork: workMs / during,
  };
}

class Team {
  made = 0;
  workMs = 0;
  turnMs: number[] = [];
  readonly #place: SimulatedPlace;
  readonly #clock = new Clock();
  readonly #stations: ReadonlyMap<Processors, Station>;
  readonly #random = randomFrom(36_311_783);
  #working = 0;
  #seen = 0;

  constructor(place: SimulatedPlace) {
    this.#place = place;
    const parts = Object.values(place.parts);
    this.#stations = new Map(parts.map(({ on }) => [on, new Station(this.#clock, on)]));
    for (const { restMs, on } of parts) this.#rest((restMs * place.pollMs) / 1_000, on);
    for (let session = 0; session < place.sessions; session += 1) this.#think();
  }

  runUntil(end: number): void {
    this.#clock.runUntil(end);
    this.#change(0);
  }

  /** What was counted so far. */
  forget(): void {
    this.made = this.workMs = this.turnMs.length = 0;
  }

  busyMs(): (readonly [Processors, number])[] {
    return [...this.#stations].map(([on, { servedMs }]) => [on, servedMs] as const);
  }

  #rest(ms: number, on: Processors): void {
    this.#stations.get(on)?.serve(ms, () => undefined);
    this.#clock.after(this.#place.pollMs, () => this.#rest(ms, on));
  }

  #think(): void {
    this.#clock.after(this.#around(this.#place.thinkMs), () => this.#turn());
  }

  #turn(): void {
    this.#change(1);
    const begun = this.#clock.now;
    let away = 0;
    const round = (left: number): void => {
      if (left === 0) return this.#end(this.#clock.now - begun - away);
      const waits = this.#around(this.#place.awayMs);
      away += waits;
      this.#clock.after(waits, () => this.#round(() => round(left - 1)));
    };
    this.#clock.after(this.#random() * this.#place.pollMs, () => round(this.#place.rounds));
  }

  #round(then: () => void): void {
    const answered = (): void => {
      this.made += 1;
      this.#serve("gateway", () => undefined); // nothing waits for what is shown
      then();
    };
    this.#serve("model", () => this.#serve("worker", () => this.#serve("database", answered)));
  }

  #end(ownMs: number): void {
    this.#change(-1);
    this.turnMs.push(ownMs);
    this.#think();
  }

  #serve(part: Part, then: () => void): void {
    const { on, roundMs } = this.#place.parts[part];
    this.#stations.get(on)?.serve(roundMs, then);
  }

  #change(working: number): void {
    this.workMs += this.#working * (this.#clock.now - this.#seen);
    this.#seen = this.#clock.now;
    this.#working += working;
  }

  /** Exponential: like the times between what many people do. */
  #around(mean: number): number {
    return -mean * Math.log(1 - this.#random());
  }
}

/** What is due, the earliest first. */
class Clock {
  now = 0;
  readonly #due = new Heap<() => void>();

  after(ms: number, run: () => void): void {
    this.#due.add(this.now + ms, run);
  }

  runUntil(end: number): void {
    while ((this.#due.least() ?? end) < end) {
      const next = this.#due.take();
      this.now = next?.at ?? end;
      next?.value();
    }
    this.now = end;
  }
}

/** Shares its processors: `#attained` is what each task that has been here all the time would have got. */
class Station {
  servedMs = 0;
  readonly #clock: Clock;
  readonly #on: Processors;
  readonly #tasks = new Heap<() => void>();
  #attained = 0;
  #seen = 0;
  #plan = 0;

  constructor(clock: Clock, on: Processors) {
    this.#clock = clock;
    this.#on = on;
  }

  serve(costMs: number, then: () => void): void {
    this.#catchUp();
    this.#tasks.add(this.#attained + costMs, then);
    this.#planNext();
  }

  #rate(): number {
    return Math.min(this.#on.speed, this.#on.cores / this.#tasks.size);
  }

  #catchUp(): void {
    const passed = this.#clock.now - this.#seen;
    this.#seen = this.#clock.now;
    if (this.#tasks.size === 0) return;
    this.#attained += passed * this.#rate();
    this.servedMs += passed * this.#rate() * this.#tasks.size;
  }

  #planNext(): void {
    const next = this.#tasks.least();
    if (next === undefined) return;
    const plan = (this.#plan += 1);
    this.#clock.after(Math.max(0, next - this.#attained) / this.#rate(), () => {
      if (plan === this.#plan) this.#finish(next);
    });
  }

  #finish(due: number): void {
    this.#catchUp();
    this.#attained = Math.max(this.#attained, due);
    const task = this.#tasks.take();
    this.#planNext();
    task?.value();
  }
}

type Entry<Value> = { at: number; value: Value };

/** A binary heap. */
class Heap<Value> {
  readonly #entries: Entry<Value>[] = [];

  get size(): number {
    return this.#entries.length;
  }

  least(): number | undefined {
    return this.#entries[0]?.at;
  }

  add(at: number, value: Value): void {
    const all = this.#entries;
    const entry = { at, value };
    let place = all.push(entry) - 1;
    for (let above = (place - 1) >> 1; place > 0; above = (place - 1) >> 1) {
      const parent = all[above];
      if (!parent || parent.at <= at) break;
      all[place] = parent;
      place = above;
    }
    all[place] = entry;
  }

  take(): Entry<Value> | undefined {
    const all = this.#entries;
    const [first] = all;
    const last = all.pop();
    if (!last || !first || all.length === 0) return first;
    let place = 0;
    for (;;) {
      const left = 2 * place + 1;
      const [one, other] = [all[left], all[left + 1]];
      if (!one) break;
      const isRight = other !== undefined && other.at < one.at;
      const child = isRight ? other : one;
      if (child.at >= last.at) break;
      all[place] = child;
      place = isRight ? left + 1 : left;
    }
    all[place] = last;
    return first;
  }
}

/** The same numbers in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
