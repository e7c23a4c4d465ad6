/** Decides early whether unmarked JSON is meant as a call: other JSON is shown at once, not withheld to its end. */

import { argumentKeys, nameKeys } from "../../protocol/call-keys.ts";
import type { CallVerdict } from "../dialect.ts";
import {
  before,
  blank,
  either,
  fitting,
  follows,
  inOrder,
  mark,
  oneOf,
  some,
  type PatternStep,
} from "../reading/ahead.ts";
import type { ReadCall, OfferedTools } from "../reading/reader.ts";
import { callTypes, isParallel, wrapperKeys } from "./call-words.ts";
import { cutOff } from "./json-calls.ts";

/** `text` begins with the first bracket. */
export function beginsBareCall(text: string, offered: OfferedTools): CallVerdict {
  const isName = (name: string): boolean => isParallel(name) || offered.find(name) !== undefined;
  const meta = either(
    entry(
      ["type"],
      string((type) => callTypes.test(type)),
    ),
    entry(["id", "call_id", "tool_call_id", "index", "role", "content"], either(string(), some(/[\w.-]/))),
  );
  const entries: PatternStep = either(
    entry(nameKeys, string(isName)),
    entry(argumentKeys, before(/[{"']/)),
    entry(wrapperKeys, before(/[[{]/)),
    inOrder(meta, blank, mark(","), (ahead, at) => entries(ahead, at)),
  );
  const object = inOrder(mark("{"), entries);
  return follows(text, either(object, inOrder(mark("["), blank, object)));
}

const quote = oneOf('"', "'", "“", "”", "＂");

const entry = (keys: readonly string[], value: PatternStep): PatternStep =>
  inOrder(blank, either(inOrder(quote, word(keys), quote), word(keys)), blank, mark(":"), blank, value);

const word = (words: readonly string[]): PatternStep =>
  fitting(some(/\w/, 40), (written) => words.includes(written));

/** A short string that passes the test. */
const string = (test: (content: string) => boolean = () => true): PatternStep =>
  inOrder(quote, fitting(either(some(/[^"'”＂\n]/), before(/["'”＂]/)), test), quote);

/**
 * A call of an offered tool that breaks off inside its arguments: it cannot run, but is reported. Undefined if it may
 * as well be something else.
 */
export function cutCall(text: string, offered: OfferedTools): ReadCall | undefined {
  const [begun, name] = begunCall.exec(text.slice(0, 400)) ?? [];
  return begun !== undefined && name !== undefined && offered.find(name) ? cutOff(text) : undefined;
}

const keyIn = (keys: readonly string[]): string => `["'“]?(?:${keys.join("|")})["'”]?\\s*:\\s*`;
const begunCall = new RegExp(
  `${keyIn(nameKeys)}["'“]([^"'”\\n]{1,80})["'”]\\s*,\\s*${keyIn(argumentKeys)}["']?\\{(?!\\s*"type"\\s*:\\s*"object")`,
);
