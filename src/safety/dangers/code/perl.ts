/** Meanings of calls in Perl. */

import { isUnknown } from "../../command-line/word.ts";
import { loads } from "../effect-makers.ts";
import { namesIn } from "../listed.ts";
import { fetchesWhere, joinsTexts, reverses } from "./common.ts";
import type { Grammar } from "./grammar.ts";
import {
  allOf,
  always,
  argument,
  type Call,
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
  readsFile,
  removes,
  runsShell,
  sameArgument,
  shell,
  startsEach,
  writes,
} from "./meaning.ts";
import { tell } from "./notes.ts";
import { lexes } from "./token.ts";
import { carrying, nothing, texted, type Value } from "./value.ts";

/** `eval "text"` runs text; `eval { … }` only catches errors. */
const evals: Meaning = (call) => (call.given.length === 0 ? nothing : evaluates()(call));

/** `open(F, ">file")`, `open(F, ">", "file")`, `open(F, "command |")`. */
const opensPerl: Meaning = (call) => {
  const mode = argument(call, 1);
  const path = argument(call, 2);
  if (!mode) return nothing;
  if (!path) return opensTwo(call, mode);
  const how = mode.text?.text ?? "";
  if (how.includes("|") || !mode.text) return startsEach(2)(call);
  if (how.includes("&")) return notes("streams")(call);
  if (/[>+]/u.test(how)) return writes(2, how.includes(">>") ? "appends" : "replaces")(call);
  notesRead(call, path.text ? [path.text] : []);
  return nothing;
};

function opensTwo(call: Call, { text, carries }: Value): Value | undefined {
  const all = text?.text.trim() ?? "";
  const at = (cut: string): Value => (text ? texted({ ...text, text: cut.trim() }) : { ...nothing, carries });
  if (/^[+<>]*&/u.test(all)) return notes("streams")(call);
  if (all.startsWith("|") || all.endsWith("|")) {
    runsShell(call.notes, at(all.replaceAll(/^\||\|$/gu, "")));
    return carrying("random");
  }
  const given = [{ name: "", value: at(all.replace(/^\+?[<>]+/u, "")) }];
  if (/^(?:>|\+<)/u.test(all))
    return writes(0, all.startsWith(">>") ? "appends" : "replaces")({ ...call, given });
  // An unknown name may start with anything, including the syntax that opens a command.
  if (text && isUnknown(text) && all.startsWith("\0"))
    return dangerous("what its code opens is only known when it runs")(call);
  return readsFile(0)({ ...call, given });
}

/** `require "x.pl"` loads a file; modules by name are installed. */
const requires: Meaning = (call) => {
  const text = argument(call, 0)?.text;
  if (text && /[./]/u.test(text.text) && !/^v?[\d.]+$/u.test(text.text))
    tell(call.notes, loads(text, "perl"));
  return nothing;
};

/** The mode comes first: `chmod 0755, @files`. */
const permitsAfter =
  (skip: number): Meaning =>
  (call) => {
    const [mode, ...paths] = [call.given[0], ...call.given.slice(skip)];
    for (const path of paths)
      permits(1, skip === 1 ? 0 : undefined)({ ...call, given: mode ? [mode, path] : [] });
    return nothing;
  };

export const perl: Grammar = {
  language: "perl",
  lexis: lexes.perl,
  joins: ["."],
  members: ["->", "::"],
  bareCalls: true,
  environment: ["$ENV", "%ENV"],
  namespaces: ["main", "CORE", "CORE.GLOBAL"],
  startingModules: ["IPC.Open3", "IPC.Open2", "IPC.Run", "IPC.Cmd", "Inline.C"],
  transparent: namesIn(
    `CORE.GLOBAL. CORE. main. POSIX. MIME.Base64. File.Path. File.Copy. LWP.Simple. Socket.`,
  ),
  meanings: meanings({
    "system exec IPC.Open3.open3 IPC.Open2.open2 IPC.Run.run run": startsEach(),
    "readpipe IPC.Cmd.run": shell(),
    "open3 open2": dangerous("its code starts programs"),
    open: opensPerl,
    sysopen: writes(1),
    fork: notes("forks"),
    kill: dangerous("its code stops processes"),
    "syscall DynaLoader.dl_load_file Inline": dangerous("its code calls into machine code"),
    "setuid setgid setreuid chroot": dangerous("its code changes its own rights"),

    "unlink rmdir": removes("all"),
    "rmtree remove_tree": removes("all", true),
    "rename move mv": moves,
    "copy cp link symlink": copies,
    "mkdir mkpath make_path": writes(0, "creates"),
    "truncate write_file File.Slurp.write_file": writes(0),
    "IO.File.new": opens(),
    "read_file File.Slurp.read_file opendir": readsFile(0),
    chmod: permitsAfter(1),
    chown: permitsAfter(2),
    glob: globs,

    "socket IO.Socket.INET.new IO.Socket.new IO.Socket.SSL.new IO.Socket.IP.new IO.Socket.INET6.new Net.FTP.new Net.SMTP.new Net.SSH.new":
      notes("socket", carrying("network")),
    "getstore mirror": allOf(fetches(), writes(1)),
    "getprint get head": fetchesWhere,
    "*.get *.request *.post *.head *.put *.mirror": fetchesWhere,

    eval: evals,
    "require do": requires,
    "pack unpack decode_base64 decode chr ord.chr uncompress Compress.Zlib.memGunzip": decodes,
    reverse: decodes,
    "*.reverse": reverses,
    join: (call) =>
      joinsTexts({
        ...call,
        receiver: argument(call, 0) ?? nothing,
        given: [{ name: "", value: listed(call) }],
      }),
    "print printf say": sameArgument,
    "lc uc lcfirst ucfirst quotemeta": sameArgument,
    "getcwd cwd": always(nothing),
  }),
};

const listed = ({ given }: Call): Value => ({
  ...nothing,
  items: given.slice(1).flatMap(({ name, value }) => value.items ?? [{ name, value }]),
});
