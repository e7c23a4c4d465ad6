/** Meanings of calls in Ruby. */

import {
  concatenates,
  getsEnvironment,
  joinsTexts,
  loadsCode,
  requiresFile,
  reverses,
  splits,
} from "./common.ts";
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
  joinsPath,
  type Meaning,
  meanings,
  moves,
  movesReceiver,
  notes,
  opens,
  permits,
  posts,
  readsFile,
  removes,
  runsShell,
  sameArgument,
  sameReceiver,
  startsEach,
  writes,
} from "./meaning.ts";
import { isPlainText } from "./notes.ts";
import { lexes } from "./token.ts";
import { carrying, named, nothing, said, texted } from "./value.ts";

/** `open("| command")` starts the command; `open(path, mode)` opens a file. */
const opensRuby: Meaning = (call) => {
  const text = argument(call, 0)?.text;
  if (!text?.text.trimStart().startsWith("|")) return opens()(call);
  runsShell(call.notes, texted({ ...text, text: text.text.replace(/^\s*\|/u, "") }));
  return carrying("random");
};

/** `class_eval { … }` only runs its block. */
const evals: Meaning = (call) => (call.given.length === 0 ? nothing : evaluates()(call));

const namesConstant: Meaning = (call) => {
  const text = argument(call, 0)?.text;
  if (text && isPlainText(text)) return named(text.text);
  return dangerous("what its code calls is only known when it runs")(call);
};

/** The mode comes first: `File.chmod(0755, "x")`. */
const permitsFirst: Meaning = (call) => {
  const [mode, ...paths] = call.given;
  for (const path of paths) permits(1, 0)({ ...call, given: mode ? [mode, path] : [] });
  return nothing;
};

export const ruby: Grammar = {
  language: "ruby",
  lexis: lexes.ruby,
  joins: ["+", "<<"],
  members: [".", "::", "&."],
  bareCalls: true,
  environment: ["ENV"],
  namespaces: ["Kernel", "Object", "self"],
  startingModules: ["open3", "pty", "fiddle", "shell"],
  transparent: ["Kernel.", "Object.", "self."],
  meanings: meanings({
    "system exec spawn Process.spawn Process.exec IO.popen Open3.capture2 Open3.capture2e Open3.capture3 Open3.popen2 Open3.popen2e Open3.popen3 Open3.pipeline":
      startsEach(),
    "PTY.spawn PTY.getpty": allOf(notes("streams"), startsEach()),
    "fork Process.fork": notes("forks"),
    "Process.kill": dangerous("its code stops processes"),
    "Fiddle.dlopen Fiddle.Function.new syscall": dangerous("its code calls into machine code"),
    "Process.setuid Process.Sys.setuid Dir.chroot": dangerous("its code changes its own rights"),
    "*.reopen": notes("streams"),

    "File.delete File.unlink Dir.rmdir Dir.delete Dir.unlink FileUtils.rm FileUtils.rm_f FileUtils.remove FileUtils.rmdir FileUtils.safe_unlink":
      removes("all"),
    "FileUtils.rm_r FileUtils.rm_rf FileUtils.rmtree FileUtils.remove_dir FileUtils.remove_entry FileUtils.remove_entry_secure rm_rf rm_r":
      removes("all", true),
    "*.unlink *.rmtree *.rmdir": removes("receiver", true),
    "FileUtils.mv FileUtils.move File.rename": moves,
    "*.rename": movesReceiver,
    "FileUtils.cp FileUtils.cp_r FileUtils.copy FileUtils.install FileUtils.ln FileUtils.ln_s FileUtils.ln_sf File.symlink File.link IO.copy_stream":
      copies,
    "File.write IO.write File.binwrite IO.binwrite": writes(0, "replaces", 1),
    "FileUtils.touch FileUtils.mkdir FileUtils.mkdir_p Dir.mkdir File.mkfifo": writes(0, "creates"),
    "File.truncate": writes(0, "edits"),
    "*.write_to": writes(0),
    "File.open File.new IO.open": opens(),
    "open Kernel.open": opensRuby,
    "File.read IO.read File.readlines IO.readlines File.foreach IO.foreach File.binread Dir.children Dir.entries Dir.each_child":
      readsFile(0),
    "File.chmod FileUtils.chmod FileUtils.chmod_R": permitsFirst,
    "FileUtils.chown FileUtils.chown_R": permits(2, undefined),
    "Dir.glob": globs,

    "TCPSocket.new TCPSocket.open Socket.tcp Socket.new UDPSocket.new OpenSSL.SSL.SSLSocket.new UNIXSocket.new":
      notes("socket", carrying("network")),
    "Net.HTTP.get Net.HTTP.get_response Net.HTTP.get_print URI.open URI.parse().open URI.parse().read OpenURI.open_uri HTTParty.get Faraday.get RestClient.get Excon.get":
      fetches(),
    "Net.HTTP.post Net.HTTP.post_form HTTParty.post Faraday.post RestClient.post": posts,
    "Net.HTTP.start Net.HTTP.new Net.FTP.open Net.SMTP.start Net.SSH.start": allOf(notes("posts"), fetches()),

    "eval instance_eval class_eval module_eval *.instance_eval *.class_eval *.module_eval *.eval binding.eval":
      evals,
    "send __send__ public_send *.send *.__send__ *.public_send": callsByName,
    "method *.method Object.const_get Kernel.const_get const_get *.const_get *.instance_method":
      namesConstant,
    "load Kernel.load": loadsCode,
    "require require_relative": requiresFile,
    "Marshal.load": evaluates(),

    "Base64.decode64 Base64.strict_decode64 Base64.urlsafe_decode64 Zlib.Inflate.inflate Zlib.inflate Zlib.gunzip *.unpack *.unpack1 *.pack *.chr *.tr *.hex":
      decodes,
    "*.reverse": reverses,
    "*.join": joinsTexts,
    "*.concat": concatenates,
    "*.split": splits,
    "*.to_s *.strip *.chomp *.read *.body *.downcase *.to_sym *.to_str *.freeze": sameReceiver,
    "puts print p printf": sameArgument,
    "ENV.fetch ENV.dig ENV.delete": getsEnvironment,
    "File.join": joinsPath,
    "File.expand_path Pathname.new Pathname File.absolute_path File.realpath URI.parse URI Shellwords.split":
      sameArgument,
    "Dir.home": always(said("~")),
    "Dir.pwd Dir.getwd": always(said(".")),
    "gets STDIN.read STDIN.gets $stdin.read $stdin.gets ARGF.read readlines": always(carrying("input")),
  }),
};
