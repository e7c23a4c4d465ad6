/** Calls whose tags hold pairs of tags, or else JSON: an object with its name, or a name, `>` and the arguments. */

import type { CallVerdict, Opener } from "../dialect.ts";
import {
  before,
  blank,
  comes,
  follows,
  inOrder,
  mark,
  maybe,
  name,
  nameAtStart,
  takeText,
  type PatternStep,
} from "../reading/ahead.ts";
import { takeMark, takeSpace, type BlockReader, type StreamReading } from "../reading/reader.ts";
import type { PairTags, PairsReading } from "./argument-pairs.ts";
import { readNamedCall } from "./named-call.ts";
import { readTaggedJson } from "./tagged-json.ts";

const object = inOrder(mark("{"), blank, before(/["'}]/));

/** What follows the opening tag of a call in JSON: an object or a list of them, or a name before the arguments. */
const forms = {
  object: inOrder(blank, maybe(inOrder(mark("["), blank)), object),
  named: inOrder(blank, name, mark(">"), blank, object),
};

/** The openers and the reader of pairs, which read such JSON, too. */
export function pairsOrJson(tags: PairTags, pairs: PairsReading, form: keyof typeof forms): PairsReading {
  const open = `<${tags.call}>`;
  const call = inOrder(mark(open), forms[form]);
  const stepOf = (opener: string): PatternStep => (opener === open ? forms[form] : inOrder(blank, call));
  return {
    ...pairs,
    openers: pairs.openers.map((opener): Opener => ({
      ...opener,
      begins: (ahead, place) => {
        const asJson = follows(ahead, stepOf(opener.mark));
        return asJson === "call" ? asJson : later(asJson, opener.begins?.(ahead, place) ?? "call");
      },
    })),
    *read(reader, opener) {
      if (!(yield* comes(reader, stepOf(opener)))) {
        yield* pairs.read(reader, opener);
        return;
      }
      if (opener === open) yield* readJson(reader, tags, form);
      else yield* takeSpace(reader);
      while (yield* comes(reader, call)) {
        yield* takeMark(reader, open);
        yield* readJson(reader, tags, form);
        yield* takeSpace(reader);
      }
      if (tags.outer) yield* takeMark(reader, tags.outer.close);
    },
  };
}

/** The verdict about two forms, of which the first is no call yet. */
const later = (one: CallVerdict, other: CallVerdict): CallVerdict => (other === "text" ? one : other);

function* readJson(reader: BlockReader, { call, outer }: PairTags, form: keyof typeof forms): StreamReading {
  const closers = [`</${call}>`, ...(outer ? [outer.close] : [])];
  const block = { closers, openers: [`<${call}>`] };
  if (form === "object") {
    yield* readTaggedJson(reader, block);
    return;
  }
  const head = yield* takeText(reader, inOrder(blank, name, mark(">")));
  yield* readNamedCall(reader, { ...block, name: nameAtStart(head) });
}
