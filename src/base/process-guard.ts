/**
 * Kills child processes when this process is killed and cannot do so itself: a small shell beside it watches for that.
 */

import { type ChildProcess, spawn } from "node:child_process";
import type { Writable } from "node:stream";
import { attempt } from "./expected.ts";
import { procIsOurs } from "./process-identity.ts";

/**
 * Hears which processes to guard (`+ MARKER`) and no longer (`- MARKER`) until its input ends, which it does when this
 * process ends for any reason. Then it gives programs a second to hang up by themselves, and kills every process whose
 * environment has a variable that begins with such a marker: again and again, since any of them may just have forked.
 */
const script = `
marks=' '
while read -r sign mark; do
  case $sign in
    +) marks="$marks$mark " ;;
    -) case $marks in *" $mark "*) marks="\${marks%%" $mark "*} \${marks#*" $mark "}" ;; esac ;;
  esac
done
set -- $marks
[ $# -eq 0 ] && exit
IFS='|'
any="^($*)"
unset IFS
sleep 1
for round in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  places=$(grep -slzE "$any" /proc/[0-9]*/environ)
  [ -z "$places" ] && break
  for place in $places; do
    place=\${place%/environ}
    kill -KILL "\${place#/proc/}"
  done
done 2>/dev/null`;

/** What `ps` shows as the name of the shell's script. */
export const guardName = "toolwright-guard";

const guarded = new Set<string>();
let guard: Writable | undefined;

/**
 * Guards processes until the returned function is called. `marker` is the beginning of "NAME=value", of letters, digits
 * and `._`. Without /proc it does nothing.
 */
export function guardProcesses(marker: string): () => void {
  if (process.platform !== "linux" || !procIsOurs()) return () => {};
  guarded.add(marker);
  if (guard) guard.write(`+ ${marker}\n`);
  else guard = startGuard();
  return () => {
    if (!guarded.delete(marker)) return;
    guard?.write(`- ${marker}\n`);
    if (guarded.size > 0) return;
    guard?.end();
    guard = undefined;
  };
}

/**
 * One guard serves all while there are any. If somebody ends it, the next program to be guarded brings a new one; if it
 * cannot start, programs work without it.
 */
function startGuard(): Writable | undefined {
  const child = spawnGuard();
  const input = child?.stdin;
  const gone = (): void => {
    if (guard === input) guard = undefined;
  };
  child?.once("error", gone);
  child?.once("exit", gone);
  if (!child || !input) return undefined;
  input.on("error", () => {});
  for (const marker of guarded) input.write(`+ ${marker}\n`);
  child.unref();
  return input;
}

const spawnGuard = (): ChildProcess | undefined =>
  attempt(() =>
    spawn("/bin/sh", ["-c", script, guardName], {
      stdio: ["pipe", "ignore", "ignore"],
      env: { PATH: "/usr/bin:/bin" },
      cwd: "/",
      detached: true,
    }),
  );
