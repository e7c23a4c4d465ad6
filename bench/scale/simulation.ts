/** A discrete-event simulation of sessions that take turns on shared processors. */

/** Tasks share them evenly, and none has more than `speed` of one. */
export type Processors = { cores: number; speed: number };

export type Part = "database" | "gateway" | "model" | "worker";

export type SimulatedPlace = {
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
  const clock = new Clock();
  const random = randomFrom(36_311_783);
  const around = (mean: number): number => -mean * Math.log(1 - random());
  const { parts, rounds, counted } = place;
  const stations = new Map<Processors, Station>();
  const stationOf = (on: Processors): Station => {
    const station = stations.get(on) ?? new Station(clock, on);
    stations.set(on, station);
    return station;
  };
  const serve = (part: Part, then: () => void): void =>
    stationOf(parts[part].on).serve(parts[part].roundMs, then);
  const rest = (ms: number, station: Station): void => {
    station.serve((ms * place.pollMs) / 1_000, () => undefined);
    clock.after(place.pollMs, () => rest(ms, station));
  };
  for (const { restMs, on } of Object.values(parts)) rest(restMs, stationOf(on));
  const turnMs: number[] = [];
  const work = { made: 0, sessions: 0, ms: 0, seen: 0 };
  const change = (sessions: number): void => {
    work.ms += work.sessions * (clock.now - work.seen);
    work.seen = clock.now;
    work.sessions += sessions;
  };

  const turn = (): void => {
    change(1);
    const begun = clock.now;
    let away = 0;
    const round = (left: number): void => {
      if (left === 0) {
        change(-1);
        turnMs.push(clock.now - begun - away);
        return clock.after(around(place.thinkMs), turn);
      }
      const waits = around(place.awayMs);
      away += waits;
      const answered = (): void => {
        work.made += 1;
        serve("gateway", () => undefined); // nothing waits for what is shown
        round(left - 1);
      };
      const asked = (): void => serve("worker", () => serve("database", answered));
      clock.after(waits, () => serve("model", asked));
    };
    clock.after(random() * place.pollMs, () => round(rounds));
  };
  for (let session = 0; session < place.sessions; session += 1) clock.after(around(place.thinkMs), turn);
  clock.runUntil(counted.after);
  change(0);
  work.made = work.ms = turnMs.length = 0;
  const before = new Map([...stations].map(([on, { servedMs }]) => [on, servedMs]));
  clock.runUntil(counted.after + counted.during);
  change(0);
  const busyOf = (on: Processors, servedMs: number): number =>
    (servedMs - (before.get(on) ?? 0)) / counted.during;
  return {
    roundsPerSecond: (1_000 * work.made) / counted.during,
    turnMs,
    busy: new Map([...stations].map(([on, { servedMs }]) => [on, busyOf(on, servedMs)])),
    atWork: work.ms / counted.during,
  };
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
