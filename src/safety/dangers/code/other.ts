/**
 * Meanings of calls in languages that are rarer on a command line, combined: Lua, R, Julia, Elixir, Groovy, Java, Tcl,
 * Octave.
 */

import { getsEnvironment, importsModule, joinsTexts, loadsCode, reverses } from "./common.ts";
import type { Grammar } from "./grammar.ts";
import {
  allOf,
  always,
  argument,
  copies,
  dangerous,
  decodes,
  evaluates,
  fetches,
  joinsPath,
  type Meaning,
  meanings,
  moves,
  notes,
  opens,
  permits,
  readsFile,
  removes,
  runsShell,
  sameArgument,
  startsEach,
  startsWithList,
  writes,
} from "./meaning.ts";
import { lexes } from "./token.ts";
import { carrying, said, wordOf } from "./value.ts";

/** Groovy's `"ls -l".execute()`, Java's `new ProcessBuilder("ls").start()`. */
const startsReceiver: Meaning = (call) => {
  runsShell(
    call.notes,
    call.receiver.items ? { ...call.receiver, text: wordOf(call.receiver) } : call.receiver,
  );
  return carrying("random");
};

/** `writeLines(text, "file")`. */
const writesSecond: Meaning = (call) => (argument(call, 1) ? writes(1)(call) : undefined);

/** `read("x")` and `open("x", "w")` with a path as text; other functions of that name are ignored. */
const ifText =
  (meaning: Meaning): Meaning =>
  (call) =>
    argument(call, 0)?.text ? meaning(call) : undefined;

export const other: Grammar = {
  language: "other",
  lexis: lexes.other,
  joins: ["+", "..", "<>", "~", "."],
  members: [".", "::", ":"],
  bareCalls: true,
  environment: ["ENV", "%ENV", "$ENV", "env"],
  namespaces: ["_G"],
  startingModules: [],
  transparent: ["_G.", "Base.", "base.", "java.lang.", "java.io.", "java.nio.file."],
  meanings: meanings({
    "os.execute io.popen os.cmd System.shell system shell shell_cmd unix dos popen os.system execShellCmd Sys.command Unix.system":
      startsEach(),
    "system2 System.cmd Port.open Process.run std.process.Command.new Command.new": startsWithList,
    "run pipeline readchomp": ifText(startsEach()),
    "exec spawn Exec.Command exec.Command ProcessBuilder Runtime.getRuntime().exec *.getRuntime().exec":
      startsEach(),
    "*.execute *.getRuntime": startsReceiver,
    "scala.sys.process._ sys.process._ scala.sys.process sys.process Process": notes("starts"),
    "fork posix.fork Unix.fork": notes("forks"),
    "package.loadlib ffi.load ffi.C ffi.cdef ccall dyn.load": dangerous("its code calls into machine code"),

    "os.remove file.remove rm unlink delete remove File.rm File.rm! Files.delete Files.deleteIfExists rmdir Sys.remove fs.remove_file std.fs.remove_file":
      ifText(removes("all")),
    "File.rm_rf File.rm_rf! fs.remove_dir_all std.fs.remove_dir_all remove_all": removes("all", true),
    "*.removeItem": removes(0, true),
    "*.deleteDir *.deleteRecursively": removes("receiver", true),
    "*.deleteOnExit": removes("receiver"),
    "os.rename file.rename mv File.rename Files.move": ifText(moves),
    "file.copy cp File.cp File.cp_r Files.copy file.symlink": ifText(copies),
    "File.write File.write! Files.write Files.writeString write spit sink": ifText(writes(0)),
    "writeLines saveRDS write.csv dput": writesSecond,
    "File.mkdir File.mkdir_p mkdir mkpath dir.create": ifText(writes(0, "creates")),
    "io.open open fopen io.output": ifText(opens()),
    "io.lines readLines readRDS File.read File.read! readlines Files.readString slurp file.info": ifText(
      readsFile(0),
    ),
    "chmod File.chmod Sys.chmod": ifText(permits(0, 1)),

    "socket.tcp socket.connect sockets.connect socketConnection gen_tcp.connect TcpStream.connect socket":
      notes("socket", carrying("network")),
    "download.file urlwrite download Downloads.download": allOf(fetches(), writesSecond),
    "urlread HTTP.get httr.GET url URL http.request socket.http.request Req.get! HTTPoison.get":
      ifText(fetches()),

    "load loadstring eval evalin Code.eval_string Code.eval_quoted Meta.parse evaluate include_string parse":
      ifText(evaluates()),
    require: ifText(importsModule),
    "dofile loadfile source include Code.require_file Code.compile_file": ifText(loadsCode),
    "install.packages Pkg.add remotes.install_github devtools.install_github Mix.install": dangerous(
      "it installs packages, which run code of their own",
      "medium",
    ),

    "base64decode base64enc.base64decode Base.base64decode string.char string.reverse rawToChar intToUtf8 Base.decode64 String.fromCharCode":
      decodes,
    "*.reverse *.decodeBase64": reverses,
    "*.join": joinsTexts,
    "paste0 paste": (call) => joinsPath({ ...call, given: [] }),
    "file.path joinpath Paths.get Path.of File Path.join": joinsPath,
    homedir: always(said("~")),
    "path.expand normalizePath Path.expand": sameArgument,
    "os.getenv Sys.getenv System.getenv System.get_env System.fetch_env getenv": getsEnvironment,
  }),
};
