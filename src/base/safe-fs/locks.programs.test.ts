import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readdir, rm, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { withLocks } from "./locks.ts";
import { codeOf } from "./problems.ts";
import { openDescriptors, temporaryDirectory } from "./testing/tree.ts";

afterEach(() => vi.unstubAllEnvs());

/** Starts a process that holds a lock until it is killed. */
async function holder(key: string): Promise<ReturnType<typeof spawn>> {
  const script = `
    import { withLocks } from ${JSON.stringify(new URL("locks.ts", import.meta.url).href)};
    await withLocks([process.argv[1]], async () => {
      console.log("held");
      await new Promise((resolve) => process.stdin.once("data", resolve));
    });
    process.exit();`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script, key], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return child;
}

test("work on one key runs one at a time, in order of arrival; work on other keys is not held up", async () => {
  const said: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = withLocks(["one"], async () => {
    await gate.promise;
    said.push("first");
  });
  const later = [2, 3, 4].map((n) => withLocks(["one"], async () => void said.push(`${n}`)));
  const another = ["two", "three", "four"].map((key) =>
    withLocks([key], async () => void said.push("other")),
  );
  await Promise.any(another);
  gate.resolve();
  await Promise.all([first, ...later, ...another]);
  expect(said.filter((word) => word !== "other")).toEqual(["first", "2", "3", "4"]);
  expect(said.indexOf("other")).toBeLessThan(said.indexOf("first"));
});

test("work on many keys in any order never deadlocks, and a failure releases them", async () => {
  const keys = Array.from({ length: 100 }, (_, i) => `key ${i}`);
  const works = Array.from({ length: 10 }, (_, i) =>
    withLocks(i % 2 === 0 ? keys : keys.toReversed(), () =>
      i === 3 ? Promise.reject(new Error("failed")) : Promise.resolve(i),
    ).catch(() => "failed"),
  );
  expect(await Promise.all(works)).toEqual([0, 1, 2, "failed", 4, 5, 6, 7, 8, 9]);
});

test("nested work may use the keys that are already held", async () => {
  expect(await withLocks(["a", "b"], () => withLocks(["b", "a"], async () => "inside"))).toBe("inside");
});

test("a lock of another process is waited for, and a killed process holds none", async () => {
  vi.stubEnv("TMPDIR", await temporaryDirectory());
  for (const end of ["let go", "killed"]) {
    const child = await holder("shared");
    const said: string[] = [];
    const waiting = withLocks(["shared"], async () => void said.push("mine"));
    await withLocks(["another key"], async () => void said.push("other"));
    expect(said).toEqual(["other"]);
    if (end === "killed") child.kill("SIGKILL");
    else child.stdin?.write("\n");
    await waiting;
    expect(said).toEqual(["other", "mine"]);
  }
});

test("waiting half a minute for a lock fails with EBUSY, for a stopped process and in a deadlock", async () => {
  vi.stubEnv("TMPDIR", await temporaryDirectory());
  const child = await holder("stopped");
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const stopped = withLocks(["stopped"], async () => "mine").catch(codeOf);
  await vi.advanceTimersByTimeAsync(31_000);
  expect(await stopped).toBe("EBUSY");
  child.kill("SIGKILL");
  const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const circle = [
    withLocks(["left"], async () => {
      one.resolve();
      await other.promise;
      return withLocks(["right"], async () => "both");
    }),
    withLocks(["right"], async () => {
      other.resolve();
      await one.promise;
      return withLocks(["left"], async () => "both");
    }),
  ].map((work) => work.catch(codeOf));
  await vi.advanceTimersByTimeAsync(31_000);
  expect(await Promise.all(circle)).toContain("EBUSY");
  vi.useRealTimers();
  expect(await withLocks(["left", "right"], async () => "free")).toBe("free");
});

test("locks are empty files in a private directory, and leave no descriptor open", async () => {
  const place = await temporaryDirectory();
  vi.stubEnv("TMPDIR", place);
  const before = openDescriptors();
  await withLocks(["a", "b", "c"], async () => undefined);
  expect(openDescriptors()).toBe(before);
  const [name = ""] = await readdir(place);
  expect((await stat(join(place, name))).mode & 0o777).toBe(0o700);
  for (const file of await readdir(join(place, name)))
    expect((await stat(join(place, name, file))).size).toBe(0);
  await chmod(join(place, name), 0o777);
  await withLocks(["a"], async () => undefined);
  expect((await stat(join(place, name))).mode & 0o777).toBe(0o700);
});

test("a symlink in place of the lock directory is not used, and work goes on", async () => {
  const [place, other] = [await temporaryDirectory(), await temporaryDirectory()];
  vi.stubEnv("TMPDIR", place);
  await withLocks(["a"], async () => undefined);
  const [name = ""] = await readdir(place);
  await rm(join(place, name), { recursive: true });
  await symlink(other, join(place, name));
  expect(await withLocks(["a"], async () => "done")).toBe("done");
  expect(await readdir(other)).toEqual([]);
  vi.stubEnv("TMPDIR", join(place, "missing"));
  expect(await withLocks(["a"], async () => "done")).toBe("done");
  await mkdir(join(place, "missing"));
});
