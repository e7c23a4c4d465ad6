/** Splits a written word into the words it becomes: quoted parts stay together, unquoted ones are split at blanks. */

import { mostFollowedText } from "../bounds.ts";
import { type Flow, unknown, type Word } from "./word.ts";

export type Fields = {
  /** Adds text without splitting it. `isPattern`: it is an unquoted pattern. */
  add(text: string, isPattern?: boolean): void;
  /** Adds the value of an expansion, quoted or not. */
  addValue(word: Word, isQuoted: boolean): void;
  /** Adds several values: all but the first and last become separate words. */
  addValues(words: readonly Word[], isQuoted: boolean): void;
  /** Marks a quotation, which makes a word even if it is empty. */
  quote(): void;
  done(): Word[];
};

type Field = {
  text: string;
  isPattern: boolean;
  mayBeSeveral: boolean;
  carries: Set<Flow>;
  /** The word stays, even if it is empty. */
  stays: boolean;
};

const emptyField = (): Field => ({
  text: "",
  isPattern: false,
  mayBeSeveral: false,
  carries: new Set(),
  stays: false,
});

const blank = " \t\n";
const blanks = /[ \t\n]+/u;
const pattern = /[*?]|\[[^\]]+\]/u;

/** `separators`: the characters at which unquoted values are split; blanks by default. */
export function openFields(separators = blank): Fields {
  const splitting =
    separators === ""
      ? undefined
      : separators === blank
        ? blanks
        : new RegExp(`[${separators.replaceAll(/[\\\]^-]/gu, String.raw`\$&`)}]+`, "u");
  const splits = (text: string): string[] =>
    splitting?.test(text) === true ? text.split(splitting) : [text];
  const all: Field[] = [];
  let field = emptyField();
  const next = (): void => {
    if (field.text.length > mostFollowedText) field = { ...field, text: unknown, isPattern: false };
    if (field.text !== "" || field.stays) all.push(field);
    field = emptyField();
  };
  const addQuoted = ({ text, carries }: Word): void => {
    field.text += text;
    field.stays = true;
    for (const flow of carries) field.carries.add(flow);
  };
  const addSplit = (word: Word): void => {
    const pieces = splits(word.text);
    for (const [at, piece] of pieces.entries()) {
      if (at > 0) next();
      field.text += piece;
      field.isPattern ||= word.isPattern || pattern.test(piece);
      field.mayBeSeveral ||= piece.includes(unknown);
      if (piece.includes(unknown)) for (const flow of word.carries) field.carries.add(flow);
    }
  };
  const fields: Fields = {
    add(text, isPattern = false) {
      field.text += text;
      field.isPattern ||= isPattern;
    },
    addValue: (word, isQuoted) => (isQuoted ? addQuoted(word) : addSplit(word)),
    addValues(words, isQuoted) {
      for (const [at, word] of words.entries()) {
        if (at > 0) next();
        fields.addValue(word, isQuoted);
      }
    },
    quote() {
      field.stays = true;
    },
    done() {
      next();
      return all.map(({ text, isPattern, mayBeSeveral, carries }) => ({
        text,
        isPattern,
        mayBeSeveral,
        carries,
      }));
    },
  };
  return fields;
}
