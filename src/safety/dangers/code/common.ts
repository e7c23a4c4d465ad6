/** Meanings of calls that several languages share. */

import { danger } from "../effect-makers.ts";
import { fromEnvironment } from "./calls.ts";
import { argument, evaluate, fetches, loadsFile, type Meaning, opens } from "./meaning.ts";
import { isPlainText, noteFlows, tell } from "./notes.ts";
import { concatenated, listOf, mixed, named, nothing, said, type Value, wordsOf, texted } from "./value.ts";

/** Imports a module by name: `require("fs")`, `__import__("os")`. A name known only at run time is dangerous. */
export const importsModule: Meaning = (call) => {
  const module = argument(call, 0) ?? nothing;
  if (module.text && isPlainText(module.text)) return named(call.importing(module.text.text));
  if (module.carries.has("network") || module.carries.has("decoded")) evaluate(call, module);
  tell(call.notes, danger("high", "which code it loads is only known when it runs"));
  return nothing;
};

/** `", ".join(words)` and `words.join(", ")`. */
export const joinsTexts: Meaning = (call) => {
  const given = argument(call, 0) ?? nothing;
  const isList = call.receiver.items !== undefined;
  const list = isList ? call.receiver : given;
  const between = (isList ? given : call.receiver).text?.text ?? (isList ? "," : "");
  return list.items ? concatenated(wordsOf(list).map(texted), between) : mixed([call.receiver, given]);
};

/** `Path(a).joinpath(b)`. */
export const joinsReceiver: Meaning = ({ receiver, given }) =>
  concatenated([receiver, ...given.map(({ value }) => value)], "/");

/** `x.concat(y)`. */
export const concatenates: Meaning = ({ receiver, given }) => {
  const values = [receiver, ...given.map(({ value }) => value)];
  return receiver.items
    ? listOf(values.flatMap((value) => value.items?.map((item) => item.value) ?? [value]))
    : concatenated(values);
};

/** `"rm -rf x".split(" ")`. */
export const splits: Meaning = (call) => {
  const between = argument(call, 0)?.text?.text ?? " ";
  const { text } = call.receiver;
  if (!text || !isPlainText(text)) return mixed([call.receiver]);
  const parts =
    between === ""
      ? text.text.split("")
      : text.text.split(between).filter((part) => part !== "" || between !== " ");
  return listOf(parts.map(said));
};

/** Reversed text is hidden from reviewers, but a reversed list leaves its elements readable. */
export const reverses: Meaning = ({ receiver }): Value => ({
  ...mixed([receiver]),
  carries: new Set([...receiver.carries, "decoded"]),
});

/** `getenv("X")`, `ENV.fetch("X")`. */
export const getsEnvironment: Meaning = (call) => {
  const name = argument(call, 0);
  const value = fromEnvironment(name ?? nothing);
  noteFlows(call.notes, value.carries);
  return value;
};

/** `os.__getattribute__("system")`. */
export const namedMember: Meaning = (call) => {
  const name = argument(call, 0) ?? nothing;
  if (name.text && isPlainText(name.text) && call.receiver.path !== "")
    return named(`${call.receiver.path}.${name.text.text}`);
  tell(call.notes, danger("high", "what its code calls is only known when it runs"));
  return nothing;
};

/** `Path(x).open("w")`. */
export const opensReceiver: Meaning = (call) =>
  call.receiver.text
    ? opens()({ ...call, given: [{ name: "", value: call.receiver }, ...call.given] })
    : { ...nothing, path: "open()" };

/** A common name (`get`) that means network access only if an argument is a URL. */
export const fetchesWhere: Meaning = (call) => {
  const first = argument(call, 0);
  const isAddress = /^(?:https?|ftp):\/\//u.test(first?.text?.text ?? "");
  if (!isAddress && !/LWP|HTTP|Mechanize|Net/u.test(call.path)) return mixed([call.receiver]);
  return fetches()(call);
};

/** `load "x"`, `source("x")`: runs code from a file or a URL. */
export const loadsCode: Meaning = (call) => {
  const file = argument(call, 0) ?? nothing;
  if (/^(?:https?|ftp):\/\//u.test(file.text?.text ?? "")) {
    tell(call.notes, danger("critical", "its code runs text from the network"));
    return nothing;
  }
  return loadsFile(call);
};

/** `require "./x"` loads a file; a plain name is a library. */
export const requiresFile: Meaning = (call) => {
  const module = argument(call, 0) ?? nothing;
  if (!module.text || !isPlainText(module.text)) return importsModule(call);
  call.importing(module.text.text);
  return nothing;
};
