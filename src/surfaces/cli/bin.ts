/** The command's entry. It stays tiny and in old syntax: it must start fast, and an old Node must be able to say no. */

import { keepCompiled } from "./compiled-code.ts";

/** Written in by scripts/build.ts. */
declare const TOOLWRIGHT_VERSION: string;
const oldestNode = 24;
/** A module that was named for telemetry may leave a timer or a connection behind. */
const graceMs = 3_000;

start(process.argv.slice(2));

function start(argv: string[]): void {
  const only = argv.length === 1 ? argv[0] : "";
  if (only === "--version" || only === "-V") {
    process.stdout.write("toolwright " + TOOLWRIGHT_VERSION + "\n");
    return;
  }
  if (parseInt(process.versions.node, 10) < oldestNode) {
    void import("./old-node.ts").then(({ runOnNewerNode }) => runOnNewerNode(__filename, argv, oldestNode));
    return;
  }
  const directory = compiledDirectory(process.env);
  // The source, which runs as well, is a module without a directory: it has no chunks.
  if (directory && typeof __dirname === "string") keepCompiled(directory, __dirname + "/chunks");
  void import("./main.ts").then(({ runCli }) => runCli(argv).then(leaveWith));
}

/**
 * Not `process.exit` at once: what was written to a pipe must still arrive. What others have left open holds nobody up.
 */
function leaveWith(code: number): void {
  process.exitCode = code;
  setTimeout(() => process.exit(code), graceMs).unref();
}

/**
 * Where compiled code is kept between runs: in our own state (`stateDirectory` of base/paths.ts, in old syntax), where
 * no command and no tool may write, because it is run. `undefined` where that is no absolute path.
 */
function compiledDirectory(env: NodeJS.ProcessEnv): string | undefined {
  const { TOOLWRIGHT_HOME: own, XDG_STATE_HOME: state = "", HOME: home = "" } = env;
  const base = state.startsWith("/") ? state : home && home + "/.local/state";
  const directory = own || (base && base + "/toolwright");
  return directory && directory.startsWith("/") ? directory + "/compiled" : undefined;
}
