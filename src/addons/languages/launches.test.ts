import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryWorkspace } from "../../testing/workspace.ts";
import { detect } from "./detect.ts";
import { knownServers, launchesOf, rootOf, serverOf } from "./launches.ts";
import { type ServerRow, serverRows } from "./rows.ts";

async function place(files: Record<string, string> = {}) {
  const [workspace, machine, home] = [
    await temporaryWorkspace(files),
    await temporaryWorkspace({}),
    await temporaryWorkspace({}),
  ];
  onTestFinished(async () => {
    for (const one of [workspace, machine, home]) await one.remove();
  });
  return {
    root: workspace.root,
    bin: machine.root,
    place: { workspace: workspace.root, home: home.root, environment: { PATH: machine.root } },
  };
}

async function program(path: string, text = "#!/bin/sh\n"): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  await chmod(path, 0o755);
  return path;
}

const known = (name: string, rows: readonly ServerRow[] = serverRows, configured = {}) => {
  const found = knownServers(rows, configured).find((server) => server.name === name);
  if (!found) throw new Error(`no ${name}`);
  return found;
};

async function compiler(directory: string, version: string): Promise<void> {
  await program(join(directory, "typescript", "bin", "tsc"));
  await writeFile(
    join(directory, "typescript", "package.json"),
    JSON.stringify({ name: "typescript", version }),
  );
}

test("a program from PATH needs no consent; one in the workspace needs consent to its content", async () => {
  const { root, bin, place: at } = await place();
  await program(join(bin, "pyright-langserver"));
  const inside = await program(join(root, ".venv/bin/pyright-langserver"));
  const [first, second] = launchesOf(known("python"), root, at);
  expect(first).toMatchObject({
    command: [inside, "--stdio"],
    needs: { kind: "language-server", name: "python", where: ".venv/bin/pyright-langserver" },
  });
  expect(first?.needs?.shows).toBe(".venv/bin/pyright-langserver --stdio");
  expect(second).toMatchObject({ command: [join(bin, "pyright-langserver"), "--stdio"] });
  expect(second?.needs).toBeUndefined();
  await program(inside, "#!/bin/sh\nsomething else\n");
  expect(launchesOf(known("python"), root, at)[0]?.needs?.hash).not.toBe(first?.needs?.hash);
});

test("PATH entries that lead into the workspace, directly or by a symlink, are ignored", async () => {
  const { root, bin, place: at } = await place();
  const inside = await program(join(root, "tools/gopls"));
  await symlink(inside, join(bin, "gopls"));
  for (const PATH of [join(root, "tools"), bin, "tools", "."])
    expect(launchesOf(known("go"), root, { ...at, environment: { PATH } })).toEqual([]);
});

test("PATH entries that cannot be searched are passed over", async () => {
  const { root, bin, place: at } = await place();
  const gopls = await program(join(bin, "real/gopls"));
  const [closed, loop, file] = [join(bin, "closed"), join(bin, "loop"), join(bin, "file")];
  await mkdir(closed, { mode: 0 });
  await symlink(loop, loop); // fails like a closed directory, also for root
  await writeFile(file, "");
  const environment = { PATH: [closed, loop, file, join(bin, "real")].join(":") };
  expect(launchesOf(known("go"), root, { ...at, environment }).map(({ command }) => command)).toEqual([
    [gopls],
  ]);
});

test("programs in the user's home are found, except those without execute permission", async () => {
  const { root, place: at } = await place();
  const own = await program(join(at.home, "go/bin/gopls"));
  expect(launchesOf(known("go"), root, at).map(({ command }) => command)).toEqual([[own]]);
  await chmod(own, 0o644);
  expect(launchesOf(known("go"), root, at)).toEqual([]);
});

test("tsc is used as a server from TypeScript 7 on, the project's before the one on PATH", async () => {
  const { root, bin, place: at } = await place();
  await compiler(join(bin, "node_modules"), "6.0.3");
  await symlink(join(bin, "node_modules/typescript/bin/tsc"), join(bin, "tsc"));
  expect(launchesOf(known("typescript"), root, at)).toEqual([]);
  await compiler(join(bin, "node_modules"), "7.1.0");
  expect(launchesOf(known("typescript"), root, at).map(({ command }) => command)).toEqual([
    [join(bin, "tsc"), "--lsp", "--stdio"],
  ]);
  await compiler(join(root, "node_modules"), "7.0.2");
  await mkdir(join(root, "node_modules/.bin"));
  await symlink("../typescript/bin/tsc", join(root, "node_modules/.bin/tsc"));
  const [first, second] = launchesOf(known("typescript"), root, at);
  expect(first?.needs?.where).toBe("node_modules/.bin/tsc");
  expect(second?.needs).toBeUndefined();
  await compiler(join(root, "node_modules"), "7.0.3");
  expect(launchesOf(known("typescript"), root, at)[0]?.needs?.hash).not.toBe(first?.needs?.hash);
});

test("the TypeScript server is given an explicit tsserver path, and the project's needs consent", async () => {
  const { root, bin, place: at } = await place({ "node_modules/typescript/lib/tsserver.js": "1" });
  await program(join(bin, "node_modules/typescript-language-server/cli.mjs"));
  await symlink(
    join(bin, "node_modules/typescript-language-server/cli.mjs"),
    join(bin, "typescript-language-server"),
  );
  const path = (launch: { options: object } | undefined) => launch?.options;
  const inside = join(root, "node_modules/typescript/lib/tsserver.js");
  expect(launchesOf(known("typescript"), root, at).map(({ needs }) => needs?.where)).toEqual([
    "node_modules/typescript/lib/tsserver.js",
  ]);
  const beside = join(bin, "node_modules/typescript/lib/tsserver.js");
  await mkdir(dirname(beside), { recursive: true });
  await writeFile(beside, "1");
  const [first, second] = launchesOf(known("typescript"), root, at);
  expect(path(first)).toMatchObject({ tsserver: { path: inside }, disableAutomaticTypingAcquisition: true });
  expect(path(second)).toMatchObject({ tsserver: { path: beside } });
  expect(second?.needs).toBeUndefined();
  // This also holds if the user configures the server, unless the configuration names the file as well.
  const command = ["typescript-language-server", "--stdio"];
  const named = known("typescript", serverRows, { typescript: { command } });
  expect(launchesOf(named, root, at).map(({ needs }) => needs?.where)).toEqual([
    "node_modules/typescript/lib/tsserver.js",
    undefined,
  ]);
  const settings = { tsserver: { path: "/opt/tsserver.js" } };
  const chosen = known("typescript", serverRows, { typescript: { command, settings } });
  expect(launchesOf(chosen, root, at)).toMatchObject([
    { command: [join(bin, command[0] ?? ""), "--stdio"], options: settings },
  ]);
});

test("a server that runs code named by the project needs consent to it, unless the user configures the server", async () => {
  const { root, bin, place: at } = await place({ "Cargo.toml": "", ".cargo/config.toml": "[build]" });
  await program(join(bin, "rust-analyzer"));
  const [launch] = launchesOf(known("rust"), root, at);
  expect(launch?.needs?.shows).toContain("build scripts");
  await writeFile(join(root, ".cargo/config.toml"), '[build]\nrustc-wrapper = "./evil"\n');
  expect(launchesOf(known("rust"), root, at)[0]?.needs?.hash).not.toBe(launch?.needs?.hash);
  expect(launchesOf(known("rust", serverRows, { rust: {} }), root, at)[0]?.needs).toBeUndefined();
});

test("the configuration can disable, override and add servers", async () => {
  const { root, bin, place: at } = await place();
  await program(join(bin, "zls"));
  expect(knownServers(serverRows, false)).toEqual([]);
  const servers = knownServers(serverRows, {
    go: { disabled: true },
    zig: { command: ["zls", "--quiet"], files: ["zig", ".ZON"] },
    python: {
      command: [join(bin, "zls")],
      settings: { python: { analysis: { typeCheckingMode: "strict" } } },
    },
    nothing: {},
  });
  expect(servers.map(({ name }) => name)).toEqual(["zig", "typescript", "python", "rust", "c"]);
  const zig = serverOf(servers, "src/main.zig");
  expect(zig && launchesOf(zig, root, at).map(({ command }) => command)).toEqual([
    [join(bin, "zls"), "--quiet"],
  ]);
  expect(serverOf(servers, "x.go")).toBeUndefined();
  const python = serverOf(servers, "x.py");
  expect(python && launchesOf(python, root, at)[0]?.options).toEqual({
    python: { analysis: { typeCheckingMode: "strict" } },
  });
  expect(python?.settings).toMatchObject({
    python: { analysis: { diagnosticMode: "openFilesOnly", typeCheckingMode: "strict" } },
  });
});

test("a server's root is the nearest or topmost directory with a marker file in the workspace", async () => {
  const { root } = await place({
    "go.mod": "",
    "a/go.mod": "",
    "a/pyproject.toml": "",
    "pyproject.toml": "",
    "a/b/x.go": "",
  });
  expect(rootOf(known("go"), join(root, "a/b/x.go"), root)).toBe(root);
  expect(rootOf(known("python"), join(root, "a/b/x.py"), root)).toBe(join(root, "a"));
  expect(rootOf(known("c"), join(root, "a/b/x.c"), root)).toBe(root);
});

test("languages are detected in the workspace's upper levels, except in hidden and dependency directories", async () => {
  const { root } = await place({
    "web/src/app.tsx": "",
    "node_modules/x/y.py": "",
    ".hidden/z.rs": "",
    "tools/gen.GO": "",
    "a/b/c/d/deep.c": "",
  });
  const found = detect(knownServers(serverRows, undefined), root);
  expect(found.map(({ server, where }) => [server.name, where])).toEqual([
    ["go", "tools"],
    ["typescript", "web/src"],
  ]);
});
