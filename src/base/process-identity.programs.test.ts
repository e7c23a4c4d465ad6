import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { identityOf, isHere, isSameProcess, livenessOf, ownIdentity } from "./process-identity.ts";

const own = ownIdentity();

test("this process and its parent are alive, and are different processes", () => {
  const parent = identityOf(process.ppid);
  expect([livenessOf(own), livenessOf(parent)]).toEqual(["alive", "alive"]);
  expect([isSameProcess(own, identityOf(process.pid)), isSameProcess(own, parent)]).toEqual([true, false]);
});

test("a process whose pid was reused, or that ran before a reboot, is dead", () => {
  const others = [
    { ...own, started: "1" },
    { ...own, boot: "an earlier one" },
    { ...own, boot: "an earlier one", space: "another" },
  ];
  for (const other of others) {
    expect(livenessOf(other)).toBe("dead");
    expect(isSameProcess(own, other)).toBe(false);
  }
  expect(others.map(isHere)).toEqual([true, false, false]);
});

test("the liveness of a process on another machine or in another container is unknown", () => {
  expect(livenessOf({ ...own, boot: "another", host: "far-away" })).toBe("elsewhere");
  expect(livenessOf({ ...own, space: "another" })).toBe("elsewhere");
});

test("a process that has ended is dead, even before its parent has reaped it", async () => {
  // The shell replaces itself with a program that never waits for its child.
  const shell = spawn("bash", ["-c", "sleep 0.01 & echo $!; exec sleep 1000"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [line] = await once(shell.stdout, "data");
  const child = identityOf(Number(line));
  const state = (): string =>
    spawnSync("ps", ["-o", "state=", "-p", `${child.pid}`], { encoding: "utf8" }).stdout.trim();
  while (state() !== "Z" && state() !== "") await new Promise((resolve) => setImmediate(resolve));
  expect(livenessOf({ ...child, started: identityOf(child.pid).started })).toBe("dead");
  const known = identityOf(shell.pid ?? 0);
  expect(livenessOf(known)).toBe("alive");
  shell.kill("SIGKILL");
  await once(shell, "exit");
  expect(livenessOf(known)).toBe("dead");
});

test("in a namespace that shows the /proc of another, no process is taken for one with the same pid", () => {
  const script = `
    const { identityOf, livenessOf } = await import(process.argv[1]);
    const { spawn } = await import("node:child_process");
    const { once } = await import("node:events");
    const child = spawn("sleep", ["100"]);
    await once(child, "spawn");
    const known = identityOf(child.pid);
    const living = livenessOf(known);
    child.kill("SIGKILL");
    await once(child, "exit");
    console.log(living, livenessOf(known));`;
  // Where we may not create such a namespace, the same holds without one.
  const apart = ["unshare", "-Urpf", "--kill-child"];
  const through = spawnSync("unshare", [...apart.slice(1), "true"]).status === 0 ? apart : ["env"];
  const identity = join(import.meta.dirname, "process-identity.ts");
  const [program, ...args] = [...through, process.execPath, "--input-type=module", "-e", script, identity];
  const { stdout } = spawnSync(program, args, { encoding: "utf8" });
  expect(stdout).toBe("alive dead\n");
});
