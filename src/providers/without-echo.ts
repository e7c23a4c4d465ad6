/** Drops text that only repeats the reasoning (A9): some servers copy the thought into the text. */

import type { ModelEvent } from "../protocol/model-events.ts";
import type { Model } from "./provider.ts";
import { wrapModel } from "./wrapped-model.ts";

export const withoutEcho = (model: Model): Model =>
  wrapModel(model, { ask: (...asked) => dropEcho(model.ask(...asked)) });

/** Shorter texts may well be repeated on purpose. */
const leastEcho = 20;

/**
 * Holds text back while it matches the beginning of the reasoning. If the text continues beyond it, the copy is
 * dropped; if it ends there, it is dropped before a call, and sent if it would be the answer's only text.
 */
function dropEcho(events: AsyncIterable<ModelEvent>): AsyncIterable<ModelEvent> {
  const inner = events[Symbol.asyncIterator]();
  const watch: EchoWatch = { reasoning: "", thought: "", at: 0, held: "", isOver: false };
  const watched = watching(inner, watch);
  let isPassed = false;
  const nextWatched = async (): Promise<IteratorResult<ModelEvent>> => {
    const next = await watched.next();
    isPassed = next.done === true && watch.isOver;
    return isPassed ? inner.next() : next;
  };
  return {
    [Symbol.asyncIterator]: () => ({
      // Once no echo is possible any more, events skip the extra asynchronous turn.
      next: () => (isPassed ? inner.next() : nextWatched()),
      return: async () => {
        await watched.return(undefined);
        return (await inner.return?.()) ?? { done: true, value: undefined };
      },
    }),
  };
}

/** `held`: text that has only repeated the reasoning so far, `thought`, up to `at`. */
type EchoWatch = { reasoning: string; thought: string; at: number; held: string; isOver: boolean };

async function* watching(
  inner: AsyncIterator<ModelEvent>,
  watch: EchoWatch,
): AsyncGenerator<ModelEvent, undefined> {
  for (let next = await inner.next(); !next.done; next = await inner.next()) {
    for (const event of passEvent(next.value, watch)) yield event;
    if (watch.isOver) break;
  }
  return undefined;
}

function passEvent(event: ModelEvent, watch: EchoWatch): ModelEvent[] {
  switch (event.type) {
    case "answer-start":
    case "reasoning-end":
    case "usage":
    case "retrying":
    case "notice":
      return [event];
    case "reasoning-delta":
      if (watch.held !== "") return over(watch, [...textDelta(watch.held), event]);
      watch.reasoning += event.text;
      return [event];
    case "text-delta":
      return text(event.text, watch);
    case "text-was-reasoning":
    case "call-start":
    case "call-end":
    case "withheld":
      return over(watch, isEcho(watch) ? [event] : [...textDelta(watch.held), event]);
    default:
      return over(watch, [...textDelta(watch.held), event]);
  }
}

function text(more: string, watch: EchoWatch): ModelEvent[] {
  watch.held += more;
  const fresh = watch.at === 0 ? watch.held.trimStart() : more;
  if (fresh === "") return [];
  if (watch.at === 0) watch.thought = watch.reasoning.trim();
  const { thought, at } = watch;
  if (thought.length < leastEcho) return over(watch, textDelta(watch.held));
  const rest = thought.slice(at, at + fresh.length);
  if (!fresh.startsWith(rest)) return over(watch, textDelta(watch.held));
  watch.at += rest.length;
  const behind = fresh.slice(rest.length).trimStart();
  return behind === "" ? [] : over(watch, textDelta(behind));
}

const isEcho = ({ at, held }: EchoWatch): boolean => at >= leastEcho && held.trim().length >= leastEcho;

const textDelta = (words: string): ModelEvent[] =>
  words === "" ? [] : [{ type: "text-delta", text: words }];

function over(watch: EchoWatch, events: ModelEvent[]): ModelEvent[] {
  watch.isOver = true;
  return events;
}
