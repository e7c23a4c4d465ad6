/** Meanings of calls in PHP. */

import { danger } from "../effect-makers.ts";
import { getsEnvironment, joinsTexts, loadsCode } from "./common.ts";
import type { Grammar } from "./grammar.ts";
import {
  allOf,
  always,
  argument,
  callsByName,
  copies,
  dangerous,
  decodes,
  evaluates,
  fetches,
  globs,
  type Meaning,
  meanings,
  moves,
  notes,
  notesRead,
  opens,
  permits,
  posts,
  readsFile,
  removes,
  sameArgument,
  shell,
  startsEach,
  writes,
} from "./meaning.ts";
import { tell } from "./notes.ts";
import { lexes } from "./token.ts";
import { carrying, nothing, wordsOf } from "./value.ts";

/** Reads a URL, standard input, or a file. */
const getsContents: Meaning = (call) => {
  const path = argument(call, 0) ?? nothing;
  const text = path.text?.text ?? "";
  if (/^(?:https?|ftp):\/\//iu.test(text)) return fetches()(call);
  if (text === "php://stdin") return carrying("input");
  notesRead(call, wordsOf(path));
  return nothing;
};

/** `array_map("system", $lines)`: calls a function named by text, with arguments that are unknown. */
const takesFunction =
  (at: number): Meaning =>
  (call) => {
    const text = argument(call, at)?.text;
    if (text) call.invoke(text.text, call.given.filter((_, index) => index !== at).slice(0, 1));
    return nothing;
  };

/** With the `e` flag the replacement is code. */
const replacesPattern: Meaning = (call) => {
  const pattern = argument(call, 0)?.text?.text ?? "";
  const flags = /[^\w\s\\]([a-z]*)$/iu.exec(pattern)?.[1] ?? "";
  if (flags.includes("e")) tell(call.notes, danger("high", "what it replaces text with is run as code"));
  return nothing;
};

export const php: Grammar = {
  language: "php",
  lexis: lexes.php,
  joins: ["."],
  members: ["->", "::"],
  bareCalls: true,
  environment: ["$_ENV", "$_SERVER"],
  namespaces: [],
  startingModules: [],
  transparent: [],
  meanings: meanings({
    "system exec shell_exec passthru popen proc_open expect_popen": shell(),
    pcntl_exec: startsEach(),
    pcntl_fork: notes("forks"),
    posix_kill: dangerous("its code stops processes"),
    "dl FFI.cdef FFI.load": dangerous("its code calls into machine code"),
    "posix_setuid posix_setgid": dangerous("its code changes its own rights"),

    "unlink rmdir": removes(0),
    "rename move_uploaded_file": moves,
    "copy link symlink": allOf(getsContents, copies),
    file_put_contents: writes(0, "replaces", 1),
    "mkdir touch": writes(0, "creates"),
    "fopen gzopen SplFileObject": opens(),
    "file_get_contents file readfile show_source highlight_file parse_ini_file simplexml_load_file":
      getsContents,
    "scandir opendir": readsFile(0),
    chmod: permits(0, 1),
    "chown chgrp": permits(0, undefined),
    glob: globs,

    "fsockopen pfsockopen stream_socket_client socket_create": notes("socket", carrying("network")),
    curl_init: allOf(notes("posts"), fetches()),
    curl_exec: notes("fetches", carrying("network")),
    curl_setopt: fetchesWithOption,
    mail: posts,

    "eval assert": evaluates(),
    create_function: evaluates(1),
    "include include_once require require_once": loadsCode,
    "call_user_func call_user_func_array forward_static_call ReflectionFunction": callsByName,
    "array_map register_shutdown_function": takesFunction(0),
    "array_walk array_filter usort uasort uksort preg_replace_callback": takesFunction(1),
    "preg_replace mb_ereg_replace": replacesPattern,
    unserialize: decodes,

    "base64_decode gzinflate gzuncompress gzdecode str_rot13 strrev hex2bin convert_uudecode urldecode rawurldecode chr pack html_entity_decode":
      decodes,
    "implode join": (call) =>
      joinsTexts({ ...call, receiver: argument(call, 0) ?? nothing, given: call.given.slice(1) }),
    "trim strtolower rtrim ltrim strval realpath": sameArgument,
    getenv: getsEnvironment,
    getcwd: always(nothing),
    "stream_get_contents fgets fread readline": always(carrying("input")),
  }),
};

/** `curl_setopt($c, CURLOPT_URL, "…")`; form fields are sent. */
function fetchesWithOption(call: Parameters<Meaning>[0]) {
  const value = argument(call, 2);
  const name = argument(call, 1)?.path ?? "";
  if (name === "CURLOPT_URL" && value) return fetches()({ ...call, given: [{ name: "", value }] });
  if (name === "CURLOPT_POSTFIELDS" && value)
    return posts({
      ...call,
      given: [
        { name: "", value: nothing },
        { name: "", value },
      ],
    });
  return nothing;
}
