/** The command's entry point. Small and in old syntax: it must start fast, and an old Node must be able to parse it. */

import { keepCompiled } from "./compiled-code.ts";

/** Inlined by scripts/build.ts. */
declare const TOOLWRIGHT_VERSION: string;
const oldestNode = 24;
/** How long a telemetry module's leftover timers and connections may delay the exit. */
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
  // The sources run unbundled as an ES module, which has no `__dirname` and no chunks.
  if (directory && typeof __dirname === "string") keepCompiled(directory, __dirname + "/chunks");
  void import("./main.ts").then(({ runCli }) => runCli(argv).then(leaveWith));
}

/**
 * Not `process.exit` at once: output written to a pipe must still arrive. Handles left open by others do not delay the
 * exit beyond `graceMs`.
 */
function leaveWith(code: number): void {
  process.exitCode = code;
  setTimeout(() => process.exit(code), graceMs).unref();
}

/**
 * The directory of the compiled-code cache: in our own state (`stateDirectory` of base/paths.ts, in old syntax), which
 * no command or tool may write because its content is executed. `undefined` if that path is not absolute.
 */
function compiledDirectory(env: NodeJS.ProcessEnv): string | undefined {
  const { TOOLWRIGHT_HOME: own, XDG_STATE_HOME: state = "", HOME: home = "" } = env;
  const base = state.startsWith("/") ? state : home && home + "/.local/state";
  const directory = own || (base && base + "/toolwright");
  return directory && directory.startsWith("/") ? directory + "/compiled" : undefined;
}
