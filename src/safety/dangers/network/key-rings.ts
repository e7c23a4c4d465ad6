/** Programs for keys and signatures. */

import { type Word, withText } from "../../command-line/word.ts";
import { danger, loads, reads, replaces, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { namesIn } from "../listed.ts";
import { type Program, program, type Use } from "../program.ts";

const form = {
  short: "oruNz",
  long: namesIn(`output recipient local-user default-key homedir keyring passphrase passphrase-file
    passphrase-fd keyserver keyserver-options options status-fd logger-fd pinentry-mode trust-model
    cipher-algo digest-algo compress-algo comment set-filename exec-path agent-program dirmngr-program
    photo-viewer hidden-recipient recipient-file export-options import-options list-options
    verify-options command-fd command-file attribute-fd`),
} as const;

const asksFor = {
  decrypts: ["d", "decrypt", "decrypt-files"],
  encrypts: namesIn("e encrypt c symmetric s sign b detach-sign clear-sign clearsign store"),
  makes: [
    "gen-key",
    "generate-key",
    "full-gen-key",
    "full-generate-key",
    "quick-gen-key",
    "quick-generate-key",
  ],
  changes: [
    "import",
    "edit-key",
    "quick-add-key",
    "quick-sign-key",
    "lsign-key",
    "sign-key",
    "import-ownertrust",
  ],
  removes: ["delete-keys", "delete-secret-keys", "delete-secret-and-public-key", "delete-key"],
  secrets: ["export-secret-keys", "export-secret-subkeys", "export-secret-key", "export-ssh-secret-key"],
  fetches: ["recv-keys", "receive-keys", "refresh-keys", "search-keys", "fetch-keys", "locate-external-keys"],
} as const;

export const keyRings: readonly Program[] = [
  program("gpg gpg2 gpg1", guarded, { options: form }),
  program("gpgv gpg-zip gpgsm", ({ operands }) => reads(operands), { options: form }),
  program("gpgconf gpg-connect-agent gpg-agent", ({ has }) =>
    has("kill", "K", "launch", "reload", "R", "daemon")
      ? [danger("medium", "it starts or stops the keeper of keys")]
      : [],
  ),
  program("minisign signify", signed, { options: { short: "mpsxtcP" } }),
  program("cosign", ({ operands: [verb] }) =>
    verb && /^(?:sign|sign-blob|attest|generate-key-pair|upload)$/u.test(verb.text)
      ? [danger("high", "it signs or publishes in somebody's name")]
      : [],
  ),
];

/** Without a command it decrypts its input. */
function* guarded(use: Use): Iterable<Effect> {
  const { has, operands, values } = use;
  yield* ownPrograms(use);
  const [output] = values("o", "output");
  if (output) yield* replaces([output]);
  yield* reads(values("passphrase-file", "recipient-file"));
  if (has(...asksFor.secrets)) {
    yield danger("high", "it brings out secret keys");
    yield { type: "prints", flows: ["secret"] };
  } else if (has("send-keys")) yield { type: "sends", to: values("keyserver").at(-1), words: operands };
  else if (has(...asksFor.fetches)) yield { type: "fetches", from: values("keyserver").at(-1) };
  else if (has(...asksFor.removes)) yield danger("high", "it removes keys");
  else if (has(...asksFor.changes, ...asksFor.makes)) {
    yield* reads(has("import", "import-ownertrust") ? operands : []);
    yield danger("medium", "it changes which keys there are and which are trusted");
  } else if (has(...asksFor.encrypts)) yield* encrypted(use, output);
  else if (has(...asksFor.decrypts) || isBare(use)) {
    yield* reads(operands);
    if (!output) yield { type: "prints", flows: ["decoded"] };
  } else if (has("verify", "verify-files", "dearmor", "enarmor", "show-keys", "list-packets"))
    yield* reads(operands);
}

const isBare = ({ operands, options }: Use): boolean =>
  operands.length > 0 &&
  options.every(({ name }) => /^(?:q|batch|yes|o|output|quiet|v|passphrase.*|pinentry-mode)$/u.test(name));

/** The output goes next to the input, unless a path is given. */
function* encrypted({ operands, has }: Use, output: Word | undefined): Iterable<Effect> {
  yield* reads(operands);
  const ending = has("a", "armor", "clear-sign", "clearsign")
    ? ".asc"
    : has("b", "detach-sign")
      ? ".sig"
      : ".gpg";
  if (!output) yield* replaces(operands.map((path) => withText(path, path.text + ending)));
}

/** Options that name programs to run, and configuration files. */
function* ownPrograms({ values }: Use): Iterable<Effect> {
  for (const program of values("agent-program", "dirmngr-program", "photo-viewer")) {
    yield danger("high", "one of its options names a program that it runs");
    yield runs([program]);
  }
  for (const path of values("options", "exec-path")) yield loads(path);
}

function* signed({ has, operands, values }: Use): Iterable<Effect> {
  yield* reads([...operands, ...values("m", "p", "s")]);
  yield* replaces(values("x"));
  if (has("G")) yield danger("medium", "it makes keys");
}
