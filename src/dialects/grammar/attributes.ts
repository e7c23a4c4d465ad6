/** Attributes of tags: `<param name="path" value="a.md"/>`, `<edit path="a.md">`. */

import { withoutEntities } from "../../base/html-entities.ts";
import type { Repair } from "../../protocol/messages.ts";
import { blank, inOrder, mark, oneOf, takeStep } from "../reading/ahead.ts";
import {
  ahead,
  marksOf,
  takeMark,
  takeSpace,
  takeUntil,
  takeWhile,
  type BlockReader,
  type StreamReading,
} from "../reading/reader.ts";
import type { ParameterOpening } from "./xml-form.ts";

/** The value of an attribute in a whole tag. */
export function attribute(tag: string, name: string): string | undefined {
  const found = new RegExp(`\\b${name}=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`).exec(tag);
  return found?.[1] ?? found?.[2] ?? found?.[3];
}

/** A parameter whose tag closes itself: its value is an attribute, too. */
export function closedParameter(tag: string): ParameterOpening | undefined {
  if (!/\/\s*>$/.test(tag)) return undefined;
  const key = attribute(tag, "name");
  if (key === undefined) return undefined;
  const value = attribute(tag, "value");
  return value === undefined ? { key, closed: {} } : { key, closed: asWritten(value) };
}

/** What an attribute says, with its entities as characters: nobody can tell if they were meant as such. */
function asWritten(text: string): { value: string; repair?: Repair } {
  const value = withoutEntities(text);
  return value === text ? { value } : { value, repair: entities };
}

const entities: Repair = {
  code: "entities",
  detail: "Entities in an attribute were read as characters.",
  guess: true,
};

/** A tag behind its name. `isClosed`: it closes itself. */
type TagHead = { given: readonly ParameterOpening[]; isClosed: boolean };

/** Reads the rest of a tag behind its name; undefined if it is no tag, or the answer ended in it. */
export function* readTagHead(reader: BlockReader): StreamReading<TagHead | undefined> {
  const given: ParameterOpening[] = [];
  for (;;) {
    yield* takeSpace(reader);
    if (yield* takeMark(reader, "/>")) return { given, isClosed: true };
    if (yield* takeMark(reader, ">")) return { given, isClosed: false };
    const key = yield* takeWhile(reader, attributeCharacter);
    if (key === "" || !(yield* takeStep(reader, inOrder(blank, mark("="), blank)))) return undefined;
    const quote = yield* ahead(reader, 1);
    if (!(yield* takeStep(reader, oneOf('"', "'")))) return undefined;
    const pieces: string[] = [];
    const { mark: end } = yield* takeUntil(reader, marksOf([quote]), (piece) => pieces.push(piece));
    if (end === undefined) return undefined;
    reader.input.take(end.length);
    given.push({ key, closed: asWritten(pieces.join("")) });
    if (!/^(?:[\s/>]|$)/.test(yield* ahead(reader, 1))) return undefined;
  }
}

const attributeCharacter = /[^\s=<>"'/]/;
