/** The workspace as the command left it, read through a process that has the overlay mounted. */

import { spawn } from "node:child_process";
import type { BytePath } from "./byte-path.ts";
import { type Overlay, showingOverlay } from "./overlay.ts";
import { openRooted, type RootedTree } from "./rooted-tree.ts";

export type View = {
  /** The names in a directory; the first call starts the process. */
  names(path: BytePath): Promise<ReadonlySet<BytePath>>;
  close(): void;
};

type MountedView = { tree: RootedTree; end(): void };

/**
 * The overlay's files alone do not show which lower names a command removed: an emptied directory is marked by an
 * attribute that Node cannot read. The kernel resolves it.
 */
export function viewOf(overlay: Overlay): View {
  let showing: Promise<MountedView> | undefined;
  let shown: MountedView | undefined;
  return {
    async names(path) {
      showing ??= show(overlay);
      shown = await showing;
      const listed = shown.tree.list(path);
      if (listed === undefined) throw new Error("a directory of the layer cannot be listed");
      return new Set(listed.map(({ name }) => name));
    },
    close: () => shown?.end(),
  };
}

/** Remounting of a sandboxed command's overlay to inspect its changes, in milliseconds. */
const mostMs = 10_000;

async function show(overlay: Overlay): Promise<MountedView> {
  const [program = "", ...words] = showingOverlay(overlay);
  const child = spawn(program, words, {
    stdio: ["pipe", "pipe", "pipe"],
    cwd: "/",
    env: { PATH: "/usr/bin:/bin:/run/current-system/sw/bin" },
  });
  child.stdin.on("error", () => {});
  const said = await firstWords(child);
  if (said !== "shown\n") {
    child.kill("SIGKILL");
    throw new Error(`the layer could not be mounted again (${said.trim() || "without a word"})`);
  }
  const tree = openRooted(`/proc/${child.pid}/root${overlay.merged}`);
  return {
    tree,
    end() {
      tree.close();
      child.kill("SIGKILL");
    },
  };
}

function firstWords(child: ReturnType<typeof spawn>): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let said = "";
  const timer = setTimeout(() => resolve("it took too long"), mostMs);
  const hear = (chunk: Buffer): void => {
    said += chunk.toString();
    if (said.endsWith("\n")) resolve(said);
  };
  child.stdout?.on("data", hear);
  child.stderr?.on("data", hear);
  child.once("error", (error) => resolve(error.message));
  child.once("close", () => resolve(said));
  return promise.finally(() => clearTimeout(timer));
}
