/** Keeps known values out of what is stored and shown: in texts, in data, and over the pieces of a stream. */

import { isObject } from "./json.ts";
import { formsOf } from "./redact.ts";

/** Stands where a value was. A call that repeats it is refused, so that it never ends up in a file. */
export const keptOutMark = ["[key withheld", "by Toolwright]"].join(" ");

export type KeepOut = {
  text(text: string): string;
  /** The same value if it holds none. */
  data<T>(value: T): T;
  /** How much of the text's end may be the beginning of a value. */
  begun(text: string): number;
};

/** Undefined if there is nothing to keep out. */
export function keepOut(values: Iterable<string>): KeepOut | undefined {
  const forms = [
    ...new Set([...values].flatMap((value) => [...formsOf(value), ...insideBase64(value)])),
  ].toSorted((one, other) => other.length - one.length);
  if (forms.length === 0) return undefined;
  const text = (given: string): string =>
    forms.reduce((rest, form) => (rest.includes(form) ? rest.replaceAll(form, keptOutMark) : rest), given);
  return {
    text,
    // Only a string can hold one, and a picture's data cannot.
    data: (value) => replaceTexts(value, text),
    begun(given) {
      const longest = Math.min(given.length, (forms[0]?.length ?? 1) - 1);
      for (let length = longest; length > 0; length -= 1) {
        const end = given.slice(-length);
        if (forms.some((form) => form.length > length && form.startsWith(end))) return length;
      }
      return 0;
    },
  };
}

function replaceTexts<T>(value: T, text: (given: string) => string): T;
function replaceTexts(value: unknown, text: (given: string) => string): unknown {
  if (typeof value === "string") return text(value);
  if (Array.isArray(value)) {
    const all = value.map((one: unknown) => replaceTexts(one, text));
    return all.some((one, at) => one !== value[at]) ? all : value;
  }
  if (!isObject(value) || value["type"] === "image") return value;
  let isChanged = false;
  const members = Object.entries(value).map(([name, one]): [string, unknown] => {
    const [key, inner] = [text(name), replaceTexts(one, text)];
    isChanged ||= key !== name || inner !== one;
    return [key, inner];
  });
  return isChanged ? Object.fromEntries(members) : value;
}

/** What base64 of any text around the value holds of it, for each way that three bytes can fall. */
function insideBase64(value: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)]);
    const inner = bytes
      .toString("base64")
      .slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
    const form = inner.replaceAll("=", "");
    return form.length < 10 ? [] : [form, form.replaceAll("+", "-").replaceAll("/", "_")];
  });
}
