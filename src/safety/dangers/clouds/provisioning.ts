/** Programs that provision machines: what they query, and what they change there. */

import type { Word } from "../../command-line/word.ts";
import { danger, loads, reads, replaces } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { namesIn } from "../listed.ts";
import { isThisMachine } from "../parts.ts";
import { program, type Program, type Use } from "../program.ts";
import { always, asks, tellByVerb, verbTable } from "../verbs.ts";

const applies = always("it changes machines that it reaches");

export const provisioning: readonly Program[] = [
  program("ansible", ansible, {
    options: {
      short: "imaeulbftMcTB",
      long: namesIn(`inventory module-name args extra-vars user limit become-user forks module-path
        connection vault-password-file private-key playbook-dir ssh-common-args ssh-extra-args`),
    },
  }),
  program("ansible-playbook", playbook, {
    options: {
      short: "ieultMfcT",
      long: namesIn(`inventory extra-vars user limit tags skip-tags forks start-at-task
        vault-password-file private-key connection module-path become-user ssh-common-args
        ssh-extra-args vault-id`),
    },
  }),
  program("ansible-galaxy", (use) => tellByVerb(use, galaxy), {
    options: { short: "rps", long: ["role-file", "roles-path", "collections-path", "server"] },
  }),
  program("ansible-vault", vault, {
    options: { long: ["vault-password-file", "vault-id", "output", "name", "new-vault-password-file"] },
  }),
  program("ansible-pull ansible-console", unlessAsked("it changes machines")),
  program("ansible-lint ansible-doc ansible-config ansible-inventory", () => []),
  program("salt salt-call salt-ssh salt-run salt-key", salt, {
    options: {
      short: "ELGCNSItdcayrm",
      long: namesIn("timeout list grain config-dir output log-level accept delete module-dirs"),
    },
  }),
  program("puppet", (use) => tellByVerb(use, puppet), {
    options: {
      short: "e",
      long: namesIn("execute modulepath confdir server environment hiera_config"),
    },
  }),
  program("chef chef-client chef-solo chef-apply knife kitchen cinc-client", chef, {
    options: {
      short: "oErjcz",
      long: ["override-runlist", "runlist", "json-attributes", "config", "environment"],
    },
  }),
  program("cloud-init netplan", ({ operands: [verb] }) =>
    /^(?:status|query|analyze|schema|features|get|info|ip)$/u.test(verb?.text ?? "status")
      ? []
      : always("it changes how this machine is set up"),
  ),
];

const looking = /^(?:ping|setup|gather_facts|debug|stat|slurp|ansible\.builtin\.(?:ping|setup|debug|stat))$/u;

function* ansible(use: Use): Iterable<Effect> {
  const [hosts] = use.operands;
  yield* ansibleSettings(use);
  if (!hosts || use.has("version", "help", "list-hosts", "C", "check")) return;
  const module = use.value("m", "module-name")?.text ?? "command";
  const code = use.value("a", "args");
  const isHere = isThisMachine(hosts);
  yield { type: "fetches", from: hosts };
  if (looking.test(module)) return;
  yield danger("high", "it changes machines that it reaches");
  if (code && /^(?:ansible\.builtin\.)?(?:shell|command|raw|script)$/u.test(module))
    yield { type: "interprets", language: "shell", code, remote: !isHere };
}

function* ansibleSettings(use: Use): Iterable<Effect> {
  // An inventory that is no list may be a program.
  for (const path of use.values("i", "inventory"))
    if (!/,|\.(?:ini|ya?ml|json|toml|cfg)$/u.test(path.text)) yield loads(path);
  yield* reads(
    [
      ...use.values("i", "inventory", "vault-password-file"),
      ...use.values("e", "extra-vars").flatMap(fileIn),
    ].filter(({ text }) => !text.includes(",")),
  );
  if (use.has("ssh-common-args", "ssh-extra-args", "M", "module-path"))
    yield danger("high", "its options can run other programs");
}

const fileIn = (word: Word): Word[] =>
  word.text.startsWith("@") ? [{ ...word, text: word.text.slice(1) }] : [];

function* playbook(use: Use): Iterable<Effect> {
  yield* ansibleSettings(use);
  if (use.has("version", "help") || use.operands.length === 0) return;
  if (use.has("syntax-check", "list-hosts", "list-tasks", "list-tags")) yield* reads(use.operands);
  else if (use.has("C", "check")) yield* [...use.operands.map((path) => loads(path)), ...asks];
  else yield* [...use.operands.map((path) => loads(path)), ...always("it changes machines that it reaches")];
}

const galaxy = verbTable(
  [
    [
      `list, search, info, role list, collection list, role info, role search, init, role init,
        collection init, collection build, verify, collection verify`,
      asks,
    ],
    [
      "install, role install, collection install, collection download",
      always("it installs packages, which run code of their own", "medium"),
    ],
    ["remove, delete, role remove, role delete", always("it removes installed roles", "medium")],
    ["publish, collection publish, import, role import", always("it publishes what is here")],
  ],
  { otherwise: always("it may install or publish roles") },
);

function* vault(use: Use): Iterable<Effect> {
  const [verb, ...files] = use.operands;
  yield* reads([...files, ...use.values("vault-password-file")]);
  if (/^(?:view|decrypt)$/u.test(verb?.text ?? ""))
    yield* [{ type: "prints", flows: ["secret"] } as const, danger("high", "it decrypts secrets")];
  if (/^(?:encrypt|decrypt|rekey|edit|create)$/u.test(verb?.text ?? ""))
    yield* replaces(use.values("output").length > 0 ? use.values("output") : files);
}

const readingFunction =
  /^(?:test|grains|sys|pillar|status|pkg\.(?:list|version)|service\.(?:status|get)|disk|network|cp\.list|file\.(?:read|stats|file_exists)|state\.show)/u;

function* salt(use: Use): Iterable<Effect> {
  if (use.has("version", "help", "L", "list-all") || use.operands.length === 0) return;
  if (use.name === "salt-key") {
    if (use.has("a", "A", "d", "D", "r", "R", "accept", "delete", "accept-all", "delete-all")) yield* applies;
    return;
  }
  const words = use.name === "salt" || use.name === "salt-ssh" ? use.operands.slice(1) : use.operands;
  const [fn, code] = words;
  if (fn && readingFunction.test(fn.text)) {
    yield* asks;
    return;
  }
  yield* always("it changes machines that it reaches");
  if (code && fn?.text.startsWith("cmd."))
    yield { type: "interprets", language: "shell", code, remote: use.name !== "salt-call" };
}

const puppet = verbTable(
  [
    [
      `parser, parser validate, lookup, facts, module list, help, config print, describe, resource, epp,
        strings`,
      [],
    ],
    ["module install", always("it installs packages, which run code of their own", "medium")],
    [
      "apply, agent",
      ({ operands, has }) =>
        has("noop")
          ? operands.map((path) => loads(path))
          : [...operands.map((path) => loads(path)), ...always("it changes how this machine is set up")],
    ],
    [
      "cert clean, node clean, ca clean, node deactivate",
      always("it removes machines from those it looks after"),
    ],
  ],
  { otherwise: always("it may change machines") },
);

function* chef(use: Use): Iterable<Effect> {
  const [verb, second] = use.operands;
  if (use.has("version", "help", "v", "h") || use.has("why-run", "W")) return;
  if (use.name === "knife")
    yield* /^(?:list|show|status|search|diff|download)$/u.test(second?.text ?? verb?.text ?? "") ||
    verb?.text === "search" ||
    verb?.text === "status"
      ? asks
      : applies;
  else if (use.name === "chef")
    yield* /^(?:generate|env|describe|diff|--version|report)$/u.test(verb?.text ?? "env") ? [] : applies;
  else if (use.name === "kitchen")
    yield* /^(?:list|status|diagnose|init|help|version)$/u.test(verb?.text ?? "help")
      ? []
      : always("it starts or destroys test machines", "medium");
  else yield* always("it changes how this machine is set up");
}

function unlessAsked(because: string): Program["does"] {
  return ({ words, has }) => (words.length === 0 || has("help", "version") ? [] : always(because));
}
