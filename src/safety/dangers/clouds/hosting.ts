/** Programs that deploy a project publicly and manage it there. */

import { danger, interprets, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { namesIn } from "../listed.ts";
import { program, type Program, type Use } from "../program.ts";
import { always, asks, tell, tellByVerb, type Telling, type VerbTable, verbTable } from "../verbs.ts";
import { byOperation, secrets } from "./operations.ts";

const publishes = always("it publishes what is here");
const signs = always("it signs in or out");
const destroys = always("it destroys something in your account there, with all that is in it", "critical");
const changes = always("it changes what runs or exists in your account there");
const local: Telling = [];

/** A program with verbs; `alone` gives its effects without any. */
const hosted = (names: string, table: VerbTable, alone: Telling = []): Program =>
  program(
    names,
    (use) => {
      if (use.has("help", "h", "version", "v", "V")) return [];
      return use.operands.length === 0 ? tell(alone, use) : tellByVerb(use, table);
    },
    {
      options: {
        short: "aAtT",
        long: namesIn(`app token cwd scope config project only org remote env stage region profile stack
          team site dir local-config`),
      },
    },
  );

/** Runs a command on this machine, with settings from the hosting service. */
const runsHere = ({ operands }: Use): Effect[] => (operands.length === 0 ? [] : [runs(operands)]);

/** Runs a command on the hosting service's machine. */
const runsThere = ({ operands }: Use): Effect[] => [
  danger("high", "it runs a command on a machine there"),
  ...(operands.length === 0 ? [] : [runs(operands, { remote: true })]),
];

export const hosting: readonly Program[] = [
  hosted(
    "heroku",
    verbTable(
      [
        [
          `apps, ps, logs, addons, releases, domains, status, regions, pg, pg:info, redis, redis:info,
            pipelines, access, features, labs, stack, buildpacks, certs, drains, maintenance, config:get`,
          asks,
        ],
        ["config", secrets],
        ["config:get", secrets],
        ["auth:token, pg:credentials:url, pg:credentials", secrets],
        ["login, logout, auth:login, auth:logout, container:login", signs],
        ["run, run:detached, ps:exec", runsThere],
        [
          "pg:psql",
          ({ values }) => [
            ...always("it opens a database there"),
            ...values("c", "command").map((code) => interprets("other", code)),
          ],
        ],
        ["local, local:start, local:run", local],
        ["pg:reset, apps:destroy, destroy, addons:destroy, pg:push, apps:delete", destroys],
        ["container:push, container:release, deploy, builds:create", publishes],
      ],
      { otherwise: byOperation },
    ),
  ),

  hosted(
    "fly flyctl",
    verbTable(
      [
        [
          `status, logs, info, apps list, ips list, secrets list, version, doctor, platform,
            regions list, config show, config validate, releases, machine list, machine status,
            machines list, volumes list, checks list, dashboard, auth whoami, postgres list`,
          asks,
        ],
        ["deploy, launch, image update", publishes],
        ["auth token, tokens create, ssh issue", secrets],
        ["auth login, auth logout, auth docker", signs],
        [
          "ssh console, ssh sftp, console, postgres connect, machine exec",
          always("it opens a session on a machine there"),
        ],
        ["proxy, wireguard create", always("it opens a tunnel between this machine and another")],
        [
          "apps destroy, destroy, volumes destroy, machine destroy, postgres destroy, volumes delete",
          destroys,
        ],
      ],
      { otherwise: byOperation },
    ),
  ),

  hosted(
    "vercel vc now",
    verbTable(
      [
        [
          `ls, list, inspect, logs, whoami, teams ls, teams list, projects ls, project ls,
            project inspect, env ls, domains ls, dns ls, certs ls, alias ls, help`,
          asks,
        ],
        ["dev, build, init", local],
        [
          "env pull, pull",
          [
            { type: "fetches", from: undefined },
            ...always("it writes the passwords of what is published into a file", "medium"),
          ],
        ],
        ["login, logout, switch", signs],
        ["link", always("it ties this directory to what is published", "medium")],
        ["rm, remove, project rm, projects rm, domains rm", destroys],
      ],
      { otherwise: publishes },
    ),
    publishes,
  ),

  hosted(
    "netlify ntl",
    verbTable(
      [
        [
          `status, open, sites:list, functions:list, logs, logs:function, logs:deploy, api, env:list,
            watch, switch`,
          asks,
        ],
        ["env:get, env:list", secrets],
        [
          `dev, build, functions:serve, functions:create, functions:invoke, serve, dev:exec, completion,
            recipes`,
          local,
        ],
        ["login, logout", signs],
        ["deploy", publishes],
        ["sites:delete", destroys],
      ],
      { otherwise: changes },
    ),
  ),

  hosted(
    "wrangler",
    verbTable(
      [
        [
          `whoami, tail, deployments list, deployments status, versions list, kv key list, kv key get,
            kv namespace list, d1 list, d1 info, r2 bucket list, secret list, pages project list,
            queues list`,
          asks,
        ],
        [
          `dev, pages dev, types, init, generate, docs, build, check, d1 migrations list,
            d1 migrations create, telemetry`,
          local,
        ],
        ["login, logout", signs],
        [
          "deploy, publish, pages deploy, pages publish, versions upload, versions deploy, rollback",
          publishes,
        ],
        [
          "d1 execute, d1 migrations apply",
          ({ has }) =>
            has("remote")
              ? always("it changes a database there")
              : has("local")
                ? []
                : always("it may change a database there"),
        ],
        ["delete, d1 delete, r2 bucket delete, kv namespace delete, pages project delete", destroys],
      ],
      { otherwise: changes },
    ),
  ),

  hosted(
    "firebase",
    verbTable(
      [
        [
          `projects:list, apps:list, functions:list, functions:log, hosting:channel:list, database:get,
            login:list, target, use, help, functions:config:get, remoteconfig:get, firestore:indexes,
            apps:sdkconfig`,
          asks,
        ],
        ["serve, emulators:start, emulators:exec, functions:shell, init, setup:emulators:firestore", local],
        ["login:ci, auth:export", secrets],
        ["login, logout, login:add", signs],
        ["deploy, hosting:channel:deploy, hosting:clone, appdistribution:distribute", publishes],
        [
          `firestore:delete, database:remove, functions:delete, hosting:disable, projects:delete,
            hosting:sites:delete`,
          destroys,
        ],
      ],
      { otherwise: changes },
    ),
  ),

  hosted(
    "railway",
    verbTable(
      [
        ["status, logs, whoami, list, open, docs, completion", asks],
        ["variables, variable", secrets],
        ["run, local", runsHere],
        ["ssh, connect, shell", always("it opens a session on a machine there")],
        ["up, deploy, redeploy", publishes],
        ["login, logout", signs],
        ["down, delete", destroys],
      ],
      { otherwise: changes },
    ),
  ),

  hosted(
    "supabase",
    verbTable(
      [
        [
          `status, projects list, functions list, secrets list, orgs list, branches list,
            migration list, inspect, db diff, db lint, db dump, db pull, gen types, gen, services`,
          asks,
        ],
        [
          `init, start, stop, functions new, functions serve, migration new, seed, test, test db,
            migration up`,
          local,
        ],
        [
          "db reset",
          ({ has }) =>
            has("linked", "db-url")
              ? always("it empties a database there", "critical")
              : always("it empties the local database", "medium"),
        ],
        [
          "db push, migration repair, migration down",
          ({ has }) => (has("local") ? [] : always("it changes a database there")),
        ],
        ["projects api-keys", secrets],
        ["functions deploy", publishes],
        ["login, logout, link", signs],
        ["projects delete, branches delete, functions delete", destroys],
      ],
      { otherwise: changes },
    ),
  ),

  hosted(
    "serverless sls",
    verbTable(
      [
        [
          `info, logs, metrics, print, package, offline, offline start, plugin list, plugin search,
            diff, doctor`,
          asks,
        ],
        ["invoke local, create", local],
        ["invoke", changes],
        ["plugin install", always("it installs packages, which run code of their own", "medium")],
        ["login, logout", signs],
        ["deploy", publishes],
        ["deploy list", asks],
        ["remove", destroys],
      ],
      { otherwise: changes },
    ),
  ),

  hosted(
    "sam",
    verbTable(
      [
        [
          `validate, build, logs, traces, list, docs, init, local, local invoke, local start-api,
            local start-lambda, local generate-event, package`,
          local,
        ],
        ["deploy, sync, publish", publishes],
        ["delete", destroys],
      ],
      { otherwise: changes },
    ),
  ),

  hosted(
    "cdk cdktf sst",
    verbTable(
      [
        [
          `synth, synthesize, ls, list, diff, doctor, docs, init, metadata, context, notices,
            acknowledge, get, output, version, dev, bind`,
          asks,
        ],
        ["deploy, bootstrap, import, watch, rollback, migrate", publishes],
        ["destroy, remove", destroys],
      ],
      { otherwise: changes },
    ),
  ),

  hosted(
    "amplify copilot eb chalice zappa apex up architect arc",
    verbTable(
      [
        [
          `status, list, console, info, logs, diagnose, app ls, app show, env ls, svc ls, svc status,
            svc show, svc logs, events, health`,
          asks,
        ],
        ["init, mock, codegen, local, configure, sandbox, build, package, use, svc init, env init", local],
        ["push, publish, deploy, create, update, svc deploy, env deploy", publishes],
        ["delete, terminate, undeploy, destroy, app delete, env delete, svc delete", destroys],
        ["ssh, svc exec", always("it opens a session on a machine there")],
      ],
      { otherwise: changes },
    ),
  ),

  hosted(
    "surge gh-pages",
    verbTable(
      [
        ["list, whoami, login, logout, teardown", asks],
        ["teardown", destroys],
      ],
      { otherwise: publishes },
    ),
    publishes,
  ),

  hosted(
    "render koyeb deployctl platform upsun cf clever scalingo gigalixir modal convex eas expo-cli fastlane",
    verbTable(
      [
        ["services, apps, logs, projects, whoami, dev, run dev, start, build, lint, test", asks],
        ["deploy, publish, push, submit, upload, deliver, release, pilot, supply, update", publishes],
        ["login, logout", signs],
      ],
      { otherwise: byOperation },
    ),
  ),

  hosted(
    "stripe twilio sentry-cli newrelic datadog-ci codecov",
    verbTable(
      [
        [
          `listen, logs tail, status, get, customers list, config, help, samples, open, docs, version,
            releases list, info, projects list, phone-numbers:list`,
          asks,
        ],
        ["trigger, fixtures", always("it makes test events in your account there", "medium")],
        ["login, logout, profiles:create", signs],
        ["releases new, releases finalize, sourcemaps upload, upload, releases files", publishes],
      ],
      { otherwise: byOperation },
    ),
  ),
];
