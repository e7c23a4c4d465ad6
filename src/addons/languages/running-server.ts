/** One run of a language server: its process, capabilities, documents and diagnostics. */

import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { isJsonObject, isObject, type Json, type JsonObject } from "../../base/json.ts";
import { addedServerBounds } from "../bounds.ts";
import { AnnouncedWork } from "./announced-work.ts";
import { capabilitiesIn, type Capabilities, ours } from "./capabilities.ts";
import { type ServerConversation, converse, type Listening } from "./conversation.ts";
import { Documents } from "./documents.ts";
import { KnownProblems, problemsIn } from "./problems.ts";
import type { ServerRow } from "./rows.ts";
import type { ServerProcess } from "./server-process.ts";
import { saidWords } from "./server-words.ts";
import { pathOf } from "./uris.ts";

export type RunningServer = {
  can: Capabilities;
  conversation: ServerConversation;
  documents: Documents;
  problems: KnownProblems;
  /** The work that it reports. */
  work: AnnouncedWork;
  /** How often it has withdrawn its diagnostics. */
  recalls: () => number;
  /** What it says it lacks to work fully; undefined if nothing. */
  complaint: () => string | undefined;
  /** The row's `asks`, if the server has that command. */
  asks?: ServerRow["asks"];
  /** Resolves at the next message, and at the end of the server. */
  next: () => Promise<void>;
};

type StartSetup = {
  process: ServerProcess;
  workspace: string;
  /** Absolute. */
  root: string;
  languages: Readonly<Record<string, string>>;
  options: JsonObject;
  settings: JsonObject;
  namesVersions: boolean;
  /** The row's command that confirms a file is clean. */
  asks?: ServerRow["asks"];
  /** Whether it can see our process by its id. */
  seesUs: boolean;
  /** Aborts the start. */
  signal: AbortSignal;
};

const { start } = addedServerBounds;

/** Throws if the start fails, with the process ended. */
export async function startServer(setup: StartSetup): Promise<RunningServer> {
  const problems = new KnownProblems(setup.namesVersions);
  const listening = listenFor(setup, problems, (path) => documents.get(path)?.isOnDisk === false);
  const conversation = converse(setup.process, listening);
  void conversation.ended.then(listening.wake);
  const { workspace, languages } = setup;
  const documents = new Documents({ workspace, languages, conversation, order: () => problems.order });
  const late = AbortSignal.timeout(start.most);
  try {
    const limit = AbortSignal.any([setup.signal, late]);
    const answer = await conversation.request("initialize", introduction(setup), limit);
    conversation.notify("initialized", {});
    if (Object.keys(setup.settings).length > 0)
      conversation.notify("workspace/didChangeConfiguration", { settings: setup.settings });
    const can = capabilitiesIn(answer);
    const asks = setup.asks && can.commands.includes(setup.asks.command) ? { asks: setup.asks } : {};
    return { can, conversation, documents, problems, ...asks, ...listening.told };
  } catch (error) {
    await conversation.close();
    throw late.aborted ? new Error(`it did not answer within ${start.most / 1000} seconds`) : error;
  }
}

function introduction({ root, options, seesUs }: StartSetup): object {
  const uri = pathToFileURL(root).href;
  return {
    processId: seesUs ? process.pid : null,
    clientInfo: { name: "toolwright" },
    rootUri: uri,
    rootPath: root,
    workspaceFolders: [{ uri, name: basename(root) }],
    capabilities: ours,
    initializationOptions: options,
  };
}

type ServerActivity = Pick<RunningServer, "work" | "recalls" | "complaint" | "next">;
type ServerListener = Listening & { told: ServerActivity; wake: () => void };

function listenFor(
  { workspace, root, settings }: StartSetup,
  problems: KnownProblems,
  isOther: (path: string) => boolean,
): ServerListener {
  const work = new AnnouncedWork();
  let recalls = 0;
  let complaint: string | undefined;
  let coming = Promise.withResolvers<void>();
  const wake = (): void => {
    coming.resolve();
    coming = Promise.withResolvers();
  };
  return {
    wake,
    told: {
      work,
      recalls: () => recalls,
      complaint: () => complaint,
      next: () => coming.promise,
    },
    answer(method, parameters) {
      if (method === "workspace/diagnostic/refresh") {
        recalls += 1;
        wake();
      }
      return answerTo(method, parameters, { root, settings });
    },
    heard(method, parameters) {
      if (!isObject(parameters)) return;
      if (method === "textDocument/publishDiagnostics")
        takeProblems(parameters, workspace, { problems, isOther });
      else if (method === "$/progress") takeProgress(parameters, work);
      else if (method === "experimental/serverStatus") {
        // An extension of the protocol by which some servers report that they are loading the project, or cannot load
        // it.
        const kind = parameters["quiescent"] === false ? "begin" : "end";
        work.told("the project", kind, "loads the project");
        complaint = complaintIn(parameters);
      } else return;
      wake();
    },
  };
}

function complaintIn({ health, message }: Record<string, unknown>): string | undefined {
  if (health === "ok" || typeof message !== "string") return undefined;
  return saidWords(message) || undefined;
}

type ProblemIntake = { problems: KnownProblems; isOther: (path: string) => boolean };

function takeProblems(
  said: Record<string, unknown>,
  workspace: string,
  { problems, isOther }: ProblemIntake,
): void {
  const path = pathOf(workspace, said["uri"]);
  const version = typeof said["version"] === "number" ? said["version"] : undefined;
  if (path === undefined || !Array.isArray(said["diagnostics"])) return;
  problems.sent(path, problemsIn(said["diagnostics"]), { version, isOther: isOther(path) });
}

function takeProgress({ token, value }: Record<string, unknown>, work: AnnouncedWork): void {
  if ((typeof token !== "string" && typeof token !== "number") || !isObject(value)) return;
  const title = typeof value["title"] === "string" ? saidWords(value["title"]) || undefined : undefined;
  work.told(String(token).slice(0, 200), value["kind"], title);
}

/** Answers to requests for editor features: settings, and nothing for the rest. */
function answerTo(
  method: string,
  parameters: unknown,
  { root, settings }: { root: string; settings: JsonObject },
): Json {
  switch (method) {
    case "workspace/configuration": {
      const items = isObject(parameters) ? parameters["items"] : undefined;
      return Array.isArray(items) ? items.slice(0, 100).map((item) => sectionOf(settings, item)) : [];
    }
    case "workspace/workspaceFolders":
      return [{ uri: pathToFileURL(root).href, name: basename(root) }];
    case "workspace/applyEdit":
      return { applied: false, failureReason: "This client changes files itself." };
    case "window/showDocument":
      return { success: false };
    default:
      return null;
  }
}

function sectionOf(settings: JsonObject, item: unknown): Json {
  const section = isObject(item) ? item["section"] : undefined;
  if (typeof section !== "string" || section === "") return settings;
  let at: Json = settings;
  for (const name of section.split("."))
    at = isJsonObject(at) && Object.hasOwn(at, name) ? (at[name] ?? null) : null;
  return at;
}
