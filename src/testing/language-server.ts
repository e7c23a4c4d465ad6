/**
 * A fake language server for tests, well-behaved or misbehaving in one way, which its argument names. It reports an
 * error for each line that contains BAD and a warning for each that contains ODD.
 */

import { spawn } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";

type ServerParameters = {
  query?: string;
  rootUri: string;
  newName: string;
  textDocument: { uri: string; version: number; text: string };
  contentChanges: { text: string }[];
  changes: { uri: string; type: number }[];
  arguments: [string, { file: string }];
  position: { line: number };
};
type ServerMessage = { id?: number; method?: string; params?: ServerParameters };
type Document = { version: number; text: string };

const [way = "good", log] = process.argv.slice(2);
const documents = new Map<string, Document>();
let root = "";
let isBroken = false;

function note(words: string): void {
  if (log !== undefined) appendFileSync(log, `${words}\n`);
}

function send(message: object): void {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  process.stdout.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

const range = (line: number, from: number, to: number) => ({
  start: { line, character: from },
  end: { line, character: to },
});

function problemsIn(text: string): object[] {
  return text.split("\n").flatMap((words, line) => {
    const at = Math.max(words.indexOf("BAD"), words.indexOf("ODD"));
    if (at === -1) return [];
    const severity = words.includes("BAD") ? 1 : 2;
    return [
      {
        range: range(line, at, at + 3),
        severity,
        code: "B1",
        source: "test",
        message: `${words.trim()} is no good`,
      },
    ];
  });
}

function publish(uri: string, { version, text }: Document): void {
  const diagnostics = problemsIn(text);
  send({ method: "textDocument/publishDiagnostics", params: { uri, version, diagnostics } });
}

/** Longer than a result waits for diagnostics. */
const slowMs = 1500;

/** Delay of late diagnostics after a change. */
const lateMs = 600;

const capabilities = {
  textDocumentSync: 1,
  definitionProvider: true,
  referencesProvider: true,
  renameProvider: true,
  workspaceSymbolProvider: true,
  ...(["pull", "mute", "loading"].includes(way)
    ? { diagnosticProvider: { interFileDependencies: true } }
    : {}),
  ...(way === "terse" ? { executeCommandProvider: { commands: ["test.ask"] } } : {}),
};

/** "loading": it has no diagnostics until the project is loaded, and reports progress as some servers do. */
let isLoaded = way !== "loading";
function load(): void {
  const message = "no index:\n\u001B[31mread-only\u001B[0m disk";
  const status = (quiescent: boolean): void =>
    send({ method: "experimental/serverStatus", params: { health: "warning", quiescent, message } });
  status(false);
  setTimeout(() => {
    isLoaded = true;
    status(true);
    send({ id: "loaded", method: "workspace/diagnostic/refresh" });
  }, lateMs);
}

/** "terse": it sends no list for a file that had no problems and still has none. */
const lastSent = new Map<string, number>();
function publishTersely(uri: string, { text }: Document): void {
  const diagnostics = problemsIn(text);
  if (diagnostics.length === 0 && (lastSent.get(uri) ?? 0) === 0 && documents.get(uri)?.version !== 1) return;
  lastSent.set(uri, diagnostics.length);
  send({ method: "textDocument/publishDiagnostics", params: { uri, diagnostics } });
}

/** Publishes problems of another file, after those of the changed one. */
function publishOther(uri: string): void {
  const diagnostics = [{ range: range(0, 0, 1), severity: 1, message: "broken from elsewhere" }];
  const other = [...documents.keys()].find((one) => one !== uri);
  if (other === undefined) return;
  const params = { uri: other, version: 1, diagnostics };
  setTimeout(() => send({ method: "textDocument/publishDiagnostics", params }), lateMs);
}

const oneError = [{ range: range(0, 0, 1), severity: 1, message: "made up" }];

/** What each misbehaving server does at every change. */
const misdeeds: Record<string, (uri: string) => void> = {
  crash: () => process.exit(3),
  flood: () => {
    const pour = (): void => {
      for (let count = 0; count < 500; count++)
        send({
          method: "textDocument/publishDiagnostics",
          params: { uri: `${root}/made-up-${Math.random()}.bad`, diagnostics: oneError },
        });
      setImmediate(pour);
    };
    pour();
  },
  many: (uri) => {
    const diagnostics = Array.from({ length: 100_000 }, (_, line) => ({
      ...oneError[0],
      range: range(line, 0, 1),
      message: `problem ${line} ${"x".repeat(50)}`,
    }));
    send({
      method: "textDocument/publishDiagnostics",
      params: { uri, version: documents.get(uri)?.version, diagnostics },
    });
  },
  huge: () => void process.stdout.write("Content-Length: 1073741824\r\n\r\n{"),
  header: () => void process.stdout.write(`X: ${"x".repeat(1_000_000)}`),
  noise: () => void process.stdout.write("Listening for connections...\n"),
  "no-json": () => void process.stdout.write("Content-Length: 5\r\n\r\n{nope"),
  pour: () => {
    const message = "x".repeat(20_000_000);
    const pour = (): void => {
      send({ method: "window/logMessage", params: { type: 4, message } });
      setTimeout(pour, 10);
    };
    pour();
  },
  deaf: () => {
    process.stdin.pause();
    const items = Array.from({ length: 100 }, () => ({ section: "" }));
    const ask = (): void => {
      for (let count = 0; count < 100; count++)
        send({ id: `deaf ${count}`, method: "workspace/configuration", params: { items } });
      setImmediate(ask);
    };
    ask();
  },
  silent: () => {},
  mute: () => {},
  strange: (uri) => {
    for (const other of [
      "file:///etc/passwd",
      "http://example.org/a.bad",
      `${root}/gone.bad`,
      "file://%zz",
      7,
      null,
    ])
      send({ method: "textDocument/publishDiagnostics", params: { uri: other, diagnostics: oneError } });
    send({
      method: "textDocument/publishDiagnostics",
      params: { uri, diagnostics: [null, 7, {}, { range: 1, message: 2 }] },
    });
    send({ id: "x", result: {} });
    send({ id: 1000, method: "window/showMessageRequest", params: null });
    send({ method: "textDocument/publishDiagnostics" });
  },
};

/** Requests that a server may send to an editor at any time. */
const questions: readonly (readonly [method: string, params: unknown])[] = [
  ["workspace/configuration", { items: [{ section: "test" }, { section: "no.such" }, {}, null] }],
  ["workspace/configuration", null],
  ["window/showMessageRequest", { type: 1, message: "Reload?", actions: [{ title: "Yes" }] }],
  ["window/showDocument", { uri: "https://example.org/", external: true }],
  ["window/workDoneProgress/create", { token: 1 }],
  ["client/registerCapability", { registrations: [{ id: "1", method: "x" }] }],
  ["client/unregisterCapability", {}],
  ["workspace/applyEdit", { edit: { changes: { "file:///etc/passwd": [] } } }],
  ["workspace/workspaceFolders", undefined],
  ["workspace/diagnostic/refresh", undefined],
  ["no/such", { deep: [] }],
];
function askAll(): void {
  for (const [at, [method, params]] of questions.entries()) send({ id: `asked ${at}`, method, params });
}

/** Ways that still misbehave after the first time. */
const goesOn: readonly string[] = ["strange", "many", "silent", "mute"];

function noteChange(uri: string): void {
  const document = documents.get(uri);
  if (!document) return;
  note(`${uri.slice(root.length + 1)} ${document.version}`);
  const misdeed = document.version > 1 || way === "silent" || way === "mute" ? misdeeds[way] : undefined;
  if (misdeed && !isBroken) {
    isBroken = !goesOn.includes(way);
    misdeed(uri);
    if (way !== "strange") return;
  }
  if (capabilities.diagnosticProvider) return;
  if (way === "slow" && document.version > 1) setTimeout(() => publish(uri, document), slowMs);
  else if (way === "indexing" && document.version > 1) {
    for (const kind of ["begin", "report"])
      send({ method: "$/progress", params: { token: "index", value: { kind, title: "Indexing" } } });
  } else if (way === "disk" && document.version === 1) {
    // The file as it is on disk now, without a version; later the text that the client sent.
    const text = readFileSync(new URL(uri), "utf8");
    send({ method: "textDocument/publishDiagnostics", params: { uri, diagnostics: problemsIn(text) } });
    setTimeout(() => publish(uri, document), 400);
  } else if (way === "terse") setTimeout(() => publishTersely(uri, document), 50);
  else if (way === "working" && document.version > 1) {
    const progress = (kind: string): void =>
      send({ method: "$/progress", params: { token: 7, value: { kind, title: "Checking" } } });
    progress("begin");
    publish(uri, { version: document.version, text: "" });
    setTimeout(() => {
      publish(uri, document);
      progress("end");
    }, lateMs);
  } else if (way === "no-version" && document.version === 1) {
    send({
      method: "textDocument/publishDiagnostics",
      params: { uri, diagnostics: problemsIn(document.text) },
    });
  } else if (way === "slow-start" && document.version === 1) setTimeout(() => publish(uri, document), lateMs);
  else publish(uri, document);
  if (way === "others" && document.version > 1) publishOther(uri);
  if (way === "late")
    setTimeout(() => publish(uri, { version: document.version - 1, text: "BAD and old" }), 5);
}

const edit = (line: number, from: number, to: number, newText: string) => ({
  range: range(line, from, to),
  newText,
});

/** The position of a word in the text that the client sent. */
const shownWith = (word: string) =>
  [...documents].flatMap(([uri, { text }]) =>
    text.split("\n").flatMap((line, at) => {
      const from = line.indexOf(word);
      return from === -1 ? [] : [{ uri, range: range(at, from, from + word.length) }];
    }),
  );

/** Answers to a rename of the first word of a file. */
const renames: Record<string, (uri: string, name: string) => object> = {
  overlap: (uri, name) => ({ changes: { [uri]: [edit(0, 0, 3, name), edit(0, 2, 4, name)] } }),
  outside: (_uri, name) => ({ changes: { "file:///etc/hosts": [edit(0, 0, 0, name)] } }),
  imported: (uri, name) => {
    const uris = uri.endsWith("/b.bad") ? [uri, `${root}/a.bad`] : [uri];
    return { changes: Object.fromEntries(uris.map((one) => [one, [edit(0, 0, 3, name)]])) };
  },
  beyond: (uri, name) => ({ changes: { [uri]: [edit(5000, 0, 1, name)] } }),
  "old-version": (uri, name) => ({
    documentChanges: [{ textDocument: { uri, version: 0 }, edits: [edit(0, 0, 3, name)] }],
  }),
  moves: (uri, name) => ({
    documentChanges: [
      { textDocument: { uri, version: null }, edits: [edit(0, 0, 3, name)] },
      { kind: "rename", oldUri: uri, newUri: `${root}/${name}.bad` },
      { kind: "create", uri: `${root}/new.bad` },
      { textDocument: { uri: `${root}/new.bad`, version: null }, edits: [edit(0, 0, 0, "fresh\n")] },
    ],
  }),
};

function answer({ id, method, params }: ServerMessage): void {
  const uri: string = params?.textDocument?.uri ?? "";
  const text = documents.get(uri)?.text ?? "";
  const fresh = params?.newName ?? "";
  const reply = (result: unknown): void => {
    send({ id, result });
    if (way === "strange") send({ id, result: "another answer" });
  };
  switch (method) {
    case "initialize":
      root = params?.rootUri ?? "";
      if (way === "asks") askAll();
      if (way === "hang") return;
      if (way === "loading") load();
      if (way === "crash-at-start") {
        process.stderr.write("error: this program cannot work here\n");
        process.exit(2);
      }
      return reply({ capabilities, serverInfo: { name: "test" } });
    case "textDocument/diagnostic":
      return way === "mute" ? undefined : reply({ kind: "full", items: isLoaded ? problemsIn(text) : [] });
    case "workspace/executeCommand":
      return reply({ body: problemsIn(documents.get(params?.arguments[1].file ?? "")?.text ?? "") });
    case "textDocument/rename":
      if (way === "shown") {
        const edits = shownWith("one").map((place) => [place.uri, [{ ...place, newText: fresh }]]);
        return reply({ changes: Object.fromEntries(edits) });
      }
      return reply(renames[way]?.(uri, fresh) ?? { changes: { [uri]: [edit(0, 0, 3, fresh)] } });
    case "textDocument/definition":
      if (!isLoaded || (way === "comment" && params?.position.line === 0)) return reply(null);
      if (way === "imported") return reply({ uri: `${root}/b.bad`, range: range(0, 0, 3) });
      return reply([
        { uri, range: range(0, 0, 3) },
        { uri: "file:///usr/lib/other.bad", range: range(9, 0, 3) },
      ]);
    case "textDocument/references":
      if (way === "shown") return reply(shownWith("one"));
      return reply(Array.from({ length: 5000 }, () => ({ uri, range: range(0, 0, 3) })));
    case "workspace/symbol":
      if (way !== "symbols") break;
      return reply([
        ...shownWith(params?.query ?? "").map((location) => ({
          name: `${params?.query}Symbol`,
          kind: 12,
          location,
        })),
        { name: "elsewhere", kind: 5, location: { uri: "file:///etc/x.bad", range: range(0, 0, 1) } },
        { name: 7, location: null },
        null,
      ]);
    case "shutdown":
      return reply(null);
    default:
      break;
  }
  send({ id, error: { code: -32_601, message: "not known" } });
}

function take(message: ServerMessage): void {
  const { method, params } = message;
  if (method === undefined && way === "asks") note(JSON.stringify(message));
  else if (way === "asks" && method !== "initialize") askAll();
  if (!params) return;
  if (method === "textDocument/didOpen") {
    const { uri, version, text } = params.textDocument;
    documents.set(uri, { version, text });
    noteChange(uri);
  } else if (method === "textDocument/didChange") {
    const { uri, version } = params.textDocument;
    documents.set(uri, { version, text: params.contentChanges[0]?.text ?? "" });
    noteChange(uri);
  } else if (method === "textDocument/didClose") {
    documents.delete(params.textDocument.uri);
    note(`closed ${params.textDocument.uri.slice(root.length + 1)}`);
  } else if (method === "workspace/didChangeWatchedFiles") {
    for (const { uri, type } of params.changes) note(`watched ${uri.slice(root.length + 1)} ${type}`);
  } else if (method === "textDocument/didSave")
    note(`saved ${params.textDocument.uri.slice(root.length + 1)}`);
  else if (message.id !== undefined && method !== undefined) answer(message);
}

if (way === "stubborn") {
  for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"] as const) process.on(signal, () => {});
  const other = spawn(
    process.execPath,
    ["-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"],
    {
      stdio: "ignore",
      detached: true,
    },
  );
  process.stdin.on("end", () => setInterval(() => {}, 1000));
  note(`started ${other.pid}`);
}
note(`started ${process.pid}`);
if (way === "garbage-at-start") process.stdout.write("Error: cannot find module 'pygls'\n");

let held = Buffer.alloc(0);
process.stdin.on("data", (chunk: Buffer) => {
  held = Buffer.concat([held, chunk]);
  for (;;) {
    const end = held.indexOf("\r\n\r\n");
    const length = Number(/Content-Length: (\d+)/.exec(held.toString("latin1", 0, Math.max(0, end)))?.[1]);
    if (end === -1 || held.length < end + 4 + length) return;
    const body = held.toString("utf8", end + 4, end + 4 + length);
    held = held.subarray(end + 4 + length);
    take(JSON.parse(body));
  }
});
