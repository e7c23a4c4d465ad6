/** The options of the server commands. */

import { engines, waysWhenAway } from "./option-choices.ts";
import type { Option, OptionName } from "./option-values.ts";

const most = 1_000_000_000_000;

/** The limits of a client's key. */
const keyLimit = (name: OptionName, flag: string, help: string, fraction?: true): Option => ({
  name,
  flag,
  only: "lm-server",
  type: { kind: "number", from: fraction ? 0 : 1, to: most, fraction },
  default: "no limit",
  help: `With \`keys add\`: ${help}`,
});

export const serverOptions: readonly Option[] = [
  {
    name: "port",
    flag: "port",
    only: "lm-server",
    type: { kind: "number", from: 0, to: 65_535 },
    alsoFor: ["serve", "mcp", "worker"],
    defaults: {
      "lm-server": "4143, or any free port",
      serve: "4747",
      mcp: "none: standard input",
      worker: "none",
    },
    help: "The port to listen on; 0 picks a free one. A worker tells only its health and figures there.",
  },
  {
    name: "host",
    flag: "host",
    only: "serve",
    alsoFor: ["mcp", "lm-server", "worker"],
    type: { kind: "text", placeholder: "ADDRESS" },
    default: "127.0.0.1",
    help: "The address to listen on. Anything but a loopback address accepts unencrypted connections from other machines that have the token, or a key of the language-model server: put a proxy with TLS before it; `mcp` takes loopback addresses only.",
  },
  {
    name: "allowHost",
    flag: "allow-host",
    only: "serve",
    type: { kind: "text", placeholder: "NAME[,NAME]" },
    help: "Additional host names to accept: `box.lan`, `box.lan:8080`, or `https://box.example` behind a proxy.",
  },
  {
    name: "newToken",
    flag: "new-token",
    only: "serve",
    alsoFor: ["mcp"],
    type: { kind: "switch" },
    help: "Create a new token and revoke the old one, open pages included.",
  },
  {
    name: "drain",
    flag: "drain",
    only: "serve",
    alsoFor: ["acp", "worker"],
    type: { kind: "number", from: 0, to: 86_400 },
    default: "10",
    defaults: { worker: "600" },
    help: "Seconds to let running work finish after a stop signal, or after the editor has left; what a worker leaves, another one goes on with.",
  },
  {
    name: "engine",
    flag: "engine",
    only: "serve",
    type: { kind: "choice", values: engines },
    default: "embedded",
    help: "Who runs the sessions: the gateway, or with `dbos` and --database `toolwright worker`.",
  },
  {
    name: "tenant",
    flag: "tenant",
    only: "serve",
    type: { kind: "text", placeholder: "NAME" },
    help: "With `--engine dbos`: to whom new sessions belong.",
  },
  {
    name: "tenantSessions",
    flag: "tenant-sessions",
    only: "serve",
    type: { kind: "number", from: 1, to: 1_000_000 },
    default: "no limit",
    help: "How many sessions of the tenant run at once; others wait.",
  },
  {
    name: "workerSessions",
    flag: "sessions",
    only: "worker",
    type: { kind: "number", from: 1, to: 1_000 },
    default: "8",
    help: "How many sessions run at once.",
  },
  {
    name: "answerWithin",
    flag: "answer-within",
    only: "serve",
    alsoFor: ["mcp"],
    type: { kind: "number", from: 1, to: 86_400 },
    default: "60",
    help: "Seconds that a question waits for an answer over the chat protocol, or from an MCP client (600 there by default); after that it is denied.",
  },
  {
    name: "whenAway",
    flag: "when-away",
    variable: "TOOLWRIGHT_WHEN_AWAY",
    inConfig: true,
    only: "serve",
    alsoFor: ["acp"],
    type: { kind: "choice", values: waysWhenAway },
    default: "wait",
    help: "What happens to a question while no person follows the session: it waits until somebody answers (`wait`), or it is denied and the work goes on without (`deny`).",
  },
  {
    name: "draft",
    flag: "draft",
    only: "acp",
    type: { kind: "switch" },
    help: "Speak the draft of the protocol's version 2, for trying it out.",
  },
  {
    name: "models",
    flag: "models",
    only: "lm-server",
    type: { kind: "text", placeholder: "NAME[,NAME]" },
    default: "all",
    help: "With `keys add`: the names that the client may ask for; `*` stands for anything. While serving: models that are served by their own names, besides those of the configuration.",
  },
  keyLimit("maxRequests", "max-requests", "requests for an answer within a minute."),
  keyLimit("maxTokensDay", "max-tokens-day", "tokens of prompts and answers on a day."),
  keyLimit("maxTokensMonth", "max-tokens-month", "the same in a month."),
  keyLimit("maxDollarsDay", "max-dollars-day", "US dollars on a day, for models with a known price.", true),
  keyLimit("maxDollarsMonth", "max-dollars-month", "the same in a month.", true),
  keyLimit("maxStreams", "max-streams", "answers at the same time."),
];
