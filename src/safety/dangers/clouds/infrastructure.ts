/** Infrastructure-as-code programs: what they only plan, and what they change or destroy. */

import { danger, doesMore, interprets, loads, reads, replaces, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { namesIn } from "../listed.ts";
import { program, type Program, type Use } from "../program.ts";
import { always, asks, tellByVerb, verbTable } from "../verbs.ts";
import { provisioning } from "./provisioning.ts";

const applies = always("it changes running infrastructure");
const destroys = always("it destroys running infrastructure", "critical");
const fetchesPlugins = always("it fetches plugins, which run code of their own", "medium");

export const infrastructure: readonly Program[] = [
  program("terraform tofu terragrunt", terraform, {
    options: {
      oneDash: true,
      long: namesIn(`var var-file out target state state-out backup parallelism backend-config
        plugin-dir module-depth from-module generate-config-out terragrunt-working-dir terragrunt-config
        working-dir config replace lock-timeout`),
    },
    verbs: 2,
  }),
  program("pulumi", (use) => (use.has("help") ? [] : tellByVerb(use, pulumi)), {
    options: {
      short: "scCm",
      long: namesIn(`stack config config-file cwd message parallel target replace policy-pack plan
        save-plan color type name`),
    },
  }),
  program("packer", (use) => tellByVerb(use, packer), {
    options: { oneDash: true, long: ["var", "var-file", "only", "except", "on-error"] },
  }),
  program("nomad", (use) => tellByVerb(use, nomad), {
    options: { oneDash: true, long: namesIn("address namespace region token job task") },
  }),
  program("consul", (use) => tellByVerb(use, consul), {
    options: { oneDash: true, long: ["http-addr", "token", "datacenter"] },
  }),
  program(
    `waypoint boundary crossplane terraformer driftctl infracost tflint tfsec checkov terrascan
      terraform-docs`,
    checks,
    {
      options: { short: "dfop", long: namesIn("path format directory out-file config-file output") },
    },
  ),
  program("atlantis terramate spacectl env0", (use) =>
    tellByVerb(use, verbTable([["version, list, help, show", asks]], { otherwise: applies })),
  ),
  ...provisioning,
];

function* terraform(use: Use): Iterable<Effect> {
  if (use.has("help", "h", "version", "v")) return;
  for (const path of use.values("var-file", "backend-config"))
    if (!path.text.includes("=")) yield loads(path);
  const isAllRun = use.operands[0]?.text === "run-all" || use.operands[0]?.text === "run";
  const verbs = isAllRun ? use.operands.slice(1) : use.operands;
  yield* tellByVerb({ ...use, operands: verbs }, terraformVerbs);
}

const terraformVerbs = verbTable(
  [
    ["validate, fmt, hclfmt", [doesMore]],
    ["plan", plansInfrastructure],
    [
      `show, output, graph, version, providers, providers schema, console, state list, state show,
        workspace list, workspace show, workspace new, test, metadata, output-all,
        plan-all, validate-all, modules, render-json, find, get-plugins, hcl, list, dag, info`,
      looksAtInfrastructure,
    ],
    ["workspace select, env select", always("it changes which infrastructure later commands work on")],
    ["state pull", [...asks, ...always("it prints the state, which holds passwords", "medium")]],
    ["init, get, providers lock, providers mirror, scaffold, catalog", fetchesPlugins],
    ["apply", applying],
    ["destroy, destroy-all", destroys],
    ["apply-all, import, refresh, taint, untaint, exec, stack run", applies],
    [
      "state rm, state mv, state push, state replace-provider, force-unlock, workspace delete",
      always("it changes what is known of running infrastructure"),
    ],
    ["login, logout, cloud", always("it signs in or out")],
  ],
  { otherwise: always("it may change running infrastructure") },
);

function* plansInfrastructure(use: Use): Iterable<Effect> {
  yield* asks;
  yield* replaces(use.values("out", "generate-config-out"));
}

const pulumi = verbTable(
  [
    [
      `preview, pre, whoami, about, version, logs, stack ls, stack output, stack history, stack graph,
        config, config get, plugin ls, schema, convert, org, policy ls, console, gen-completion,
        package get-schema`,
      asks,
    ],
    ["stack select", always("it changes which infrastructure later commands work on")],
    ["new, stack init, plugin install, install, package add", fetchesPlugins],
    [
      `up, update, refresh, import, watch, cancel, config set, config rm, config set-all, state,
        stack rename, stack tag, deployment run`,
      applies,
    ],
    ["destroy, down", destroys],
    [
      "stack rm",
      ({ has }) => always("it forgets running infrastructure", has("f", "force") ? "critical" : "high"),
    ],
    ["stack export", always("it prints the state, which holds passwords", "medium")],
    ["login, logout", always("it signs in or out")],
    [
      "env run",
      ({ operands }) => [
        danger("high", "it gives stored passwords to a command"),
        ...(operands.length > 1 ? [runs(operands.slice(1))] : []),
      ],
    ],
    ["env open, env get", always("it prints passwords or keys")],
  ],
  { otherwise: always("it may change running infrastructure") },
);

const packer = verbTable(
  [
    ["validate, fmt, inspect, version, plugins installed, hcl2_upgrade, console, fix", []],
    ["init, plugins install", fetchesPlugins],
    ["build", always("it starts machines to build images from")],
  ],
  { otherwise: applies },
);

const nomad = verbTable(
  [
    [
      `status, job status, node status, alloc status, alloc logs, logs, plan, job plan, validate,
        job validate, job inspect, inspect, version, server members, job history, namespace list, fmt,
        job allocs, ui, operator raft list-peers, eval status, deployment status, var list`,
      asks,
    ],
    [
      "run, job run, start, job start, job promote, job revert, job scale, job dispatch, deployment promote",
      applies,
    ],
    ["stop, job stop, system gc, node drain, namespace delete", always("it stops what runs in the cluster")],
    ["alloc exec, exec", always("it runs a command in the cluster")],
    ["agent", always("it starts a server of the cluster", "medium")],
  ],
  { otherwise: applies },
);

const consul = verbTable(
  [
    [
      `members, catalog, catalog services, catalog nodes, info, kv get, version, validate,
        operator raft list-peers, intention list, config list, config read, services, monitor, rtt`,
      asks,
    ],
    ["kv export", always("it prints everything that is stored there", "medium")],
    ["kv put, kv import, config write, services register, intention create, acl, reload, maint", applies],
    [
      "kv delete, config delete, services deregister, force-leave, leave",
      always("it removes something from running infrastructure"),
    ],
    ["exec, watch, lock", commandsOf],
    ["agent", always("it starts a server of the cluster", "medium")],
  ],
  { otherwise: applies },
);

function* commandsOf({ operands }: Use): Iterable<Effect> {
  yield danger("high", "it runs commands");
  for (const code of operands.slice(-1)) yield interprets("shell", code);
}

function* checks(use: Use): Iterable<Effect> {
  yield* reads(use.operands.filter(({ text }) => /[./]/u.test(text)));
  yield* replaces(use.values("out-file"));
  const [verb] = use.operands;
  if (
    /^(?:waypoint|boundary|crossplane)$/u.test(use.name) &&
    verb &&
    !/^(?:status|list|version|help|logs|validate|render)$/u.test(verb.text)
  )
    yield* applies;
}

function looksAtInfrastructure({ values }: Use): readonly Effect[] {
  return [...asks, ...replaces(values("out"))];
}

function applying({ has }: Use): readonly Effect[] {
  return has("destroy") ? destroys : applies;
}
