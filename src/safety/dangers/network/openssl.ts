/** openssl: what it reads, writes and converts. */

import { type Flow, unknownWord, type Word } from "../../command-line/word.ts";
import { danger, loads, reads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { namesIn } from "../listed.ts";
import { program, type Program, type Use } from "../program.ts";

const written = ["out", "keyout", "writerand", "sess_out", "certout", "CRLout", "respout", "reqout"];
const read = namesIn(`in inkey key CAkey CA CAfile signkey force_pubkey cert certfile certs data sigfile
  signature verify prverify content recip signer sess_in peerkey extfile issuer rev_key revoke kfile`);
const valued = [
  ...written,
  ...read,
  ...namesIn(`inform outform keyform CAform passin passout pass k K iv S md days subj addext extensions
    reqexts newkey pkeyopt connect`),
  ...namesIn(`servername alpn port accept WWW starttls cipher ciphersuites tls1-max rand engine provider
    provider-path config curve name`),
  ...namesIn(`algorithm set_serial serial CAserial hmac mac macopt sign verify_hostname CApath host url
    path iter`),
  ...namesIn("checkend nameopt certopt proxy bind sigopt salt-length seconds bytes rounds digest"),
];

export const openssl: readonly Program[] = [
  program("openssl libressl", does, { options: { oneDash: true, long: valued } }),
];

function* does(use: Use): Iterable<Effect> {
  const [verb] = use.operands;
  if (!verb) return;
  if (use.has("engine", "provider", "provider-path")) yield danger("high", "its option loads code");
  if (verb.text === "engine" && use.operands.slice(1).some(({ text }) => /[/\0]|\.so\b/u.test(text)))
    yield danger("high", "it loads a library into itself");
  for (const path of use.values("config")) yield loads(path);
  yield* reads(use.values(...read).filter(({ text }) => text !== "-" && text !== "/dev/stdin"));
  yield* reads(
    use
      .values("pass", "passin", "passout")
      .flatMap((word) => (word.text.startsWith("file:") ? [{ ...word, text: word.text.slice(5) }] : [])),
  );
  yield* reads(plainFiles(use, verb));
  yield* connections(use, verb);
  const opens = use.has("d", "decrypt", "verifyrecover");
  const flows: Flow[] = opens ? ["decoded"] : [];
  const content = opens ? unknownWord(new Set(flows)) : undefined;
  const files = use.values(...written).filter(({ text }) => text !== "-" && text !== "/dev/stdout");
  for (const path of files) yield { type: "writes", path, how: "replaces", ...(content && { content }) };
  if (opens) yield { type: "prints", flows };
}

/** `openssl dgst -sha256 file`, `openssl verify chain.pem`. */
const plainFiles = ({ operands }: Use, { text }: Word): Word[] =>
  /^(?:dgst|sha\d*|md5|verify|sha\d+-\d+|cms|smime|crl2pkcs7|rehash|asn1parse)$/u.test(text)
    ? operands.slice(1)
    : [];

function* connections(use: Use, verb: Word): Iterable<Effect> {
  if (verb.text === "s_server") yield danger("high", "it waits for others to connect");
  if (verb.text === "rehash") yield { type: "writes", path: { ...verb, text: "." }, how: "edits" };
  if (!/^(?:s_client|s_time|ocsp|ts)$/u.test(verb.text)) return;
  const to = use.value("connect", "host", "url") ?? use.operands[1];
  if (!to) return;
  yield { type: "fetches", from: to };
  const said = use.input.text?.text.trim();
  if (use.input.isGiven && said !== "" && said !== "Q") yield { type: "sends", to, input: true };
  yield { type: "prints", flows: ["network"] };
}
