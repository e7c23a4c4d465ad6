/** Cloud command-line tools: what they query, change, publish and destroy there. */

import { danger, reads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { transfer } from "../files/backups.ts";
import { namesIn } from "../listed.ts";
import { program, type Program, type Use } from "../program.ts";
import { always, asks, tellByVerb, verbTable } from "../verbs.ts";
import { amazon } from "./amazon.ts";
import { hosting } from "./hosting.ts";
import { byOperation, secrets } from "./operations.ts";
import { vaults } from "./vaults.ts";

const remoteCommand = (use: Use): readonly Effect[] => [
  danger("high", "it opens a session on a machine there"),
  ...use
    .values("command", "C")
    .map((code): Effect => ({ type: "interprets", language: "shell", code, remote: true })),
];

const sendsFiles = (use: Use): Iterable<Effect> => {
  const files = use.values("source", "f", "file", "source-path", "s");
  return [...reads(files), { type: "sends", to: undefined, files }];
};

const bigClouds: readonly Program[] = [
  program("gcloud", guarded(byGoogle), {
    options: {
      long: namesIn(`project account configuration format filter zone region verbosity command source
        impersonate-service-account flags-file limit sort-by`),
    },
    verbs: 4,
  }),
  program(
    "bq",
    guarded((use) => tellByVerb(use, bigQuery)),
    {
      options: { long: ["project_id", "dataset_id", "format", "location", "max_rows"] },
    },
  ),
  program(
    "az",
    guarded((use) => tellByVerb(use, azure)),
    {
      options: {
        short: "gnosrlf",
        long: namesIn(`subscription resource-group name output query source file location method uri url
          body`),
      },
      verbs: 3,
    },
  ),
  program(
    `doctl linode-cli hcloud scw oci ibmcloud vultr-cli exo openstack civo upcloud aliyun tccli yc
      pscale neonctl`,
    guarded(byOperation),
    {
      options: {
        short: "cto",
        long: namesIn("context access-token output format config profile compartment-id region"),
      },
      verbs: 3,
    },
  ),
  program("ovhcloud scaleway-cli equinix metal", guarded(byOperation)),
];

export const clouds: readonly Program[] = [...amazon, ...bigClouds, ...hosting, ...vaults];

function guarded(does: (use: Use) => Iterable<Effect>): Program["does"] {
  return (use) => (use.has("help", "version", "dry-run") || use.operands.length === 0 ? [] : does(use));
}

function byGoogle(use: Use): Iterable<Effect> {
  const { operands } = use;
  const start = operands.findIndex(({ text }) => text !== "alpha" && text !== "beta" && text !== "preview");
  return tellByVerb({ ...use, operands: operands.slice(Math.max(0, start)) }, google);
}

const google = verbTable(
  [
    [
      `info, version, topic, cheat-sheet, feedback, config list, config get, config get-value,
        config configurations list, auth list, projects list, components list, logging read,
        container clusters list`,
      asks,
    ],
    [
      "config, config set, config unset, config configurations activate, config configurations create",
      always("it changes which project other commands work on"),
    ],
    [
      `auth, auth login, auth revoke, auth activate-service-account, auth application-default login,
        auth application-default revoke, auth configure-docker`,
      always("it signs in or out"),
    ],
    [
      "auth print-access-token, auth print-identity-token, auth application-default print-access-token",
      secrets,
    ],
    ["secrets versions access", secrets],
    [
      "compute ssh, app instances ssh, compute tpus tpu-vm ssh, cloud-shell ssh, workstations ssh",
      remoteCommand,
    ],
    [
      "compute scp, storage cp, storage mv, storage rsync",
      (use) => [
        ...transfer(use, use.has("delete-unmatched-destination-objects") ? "mirrors" : "copies"),
        ...(use.operands.some(({ text }) => text.includes(":"))
          ? []
          : always("it copies to or from a store elsewhere")),
      ],
    ],
    [
      "storage rm",
      ({ has }) => always("it removes stored objects", has("recursive", "r") ? "critical" : "high"),
    ],
    ["storage ls, storage du, storage cat, storage hash", asks],
    ["container clusters get-credentials", always("it changes which cluster other commands work on")],
    ["compute start-iap-tunnel, sql connect", always("it opens a tunnel between this machine and another")],
    [
      `app deploy, functions deploy, run deploy, builds submit, run services update,
        run services replace, endpoints services deploy`,
      always("it publishes what is here"),
    ],
    [
      "components install, components update, components remove",
      always("it installs or removes parts of itself", "medium"),
    ],
    ["emulators, beta emulators", []],
    ["iam service-accounts keys create", always("it makes a key that opens your account there")],
    [
      `run services list, run services describe, run revisions list, run jobs list, builds list,
        builds log, app logs tail, app browse, app logs read, functions logs read,
        run services logs read`,
      asks,
    ],
  ],
  { otherwise: byOperation },
);

const bigQuery = verbTable(
  [
    ["ls, show, head, version, info, wait", asks],
    [
      "query",
      ({ operands, has }) =>
        has("dry_run") || operands.every(({ text }) => /^\s*(?:select|with)\b/iu.test(text))
          ? asks
          : always("it can change data there"),
    ],
    ["rm", always("it removes data there")],
  ],
  { otherwise: always("it changes data there") },
);

const azure = verbTable(
  [
    [
      `version, find, account show, account list, account list-locations, configure, config get,
        extension list, interactive`,
      asks,
    ],
    ["login, logout, acr login, devops login, account set, account clear", always("it signs in or out")],
    [
      `account get-access-token, keyvault secret show, keyvault secret download,
        storage account keys list, storage account show-connection-string, acr credential show,
        cosmosdb keys list, redis list-keys, webapp config connection-string list,
        webapp config appsettings list, functionapp config appsettings list,
        webapp deployment list-publishing-profiles, functionapp keys list`,
      secrets,
    ],
    ["aks get-credentials", always("it changes which cluster other commands work on")],
    [
      "ad sp create-for-rbac, ad app credential reset",
      always("it makes a key that opens your account there"),
    ],
    [
      "ssh vm, serial-console connect, container exec, containerapp exec, webapp ssh",
      always("it opens a session on a machine there"),
    ],
    ["vm run-command invoke", always("it runs commands on machines there")],
    [
      `storage blob upload, storage blob upload-batch, storage copy, storage file upload,
        storage fs file upload`,
      sendsFiles,
    ],
    [
      `webapp up, webapp deploy, functionapp deploy, staticwebapp deploy, containerapp up, acr build,
        webapp deployment source config-zip`,
      always("it publishes what is here"),
    ],
    [
      `deployment group what-if, deployment group validate, deployment sub what-if,
        deployment sub validate, bicep build, bicep lint`,
      asks,
    ],
    ["extension add, extension update, bicep install", always("it installs parts of itself", "medium")],
    [
      "rest",
      ({ value }) =>
        /^(?:get|head)$/iu.test(value("method", "m")?.text ?? "get")
          ? asks
          : always("it changes what runs or exists in your account there"),
    ],
  ],
  { otherwise: byOperation },
);
