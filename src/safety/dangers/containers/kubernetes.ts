/** Programs for container clusters. */

import { isUnknown, type Word } from "../../command-line/word.ts";
import { danger, loads, reads, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { namesIn } from "../listed.ts";
import { type OptionForm, program, type Program, type Use } from "../program.ts";
import { always, asks, readAsGo, tellByVerb, verbTable } from "../verbs.ts";

const clusterOptions: OptionForm = {
  short: "nfkoclLsv",
  long: namesIn(`as as-group as-uid cache-dir certificate-authority client-certificate client-key
    cluster context kubeconfig namespace password profile request-timeout server token user username
    chunk-size field-selector filename kustomize label-columns output raw selector sort-by subresource
    template cascade field-manager grace-period prune-allowlist timeout container pod-running-timeout
    limit-bytes max-log-requests since since-time tail address retries annotations env image
    image-pull-policy labels overrides override-type port restart current-replicas replicas
    resource-version type patch patch-file from-literal from-file from-env-file cert key docker-server
    docker-username docker-password to to-revision revision for target-port name external-name min max
    cpu-percent api-group max-history custom copy-to target set-image`),
};

export const kubernetes: readonly Program[] = [
  program("kubectl oc", (use) => kubectl(readAsGo(use, clusterOptions)), {
    options: clusterOptions,
    verbs: 2,
  }),
];

/** The words after `--` are the command in the container; options among them are not kubectl's. */
function* kubectl(use: Use): Iterable<Effect> {
  if (use.has("help", "h")) return;
  if (use.value("dry-run")?.text.match(/^(?:client|server)$/u)) {
    yield* asks;
    return;
  }
  yield* takesAccess(use);
  yield* reads(
    use.values("f", "filename", "k", "kustomize", "from-file", "from-env-file", "patch-file").filter(isFile),
  );
  for (const from of use.values("f", "filename", "k", "kustomize"))
    if (/^https?:/u.test(from.text)) yield { type: "fetches", from };
  yield* tellByVerb(use, clusterVerbs);
}

/**
 * A kubeconfig selects the cluster and keys, and can name a program that obtains them. One in `.kube` is the user's
 * own; any other is loaded code.
 */
const takesAccess = (use: Use): Effect[] =>
  use
    .values("kubeconfig")
    .flatMap((path) => (/(?:^|\/)\.kube\/[^/]+$/u.test(path.text) ? [] : [loads(path)]));

const isFile = ({ text }: Word): boolean => text !== "-" && !/^https?:/u.test(text);

const clusterVerbs = verbTable(
  [
    [
      `get, describe, logs, top, explain, version, api-resources, api-versions, cluster-info, events,
        diff, wait, auth can-i, auth whoami, config view, config get-contexts, config current-context,
        config get-clusters, config get-users, kustomize, completion, rollout status, rollout history,
        options, whoami, status, projects, plugin list`,
      looksAt,
    ],
    [
      `apply, create, replace, patch, edit, set, expose, autoscale, annotate, label, scale, rollout,
        run, certificate, taint, cordon, uncordon, adm, new-app, start-build, process, policy,
        import-image`,
      always("it changes what runs in the cluster"),
    ],
    [
      "rollout restart, rollout undo, rollout pause, rollout resume",
      always("it changes what runs in the cluster"),
    ],
    ["create token", always("it prints a key of the cluster")],
    ["drain", always("it moves everything off a machine of the cluster")],
    ["exec, rsh", inPod],
    ["debug", inPod],
    ["attach", always("it joins a process in the cluster")],
    ["port-forward, proxy", always("it opens a tunnel between this machine and the cluster")],
    ["cp, rsync", copies],
    ["delete", deletes],
    [
      `config, config use-context, config set, config set-context, config set-credentials,
        config set-cluster, config unset, config delete-context, config delete-cluster,
        config rename-context, project, login, logout`,
      always("it changes which cluster other commands work on"),
    ],
  ],
  { otherwise: always("it may change what runs in the cluster") },
);

function* looksAt(use: Use): Iterable<Effect> {
  yield* asks;
  const names = use.operands.flatMap(({ text }) => text.split(","));
  const isShown =
    use.has("o", "output", "template") && !/^(?:wide|name)$/u.test(use.value("o", "output")?.text ?? "");
  const isSecret = names.some((name) => /^secrets?(?:\/|$)/u.test(name));
  if ((isSecret && isShown) || (use.has("raw") && use.words.some(({ text }) => /secrets/u.test(text)))) {
    yield { type: "prints", flows: ["secret"] };
    yield danger("high", "it prints passwords or keys of the cluster");
  }
  if (use.words.some(({ text }) => text === "view") && use.has("raw"))
    yield danger("high", "it prints keys of the cluster");
}

function* inPod(use: Use): Iterable<Effect> {
  yield danger("high", "it runs a command in the cluster");
  const end = use.words.findIndex(({ text }) => text === "--");
  const command = end < 0 ? use.operands.slice(1) : use.words.slice(end + 1);
  if (command.length > 0) yield runs(command, { remote: true });
}

const isInPod = ({ text }: Word): boolean => /^[^./~][^:]*:/u.test(text);

function* copies({ operands: [from, to] }: Use): Iterable<Effect> {
  if (!from || !to) return;
  if (isInPod(from)) yield { type: "fetches", from: undefined };
  else yield { type: "reads", path: from };
  if (isInPod(to)) yield { type: "sends", to, files: isInPod(from) ? [] : [from] };
  else yield { type: "writes", path: to, how: "replaces" };
  yield danger("high", "it copies files between this machine and the cluster");
}

const wholeKinds =
  /^(?:namespaces?|ns|projects?|nodes?|no|persistentvolumes?|pvc?|persistentvolumeclaims?|customresourcedefinitions?|crds?|clusters?|storageclass(?:es)?|all)(?:[./]|$)/u;

function deletes(use: Use): readonly Effect[] {
  const kinds = use.operands.slice(0, 1).flatMap(({ text }) => text.split(","));
  const isWhole =
    kinds.some((kind) => wholeKinds.test(kind)) ||
    use.operands.some(({ text }) => /^(?:ns|namespace|node|pvc?|crd)\//u.test(text)) ||
    use.has("A", "all-namespaces") ||
    (use.operands.some(isUnknown) && use.operands.length === 1);
  return isWhole
    ? always("it destroys whole parts of the cluster with what is in them", "critical")
    : always("it deletes what runs in the cluster");
}
