/** Meanings of calls in JavaScript and TypeScript, for Node, Deno and Bun. */

import { concatenates, importsModule, joinsTexts, reverses, splits } from "./common.ts";
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
  globs,
  joinsPath,
  type Meaning,
  type Meanings,
  meanings,
  moves,
  notes,
  opens,
  permits,
  posts,
  readsFile,
  removes,
  sameArgument,
  sameReceiver,
  shell,
  startsList,
  startsWithList,
  writes,
} from "./meaning.ts";
import { lexes } from "./token.ts";
import { carrying, named, nothing, said } from "./value.ts";

/** `setTimeout("text")` evaluates the text; with a function it only waits. */
const evaluatesText: Meaning = (call) => (argument(call, 0)?.text ? evaluates()(call) : nothing);

/** `Buffer.from(text, "base64")` decodes; without an encoding it only copies. */
const buffers: Meaning = (call) => {
  const coding = argument(call, 1)?.text?.text ?? "";
  return /^(?:base64|hex)/iu.test(coding) || argument(call, 0)?.items ? decodes(call) : sameArgument(call);
};

/** `readFileSync(0)` and `readFileSync("/dev/stdin")` read standard input. */
const readsInput: Meaning = (call) => {
  const file = argument(call, 0);
  const isInput = file?.text
    ? /^(?:0|\/dev\/stdin)$/u.test(file.text.text)
    : file?.path === "process.stdin.fd";
  return isInput ? carrying("input") : readsFile(0)(call);
};

const newFunction: Meaning = (call) => evaluates(Math.max(call.given.length - 1, 0))(call);

/** `new Deno.Command("rm", { args: ["-rf"] })`. */
const denoCommand: Meaning = (call) => {
  const args = call.given.flatMap(({ value }) => value.items ?? []).find(({ name }) => name === "args");
  return startsWithList({
    ...call,
    given: [...call.given.slice(0, 1), ...(args ? [{ name: "", value: args.value }] : [])],
  });
};

/** Registers a table for every spelling of the file module: `fs.rmSync`, `fs.promises.rm`, `fsPromises.rm`. */
function ofFiles(table: Readonly<Record<string, Meaning>>): Record<string, Meaning> {
  const fronts = ["fs", "fs.promises", "fs.extra", "fs-extra", "fsp", "fsPromises", "fse", "graceful-fs"];
  const all = Object.entries(table).map(([names, meaning]) => {
    const spelled = names
      .split(" ")
      .flatMap((name) => fronts.flatMap((front) => [`${front}.${name}`, `${front}.${name}Sync`]));
    return [spelled.join(" "), meaning];
  });
  return Object.fromEntries(all);
}

const files: Meanings = meanings({
  ...ofFiles({
    rm: removes(0, "when-recursive"),
    "unlink rmdir": removes(0, "when-recursive"),
    "remove emptyDir": removes(0, true),
    "rename move": moves,
    "copyFile cp copy symlink link": copies,
    "writeFile outputFile writeJson outputJson": writes(0, "replaces", 1),
    appendFile: writes(0, "appends", 1),
    "createWriteStream truncate": writes(0),
    "mkdir mkdirp ensureDir ensureFile mkdtemp": writes(0, "creates"),
    "open openAsBlob": opens(),
    "chmod lchmod": permits(0, 1),
    "chown lchown": permits(0, undefined),
    readFile: readsInput,
    "createReadStream readdir readlink readJson opendir": readsFile(0),
    glob: globs,
  }),
  // Names that are unambiguous on any receiver.
  "*.rmSync *.unlinkSync *.rmdirSync": removes(0, "when-recursive"),
  "*.writeFileSync *.writeFile": writes(0, "replaces", 1),
  "*.appendFileSync *.appendFile": writes(0, "appends", 1),
  "*.readFileSync *.readFile": readsInput,
  "*.chmodSync": permits(0, 1),
  "rimraf rimrafSync rimraf.sync rimraf.rimraf rimraf.rimrafSync del.sync del": removes(0, true),
  "Deno.remove Deno.removeSync": removes(0, "when-recursive"),
  "Deno.writeTextFile Deno.writeTextFileSync Deno.writeFile Deno.writeFileSync Bun.write": writes(
    0,
    "replaces",
    1,
  ),
  "Deno.readTextFile Deno.readTextFileSync Deno.readFile Deno.readFileSync Deno.readDir Bun.file":
    readsFile(0),
  "Deno.rename Deno.renameSync": moves,
  "Deno.copyFile Deno.copyFileSync Deno.symlink Deno.link": copies,
  "Deno.mkdir Deno.mkdirSync": writes(0, "creates"),
  "Deno.chmod Deno.chmodSync": permits(0, 1),
});

const programs: Meanings = meanings({
  "child_process.exec child_process.execSync *.execSync execaCommand execa.execaCommand shelljs.exec":
    shell(),
  "child_process.execFile child_process.execFileSync child_process.spawn child_process.spawnSync *.spawnSync *.execFileSync":
    startsWithList,
  "execa execa.execa execa.execaSync cross-spawn cross-spawn.sync": startsWithList,
  "$ Bun.$ zx.$ execa.$ bun.$": shell(),
  "Bun.spawn Bun.spawnSync Deno.run": startsList,
  "Deno.Command": denoCommand,
  "child_process.fork cluster.fork": notes("forks"),
  "process.kill Deno.kill": dangerous("its code stops processes"),
  "process.binding process.dlopen process._linkedBinding Deno.dlopen Bun.dlopen bun.ffi": dangerous(
    "its code calls into machine code",
  ),
  "process.setuid process.setgid process.seteuid": dangerous("its code changes its own rights"),
});

const networks: Meanings = meanings({
  "fetch undici.fetch undici.request https.get http.get https.request http.request axios axios.get axios.head axios.request got got.get needle ky superagent.get node-fetch Deno.connect":
    fetches(),
  "axios.post axios.put axios.patch axios.delete got.post got.put needle.post navigator.sendBeacon superagent.post":
    posts,
  "XMLHttpRequest WebSocket ws ws.WebSocket EventSource": allOf(notes("posts"), fetches()),
  "net.connect net.createConnection net.Socket net.Socket.connect tls.connect dgram.createSocket": notes(
    "socket",
    carrying("network"),
  ),
});

const evaluations: Meanings = meanings({
  "eval vm.runInThisContext vm.runInNewContext vm.runInContext vm.Script vm.compileFunction vm.SourceTextModule repl.start":
    evaluates(),
  "Function AsyncFunction GeneratorFunction *.constructor": newFunction,
  "setTimeout setInterval setImmediate": evaluatesText,
  "module._compile *._compile": evaluates(),
  "require import module.require process.mainModule.require *.require createRequire() module.createRequire() require.main.require process.getBuiltinModule":
    importsModule,
  "createRequire module.createRequire": always(named("createRequire()")),
  "Reflect.get": dangerous("what its code calls is only known when it runs"),
});

const texts: Meanings = meanings({
  "atob unescape decodeURIComponent decodeURI String.fromCharCode String.fromCodePoint zlib.gunzipSync zlib.inflateSync zlib.brotliDecompressSync zlib.unzipSync":
    decodes,
  "Buffer.from Buffer.Buffer Buffer": buffers,
  "*.doShellScript": shell(),
  "*.reverse *.toReversed": reverses,
  "*.join": joinsTexts,
  "*.concat": concatenates,
  "*.split": splits,
  "*.toString *.trim *.text *.json *.valueOf *.normalize *.toLowerCase": sameReceiver,
  "path.join path.resolve path.posix.join path.normalize": joinsPath,
  "os.homedir Deno.homeDir": always(said("~")),
  "process.cwd Deno.cwd": always(said(".")),
  "String Array.from Object.freeze": sameArgument,
  "fs.globSync": globs,
  "Deno.env.toObject Bun.env": always(carrying("secret")),
});

export const javascript: Grammar = {
  language: "javascript",
  lexis: lexes.javascript,
  joins: ["+"],
  members: [".", "?."],
  bareCalls: false,
  environment: ["process.env", "Bun.env", "import.meta.env"],
  namespaces: ["globalThis", "global", "window", "self", "process", "fs", "fs.promises", "this"],
  startingModules: ["child_process", "shelljs", "execa", "cross-spawn", "zx"],
  transparent: ["globalThis.", "global.", "window.", "self.", "this.", "process.mainModule.", "Reflect."],
  meanings: new Map([...files, ...programs, ...networks, ...evaluations, ...texts]),
};
