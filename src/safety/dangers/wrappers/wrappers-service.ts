/** Programs that start others as services, detached from the caller. */

import { danger, loads, replaces, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { namesIn } from "../listed.ts";
import { type Program, program, type Use } from "../program.ts";
import { variableOf } from "./wrappers-environment.ts";
import { command } from "./wrapping.ts";

export const serviceWrappers: readonly Program[] = [
  program("systemd-run", managed, {
    kind: "wrapper",
    options: {
      stopAtOperand: true,
      short: "HMpuE",
      long: namesIn(`host machine property unit description slice service-type uid gid nice
        working-directory setenv background path-property socket-property timer-property on-active
        on-boot on-startup on-unit-active on-unit-inactive on-calendar shell-prompt`),
      known: namesIn("scope user system wait pty pipe shell quiet collect no-block"),
    },
  }),
  program("start-stop-daemon", daemonStarted, {
    kind: "wrapper",
    options: {
      short: "axnugrdNPIkpRsCO",
      long: namesIn(`startas exec name user group chroot chdir nicelevel procsched iosched umask pidfile
        retry signal chuid output ppid pid notify-timeout`),
      known: namesIn("start stop status test background make-pidfile oknodo quiet verbose"),
    },
  }),
  program("run-parts", partsOf, {
    kind: "wrapper",
    options: { short: "au", long: ["arg", "umask", "regex"], known: ["list", "test", "report", "reverse"] },
  }),
  program("daemonize", daemonized, { kind: "wrapper", options: { stopAtOperand: true, short: "ceopluE" } }),
  program("daemon", daemonized, {
    kind: "wrapper",
    options: {
      stopAtOperand: true,
      short: "nXPUuMcdtrALFoOEelbTDR",
      long: ["name", "user", "chdir", "env", "pidfile"],
    },
  }),
];

const timers = ["on-active", "on-boot", "on-startup", "on-unit-active", "on-unit-inactive", "on-calendar"];

function* managed(use: Use): Iterable<Effect> {
  if (use.has("help", "version")) return;
  if (use.has(...timers, "timer-property", "path-property", "socket-property"))
    yield danger("critical", "it schedules a command, which then runs by itself");
  else if (!use.has("scope"))
    yield danger("high", "the service manager runs its command, apart from this session");
  const directory = use.value("working-directory");
  const variables = use.values("E", "setenv").flatMap(variableOf);
  yield* command(use.operands, directory ? { variables, directory } : { variables });
  if (use.operands.length === 0 && use.has("S", "shell"))
    yield { type: "interprets-input", language: "shell" };
}

function* daemonStarted(use: Use): Iterable<Effect> {
  if (use.has("t", "test", "T", "status")) return;
  if (use.has("K", "stop")) yield danger("high", "it stops processes");
  const started = use.value("a", "startas") ?? use.value("x", "exec");
  if (started && use.has("S", "start")) yield runs([started, ...use.operands]);
  if (use.has("m", "make-pidfile")) yield* replaces(use.values("p", "pidfile"));
}

function* partsOf(use: Use): Iterable<Effect> {
  if (!use.has("list", "test")) for (const directory of use.operands) yield loads(directory, "shell");
}

function* daemonized(use: Use): Iterable<Effect> {
  const directory = use.value("c", "chdir");
  yield* replaces(use.values("e", "o", "p", "l"));
  yield* command(use.operands, {
    ...(directory ? { directory } : {}),
    variables: use.values("E").flatMap(variableOf),
  });
}
