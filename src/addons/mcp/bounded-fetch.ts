/** `fetch` for servers that are reached by HTTP: no message of theirs is larger than we would read. */

import { setTimeout as sleep } from "node:timers/promises";
import { bounds } from "../../base/bounds.ts";
import { FloodGate } from "./flood.ts";

const largest = bounds.servers.message.most;

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** `floods`: of a stream of events some were passed over. */
type FetchRoom = { fetchIt?: Fetch; floods?: () => void };

/**
 * An answer whose body goes on beyond the bound ends with an error; of a stream of events each event counts by itself,
 * and of too many in a second only those are read that answer something.
 */
export function boundedFetch({ fetchIt = fetch, floods }: FetchRoom = {}): Fetch {
  return async (url, init) => {
    const response = await fetchIt(url, init);
    const { body, headers } = response;
    if (!body) return response;
    const isEvents = (headers.get("content-type") ?? "").includes("text/event-stream");
    const counted = body.pipeThrough(isEvents ? sifting(floods) : counting());
    const { status, statusText } = response;
    const bounded = new Response(counted, { status, statusText, headers });
    // Redirects are judged by where an answer came from, which a new one does not know.
    Object.defineProperties(bounded, {
      url: { value: response.url },
      redirected: { value: response.redirected },
    });
    return bounded;
  };
}

type Through = TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>;

const tooLarge = (): Error => new Error(`it sent more than ${largest / 1024 / 1024} MiB at once`);

function counting(): Through {
  let size = 0;
  return new TransformStream({
    transform(bytes, controller) {
      size += bytes.length;
      if (size > largest) controller.error(tooLarge());
      else controller.enqueue(bytes);
    },
  });
}

function sifting(floods: FetchRoom["floods"]): Through {
  const events = new EventCutter();
  const gate = new FloodGate();
  let second = performance.now();
  return new TransformStream({
    async transform(bytes, controller) {
      if (performance.now() - second > 1_000) {
        gate.reset();
        second = performance.now();
      }
      for (const event of events.cut(bytes)) if (gate.lets(event, anyId)) controller.enqueue(event);
      if (events.size > largest) return controller.error(tooLarge());
      if (gate.isFlood) floods?.();
      const rest = 1_000 - (performance.now() - second);
      if (gate.isTooMuch && rest > 0) await sleep(rest, undefined, { ref: false });
    },
  });
}

/** What was asked over other connections may be answered here. */
const anyId = { has: () => true };

/** Events of a stream, each with the empty line that ends it. */
class EventCutter {
  #pieces: Uint8Array[] = [];
  /** Of the event that is not over. */
  size = 0;
  /** Of its last line. */
  #line = 0;

  *cut(bytes: Uint8Array): Generator<Buffer<ArrayBuffer>> {
    let start = 0;
    let at = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, at)) {
      this.#line += lengthOf(bytes.subarray(at, end));
      at = end + 1;
      if (this.#line > 0) this.#line = 0;
      else {
        this.#pieces.push(bytes.subarray(start, at));
        yield Buffer.concat(this.#pieces);
        [this.#pieces, this.size, start] = [[], 0, at];
      }
    }
    this.#line += lengthOf(bytes.subarray(at));
    if (start === bytes.length) return;
    this.#pieces.push(bytes.subarray(start));
    this.size += bytes.length - start;
  }
}

const lengthOf = (line: Uint8Array): number =>
  line.at(-1) === carriageReturn ? line.length - 1 : line.length;

const [newline, carriageReturn] = [10, 13];
