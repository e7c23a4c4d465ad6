/** Estimates the likely and the maximum number of tokens in a text that no provider has counted yet. */

import { estimateTokenCount } from "tokenx";
import { byteLength } from "../../base/text.ts";
import type { AssistantPart, Message, ContentPart, ToolDescription } from "../../protocol/messages.ts";

/**
 * `likely`: within a few percent for prose and code. `most`: no tokenizer makes more tokens than there are UTF-8 bytes.
 */
type Size = { likely: number; most: number };

/** Tokens that formats add around each message, call and result. */
const frame: Size = { likely: 5, most: 48 };
/** Providers count a picture by its pixels: from below a hundred to a few thousand tokens. */
const picture: Size = { likely: 1_500, most: 6_000 };
/** Text inside JSON gains backslashes; tools also gain line breaks and indentation. */
const mostInJson = 2;

/** Messages never change, so each is measured once, and only when needed. */
const likely = new WeakMap<object, number>();
const most = new WeakMap<object, number>();

function once(known: WeakMap<object, number>, key: object, make: () => number): number {
  const before = known.get(key);
  if (before !== undefined) return before;
  const made = make();
  known.set(key, made);
  return made;
}

export const likelyTokens = (message: Message): number =>
  once(likely, message, () => sumOf(message, "likely", estimateText));

export const mostTokens = (message: Message): number =>
  once(most, message, () => sumOf(message, "most", byteLength));

/** Cached by the schema, which is the same object from prompt to prompt. */
export const likelyOfTool = (tool: ToolDescription): number =>
  once(likely, tool.schema, () => estimateText(toolText(tool)) + frame.likely);

export const mostOfTool = (tool: ToolDescription): number =>
  once(most, tool.schema, () => mostInJson * byteLength(toolText(tool)) + frame.most);

const toolText = ({ name, description, schema }: ToolDescription): string =>
  JSON.stringify({ name, description, schema });

function sumOf(message: Message, which: keyof Size, measure: (text: string) => number): number {
  const ofPart = (part: ContentPart | AssistantPart): number => {
    switch (part.type) {
      case "text":
      case "reasoning":
        return measure(part.text);
      case "image":
        return picture[which];
      case "call": {
        const { name, id, input, rawArguments = "" } = part.call;
        const inJson = measure(JSON.stringify(input) + rawArguments);
        return measure(name + id) + frame[which] + (which === "most" ? mostInJson * inJson : inJson);
      }
      default:
        return part satisfies never;
    }
  };
  return message.content.reduce((sum, part) => sum + ofPart(part), frame[which]);
}

/** Of a longer text only samples are measured. */
const longestWhole = 40_000;
const pieces = 20;

/** Zero for an empty text. */
export function estimateText(text: string): number {
  if (text.length <= longestWhole) return estimateWhole(text);
  const size = longestWhole / pieces;
  let sum = 0;
  for (let piece = 0; piece < pieces; piece += 1) {
    const from = Math.floor((piece * (text.length - size)) / (pieces - 1));
    sum += estimateWhole(text.slice(from, from + size));
  }
  return Math.ceil((sum * text.length) / longestWhole);
}

/** tokenx handles words; keys, hashes and Base64 are not words, and scripts other than Latin take more tokens. */
function estimateWhole(text: string): number {
  let runs = 0;
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{32,}/gu)) if (isNoWord(run)) runs += run.length;
  const asWords = estimateTokenCount(text);
  const others = byteLength(text) - text.length;
  return Math.max(asWords + Math.ceil(runs / 3), Math.ceil(others / 3 + (text.length - others / 2) / 8));
}

/** A path has separators, a name one case or a few capitals; encoded data has digits among its letters. */
const isNoWord = (run: string): boolean => (run.match(/[A-Za-z][0-9]/gu) ?? []).length * 12 > run.length;
