/** The command's entry. It stays tiny and in old syntax: it must start fast, and an old Node must be able to say no. */
import { enableCompileCache } from "node:module";

/** Written in by scripts/build.ts. */
declare const TOOLWRIGHT_VERSION: string;
const oldestNode = 24;

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
  enableCompileCache(cacheDirectory(process.env));
  void import("./main.ts").then(({ runCli }) => runCli(argv).then(leaveWith));
}

/** Not `process.exit`: what was written to a pipe must still arrive. */
function leaveWith(code: number): void {
  process.exitCode = code;
}

/** Where compiled code is kept between runs; `undefined` lets Node choose. */
function cacheDirectory(env: NodeJS.ProcessEnv): string | undefined {
  const base = env["XDG_CACHE_HOME"];
  if (base && base.startsWith("/")) return base + "/toolwright/compiled";
  return env["HOME"] ? env["HOME"] + "/.cache/toolwright/compiled" : undefined;
}
