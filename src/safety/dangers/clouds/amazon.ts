/** Command-line tools for Amazon's cloud. */

import { isUnknown, type Word, withText } from "../../command-line/word.ts";
import { danger, reads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { namesIn } from "../listed.ts";
import { fetched } from "../network/downloads.ts";
import { isThisMachine } from "../parts.ts";
import { type OptionForm, program, type Program, type Use } from "../program.ts";
import { always, asks, tellByVerb, verbTable } from "../verbs.ts";
import { byOperation, secrets } from "./operations.ts";

const options: OptionForm = {
  long: namesIn(`profile region output query endpoint-url color ca-bundle cli-read-timeout
    cli-connect-timeout cli-binary-format exclude include acl storage-class sse sse-kms-key-id
    content-type cache-control metadata metadata-directive page-size expires expires-in grants
    website-redirect only-show-errors-to source-region cli-input-json cli-input-yaml max-items
    starting-token filters filter`),
};

export const amazon: readonly Program[] = [program("aws awslocal", aws, { options, verbs: 3 })];

function* aws(use: Use): Iterable<Effect> {
  const files = use.words.flatMap((word) => fileIn(word));
  yield* reads(files);
  if (use.has("help", "version", "dry-run", "dryrun", "generate-cli-skeleton")) {
    yield* asks;
    return;
  }
  if (use.has("no-verify-ssl")) yield danger("medium", "it trusts any certificate");
  const endpoint = use.value("endpoint-url");
  const isHere = use.name === "awslocal" || (endpoint !== undefined && isThisMachine(endpoint));
  for (const effect of tellByVerb(use, operations))
    if (!isHere || (effect.type !== "danger" && effect.type !== "sends")) yield effect;
}

/** The files in `file://x` and `fileb://x`, also inside a list of settings. */
const fileIn = (word: Word): Word[] => {
  const path = /(?:^|=)fileb?:\/\/(?<path>[^,]+)/u.exec(word.text)?.groups?.["path"];
  return path === undefined ? [] : [withText(word, path)];
};

const session = always("it opens a session on a machine there");

const operations = verbTable(
  [
    [
      `s3 ls, s3 help, configure list, configure list-profiles, sts get-caller-identity, logs tail,
        --version`,
      asks,
    ],
    ["s3 cp", (use) => copies(use, "copies")],
    ["s3 mv", (use) => copies(use, "moves")],
    ["s3 sync", (use) => copies(use, "mirrors")],
    [
      "s3 rm",
      ({ has, operands: [at] }) =>
        always("it removes objects from a bucket", has("recursive") && isWhole(at) ? "critical" : "high"),
    ],
    ["s3 rb", ({ has }) => always("it removes a bucket", has("force") ? "critical" : "high")],
    ["s3 mb, s3 website", always("it makes or changes a bucket")],
    ["s3 presign", always("it makes a public link to an object")],
    [
      "s3api get-object",
      ({ operands }) => [
        ...asks,
        ...operands
          .slice(0, 1)
          .map((path): Effect => ({ type: "writes", path, how: "replaces", content: fetched })),
      ],
    ],
    [
      "configure get",
      ({ operands: [what] }) => (what && /region|output|arn|sso/u.test(what.text) ? asks : secrets),
    ],
    [
      "configure, configure set, configure import, configure sso, configure add-model",
      always("it changes the keys that it works with"),
    ],
    [
      `configure export-credentials, kms decrypt, ecr get-login, sts assume-role,
        sts assume-role-with-saml, sts assume-role-with-web-identity, iam create-access-key,
        lightsail download-default-key-pair`,
      secrets,
    ],
    [
      "ssm get-parameter, ssm get-parameters, ssm get-parameters-by-path, ssm get-parameter-history",
      ({ has }) => (has("with-decryption") ? secrets : asks),
    ],
    ["sso login, sso logout, login, logout, codeartifact login", always("it signs in or out")],
    [
      `ssm start-session, ecs execute-command, ec2-instance-connect ssh,
        ec2-instance-connect send-ssh-public-key, ec2-instance-connect open-tunnel`,
      session,
    ],
    ["ssm send-command", always("it runs commands on machines there")],
    [
      "lambda invoke",
      ({ operands }) => [
        ...always("it runs a function there"),
        ...operands
          .slice(-1)
          .map((path): Effect => ({ type: "writes", path, how: "replaces", content: fetched })),
      ],
    ],
    ["eks update-kubeconfig", always("it changes which cluster other commands work on")],
    ["cloudformation package", always("it uploads files to a bucket")],
    [
      `cloudformation create-change-set, cloudformation detect-stack-drift, logs start-query,
        athena start-query-execution`,
      always("it starts work there", "medium"),
    ],
    ["dynamodb execute-statement, rds-data execute-statement", always("it can change a database there")],
  ],
  { otherwise: awsOperation },
);

/** The second word is the operation; the first is only a service. */
function awsOperation(use: Use): readonly Effect[] {
  const [service, operation] = use.operands;
  if (!service || use.operands.slice(0, 3).some(({ text }) => text === "help")) return [];
  if (!operation || isUnknown(service)) return byOperation(use);
  const named = withText(operation, operation.text.replace(/^(?:batch-)?(?=get-)/u, ""));
  const known = byOperation({ ...use, operands: [named] });
  return /secretsmanager|kms/u.test(service.text) && /^(?:batch-)?get-secret|decrypt/u.test(operation.text)
    ? secrets
    : known;
}

const inBucket = ({ text }: Word): boolean => text.startsWith("s3://");

/** Whether it is an entire bucket, or unknown. */
const isWhole = (word: Word | undefined): boolean =>
  word === undefined || isUnknown(word) || /^s3:\/\/[^/]*\/?$/u.test(word.text);

function* copies(use: Use, how: "copies" | "moves" | "mirrors"): Iterable<Effect> {
  const [from, to] = use.operands;
  if (!from || !to) return;
  if (how === "mirrors" && use.has("delete"))
    yield danger("high", "it removes from the target what the source does not have");
  if (inBucket(from)) {
    yield { type: "fetches", from };
    if (how === "moves") yield danger("high", "it removes objects from a bucket");
  } else if (from.text !== "-") {
    yield { type: "reads", path: from };
    if (how === "moves") yield { type: "deletes", path: from, deep: true };
  }
  if (to.text === "-") yield { type: "prints", flows: ["network"] };
  else if (!inBucket(to) && inBucket(from))
    yield { type: "writes", path: to, how: "replaces", content: fetched };
  else if (inBucket(from)) yield danger("high", "it changes what is stored in a bucket");
  else yield { type: "sends", to, files: from.text === "-" ? [] : [from], input: from.text === "-" };
  if (use.values("acl").some(({ text }) => text.startsWith("public")))
    yield danger("high", "it shows objects to everybody");
}
