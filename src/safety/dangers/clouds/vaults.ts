/** Programs that store passwords and keys. */

import { joined } from "../../command-line/word.ts";
import { danger, interprets, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { namesIn } from "../listed.ts";
import { program, type Program, type Use } from "../program.ts";
import { always, asks, tellByVerb, verbTable } from "../verbs.ts";
import { secrets } from "./operations.ts";

const changes = always("it changes stored passwords or keys");
const signs = always("it opens the store of passwords");
const removes = always("it removes stored passwords or keys");

/** Runs a command with passwords in its environment. */
const runsWith = ({ operands, words, values }: Use): Effect[] => {
  const at = words.findIndex(({ text }) => text === "--");
  const command = at < 0 ? operands : words.slice(at + 1);
  return [
    danger("high", "it gives stored passwords to a command"),
    ...(command.length > 0 ? [runs(command)] : []),
    ...values("command").map((line) => interprets("shell", line)),
  ];
};

export const vaults: readonly Program[] = [
  program("op", (use) => tellByVerb(use, onePassword), {
    options: { long: ["account", "vault", "format", "fields", "env-file"], short: "io" },
  }),
  program("pass gopass", passwords, { options: { short: "p", long: ["path"] } }),
  program("vault bao", (use) => tellByVerb(use, hashi), {
    options: { oneDash: true, long: ["namespace", "address", "format", "field", "mount"] },
  }),
  program("bw rbw lpass keepassxc-cli dashlane dcli", (use) => tellByVerb(use, managers), {
    options: { long: ["session", "itemid"] },
  }),
  program(
    "doppler infisical chamber aws-vault envchain teller dotenv-vault berglas summon",
    (use) => tellByVerb(use, environments),
    {
      options: { short: "pc", long: ["project", "config", "env", "path", "format", "command"] },
    },
  ),
  program("secret-tool security keyring", (use) => tellByVerb(use, keyrings)),
  program("sops age rage", encrypts, {
    options: {
      short: "roi",
      long: namesIn("recipient output identity age pgp kms input-type output-type extract config set"),
      stopAtOperand: false,
    },
  }),
];

const onePassword = verbTable(
  [
    [
      "account list, vault list, item list, whoami, user list, group list, document list, completion, update",
      asks,
    ],
    ["read, item get, inject, document get, account get", secrets],
    ["run", runsWith],
    ["signin, signout, account add, connect, account forget", signs],
    ["item delete, vault delete, document delete", removes],
  ],
  { otherwise: changes },
);

function* passwords(use: Use): Iterable<Effect> {
  const [verb] = use.operands;
  if (!verb || /^(?:ls|list|find|search|help|version)$/u.test(verb.text)) return;
  if (/^(?:rm|remove|delete)$/u.test(verb.text)) yield* removes;
  else if (/^(?:insert|add|edit|generate|mv|cp|rename|copy|init|git|otp)$/u.test(verb.text)) yield* changes;
  else yield* secrets;
}

const hashi = verbTable(
  [
    [
      `status, version, list, kv list, secrets list, auth list, policy list, policy read, path-help,
        kv metadata get, token capabilities, print`,
      asks,
    ],
    ["read, kv get, unwrap, token lookup, token create, print token", secrets],
    ["login, operator unseal", signs],
    [
      `delete, kv delete, kv destroy, kv metadata delete, secrets disable, auth disable, lease revoke,
        token revoke`,
      removes,
    ],
    ["server, agent, proxy", always("it starts a server of passwords", "medium")],
    ["ssh", always("it logs in to another machine")],
  ],
  { otherwise: changes },
);

const managers = verbTable(
  [
    [
      `status, sync, sdk-version, config, generate, completion, update, unlocked, list folders, ls,
        search, estimate, diceware`,
      asks,
    ],
    ["get, list, show, export, clip, item", secrets],
    ["login, logout, unlock, lock, open", signs],
    ["delete, rm, rmdir", removes],
    ["serve", always("it shows stored passwords to other programs")],
  ],
  { otherwise: changes },
);

const environments = verbTable(
  [
    ["list, projects, configs, environments, me, whoami, activity, --version", asks],
    ["run, exec", runsWith],
    ["secrets, secrets get, secrets download, export, read, env, show, configure, setup, get", secrets],
    ["login, logout", signs],
    ["secrets delete, delete, remove", removes],
  ],
  { otherwise: changes },
);

const keyrings = verbTable(
  [
    ["lookup, search, get, find-generic-password, find-internet-password, dump-keychain, export", secrets],
    ["list-keychains, list, find-identity, find-certificate, verify-cert, show-keychain-info", asks],
    ["clear, del, delete, delete-generic-password, delete-internet-password, delete-keychain", removes],
  ],
  { otherwise: changes },
);

function* encrypts(use: Use): Iterable<Effect> {
  const files = use.operands.filter(
    ({ text }) => !/^(?:encrypt|decrypt|edit|exec-env|exec-file|updatekeys|rotate)$/u.test(text),
  );
  for (const path of [...files, ...use.values("i", "identity")]) yield { type: "reads", path };
  for (const path of use.values("o", "output")) yield { type: "writes", path, how: "replaces" };
  const verb = use.operands[0]?.text ?? "";
  if (verb.startsWith("exec"))
    yield* [
      danger("high", "it gives stored passwords to a command"),
      interprets("shell", joined(use.operands.slice(2), " ")),
    ];
  if (use.has("d", "decrypt") || verb === "decrypt")
    yield* [{ type: "prints", flows: ["decoded", "secret"] } as const, danger("high", "it decrypts secrets")];
  else if (use.has("i", "in-place") && use.name === "sops")
    for (const path of files) yield { type: "writes", path, how: "edits" };
}
