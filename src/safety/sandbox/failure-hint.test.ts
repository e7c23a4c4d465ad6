import { expect, test } from "vitest";
import { type Profile, profiles } from "../../protocol/fact-words.ts";
import { processorMs } from "../../testing/processor-time.ts";
import { failureHint } from "./failure-hint.ts";

test.each([
  ["build", "fatal: Unable to create '/w/.git/index.lock': Read-only file system", /runs no other code/u],
  ["build", "sqlite3.OperationalError: attempt to write a readonly database", /only the workspace/u],
  ["read", "sqlite3.OperationalError: unable to open database file", /understood to only read/u],
  ["git", "error: could not lock config file .git/config: Read-only file system", /settings, hooks/u],
  ["build", "touch: cannot touch '/etc/x': Read-only file system", /only the workspace/u],
  ["read", "touch: cannot touch 'x': Read-only file system", /only read/u],
  ["build", "Error: EROFS: read-only file system, open '/usr/x'", /only the workspace/u],
  ["build", "curl: (6) Could not resolve host: example.com", /no network/u],
  ["build", "Error: getaddrinfo EAI_AGAIN registry.npmjs.org", /no network/u],
  ["install", "Could not resolve host: example.com", /registries only/u],
  ["build", "/bin/bash: line 1: .env: Permission denied", /secrets/u],
  ["read", "ls: cannot open directory '/home/dev/.ssh/': Permission denied", /secrets/u],
  ["open", "cat: .env.local: Permission denied", /secrets/u],
  ["build", "Error: EACCES: permission denied, open '/w/.env'", /secrets/u],
  ["git", "fatal: renaming 'src' failed: Invalid cross-device link", /in one step/u],
  ["open", "Error: EXDEV: cross-device link not permitted, rename 'a' -> 'b'", /in one step/u],
  [
    "build",
    "chmod: changing permissions of 'x': Value too large for defined data type",
    /another user or group/u,
  ],
  ["open", "curl: (7) Failed to connect to localhost port 3000: Couldn't connect to server", /terminal/u],
  ["build", "Error: connect ECONNREFUSED 127.0.0.1:5432", /network of its own/u],
  ["read", "tail: cannot open '/tmp/out.log' for reading: No such file or directory", /\/tmp is empty/u],
] as const)("%s: %s is explained", (profile, said, expected) => {
  expect(failureHint(profile, `before\n${said}\nafter\n`)).toMatch(expected);
});

test.each([
  ["install", "npm error rofs EROFS: read-only file system, open '/w/package.json'", "npm install x"],
  ["open", "bash: line 1: package.json: Read-only file system", "echo x >> package.json"],
  ["build", "sed: cannot rename ./sedK7x2: Device or resource busy", "sed -i s/a/b/ ./package.json"],
  ["git", "error: unable to unlink old 'package.json': Device or resource busy", "git checkout ."],
] as const)("%s: %s is explained where something trusted runs the file", (profile, said, command) => {
  const held = ["/w/hooks/fmt.sh", "/w/package.json"];
  expect(failureHint(profile, `${said}\n`, { held, command })).toMatch(
    /^package\.json is part of what a trusted hook .*trust forget/u,
  );
  const other = failureHint(profile, `${said}\n`, { held: ["/w/hooks/fmt.sh"], command });
  expect(other ?? "").not.toContain("forget");
  expect(failureHint(profile, "package.json: no such script\n", { held, command })).toBeUndefined();
});

test("a silent curl failure is explained from the command line", () => {
  expect(failureHint("open", "\n", { command: "curl -s localhost:3000/x" })).toMatch(/that same shell/u);
  expect(failureHint("open", "", { command: "curl -s https://example.com" })).toBeUndefined();
  expect(failureHint("open", "404", { command: "curl -sf localhost:3000/x" })).toBeUndefined();
});

test("a failure unrelated to the sandbox gets no hint", () => {
  for (const said of [
    "",
    "1 test failed",
    "cat: nosuch: No such file or directory",
    "error TS2304: Cannot find name 'x'.",
    "ls: cannot open directory '/root': Permission denied",
  ])
    for (const profile of profiles) expect(failureHint(profile, said)).toBeUndefined();
  const inWorkspace = "cat: /tmp/u/w/none: No such file or directory";
  expect(failureHint("build", inWorkspace, { places: ["/tmp/u/w", "/tmp/u"] })).toBeUndefined();
  for (const said of ["touch: x: Read-only file system", "Could not resolve host: x"])
    expect(failureHint("open", said)).toBeUndefined();
});

test.each([
  ["build", "touch: cannot touch '/etc/x': Read-only file system"],
  ["build", "curl: (6) Could not resolve host: example.com"],
  ["build", "Error: connect ECONNREFUSED 127.0.0.1:5432"],
  ["install", "Could not resolve host: example.com"],
] as const)("%s: %s is no sign where something looked at what the kernel refused", (profile, said) => {
  expect(failureHint(profile, said, { isObserved: true })).toBeUndefined();
});

test("what git may not write is explained by its words even then: they say what to do", () => {
  const said = "fatal: Unable to create '/w/.git/index.lock': Read-only file system";
  expect(failureHint("build", said, { isObserved: true })).toMatch(/runs no other code/u);
});

test("a long output is searched quickly", () => {
  const long = `${"Read-only file system ".repeat(10)}${".env /tmp/ .git/ ".repeat(1_000_000)}`;
  const cost = processorMs(() => expect(failureHint("build", long)).toBeUndefined());
  expect(cost).toBeLessThan(5_000);
});

test("git stash, which fails without a word, is explained by the command line", () => {
  const hint = (profile: Profile, command: string) => failureHint(profile, "4 tests passed", { command });
  expect(hint("build", "npm test && git stash && git stash pop")).toMatch(/\.git can only be written/u);
  expect(hint("build", "npm test && git stash list")).toBeUndefined();
  expect(hint("git", "git stash")).toBeUndefined();
});

test.each([
  ["build", "mkdir: cannot create directory 'dist': Permission denied", /file tool first/u],
  ["build", "Error: EACCES: permission denied, open '/w/out.txt'", /file tool first/u],
  ["read", "touch: cannot touch 'x': Permission denied", /only read/u],
  ["build", "Error: listen EAFNOSUPPORT: address family not supported 127.0.0.1", /no sockets at all/u],
  ["build", "/bin/bash: line 1: .env: Permission denied", /secrets/u],
] as const)("%s: %s is explained where Landlock is the sandbox", (profile, said, expected) => {
  expect(failureHint(profile, said, { sandbox: "landlock" })).toMatch(expected);
  expect(failureHint("open", "x: Permission denied", { sandbox: "landlock" })).toBeUndefined();
});

test("a remote that wants a login is told as one", () => {
  const said = "fatal: could not read Username for 'https://github.com': terminal prompts disabled";
  expect(failureHint("git", said, { isObserved: true })).toContain("none of the user's logins");
  expect(failureHint("open", said)).toBeUndefined();
});

test("a hidden file that a program could not open is named, however it says so, and no other", () => {
  const places = ["/home/dev/proj", "/home/dev"];
  const hidden = ["/home/dev/.config/app/token.json", "/home/dev/proj/conf/prod.env", "/home/dev/.ssh"];
  const hint = (output: string) => failureHint("build", output, { places, hidden, isObserved: true });
  const about = (path: string) =>
    `${path} may hold secrets, so it is hidden from commands in the sandbox, but for one that names it itself, once the user has agreed.`;
  for (const [output, path] of [
    ["open: '/home/dev/.config/app/token.json': [Errno 13] Permission denied", hidden[0]],
    ["x: ~/.config/app/token.json: Permission denied", hidden[0]],
    ["Error: EACCES: permission denied, open 'conf/prod.env'", hidden[1]],
    ["cat: ./conf/prod.env: Permission denied", hidden[1]],
    ["ls: cannot open directory '/home/dev/.ssh': Permission denied", hidden[2]],
    ["cat: /home/dev/.ssh/id_rsa: Permission denied", hidden[2]],
  ])
    expect(hint(output ?? ""), output).toBe(about((path ?? "").replace("/home/dev/proj/", "")));
  for (const output of [
    "cat: /home/dev/.sshd: Permission denied",
    "cat: conf/prod.env.example: Permission denied",
    "cat: other/conf/prod.env: Permission denied",
    "read conf/prod.env\nx: Permission denied",
    "conf/prod.env: No such file or directory",
  ])
    expect(hint(output), output).not.toEqual(expect.stringContaining("may hold secrets"));
});
