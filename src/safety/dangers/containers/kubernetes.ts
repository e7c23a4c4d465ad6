/** Programs for container clusters. */

import { isUnknown, type Word } from "../../command-line/word.ts";
import { danger, interprets, loads, reads, replaces, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { namesIn } from "../listed.ts";
import { isThisMachine } from "../parts.ts";
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

const helmOptions: OptionForm = {
  short: "nfol",
  long: namesIn(`namespace values set set-string set-file set-json version repo kube-context kubeconfig
    timeout output selector post-renderer post-renderer-args username password ca-file cert-file
    key-file keyring destination description registry-config repository-config max revision offset
    filter app-version starter show-only name-template kube-apiserver kube-token environment file
    state-values-set`),
};

export const kubernetes: readonly Program[] = [
  program("kubectl oc", (use) => kubectl(readAsGo(use, clusterOptions)), {
    options: clusterOptions,
    verbs: 2,
  }),
  program("helm", (use) => charts(readAsGo(use, helmOptions)), { options: helmOptions, verbs: 2 }),
  program("helmfile", (use) => charts(use), { options: helmOptions }),
  program(
    "minikube kind k3d k3s colima rancher-desktop orb microk8s k0s",
    (use) => tellByVerb(use, localClusters),
    {
      options: {
        short: "pnf",
        long: namesIn("profile name config driver cpus memory kubernetes-version image kubeconfig node"),
      },
    },
  ),
  program("eksctl kops kubeadm talosctl rke clusterctl", (use) => tellByVerb(use, clusterBuilders), {
    options: { short: "fno", long: ["name", "region", "profile", "config-file", "nodes", "state"] },
  }),
  program("argocd flux kubeseal istioctl linkerd cilium velero kn tkn", (use) =>
    tellByVerb(use, clusterTools),
  ),
  program(
    `k9s stern kubetail kubens kubectx kustomize kubeval kubeconform kube-score kubelinter popeye datree
      lens kompose`,
    looksMostly,
    {
      options: {
        short: "nofc",
        long: ["namespace", "context", "output", "kubeconfig", "since", "container", "enable-exec"],
      },
    },
  ),
  program("skaffold tilt garden devspace okteto draft werf", (use) => tellByVerb(use, loops), {
    options: { short: "fpn", long: ["filename", "profile", "namespace", "default-repo", "tag"] },
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

function* charts(use: Use): Iterable<Effect> {
  if (use.has("help", "h")) return;
  yield* takesAccess(use);
  yield* reads(
    use
      .values("f", "values", "set-file")
      .map((word) => ({ ...word, text: word.text.replace(/^[^=]*=/u, "") }))
      .filter(isFile),
  );
  for (const code of use.values("post-renderer"))
    yield* [danger("high", "its option --post-renderer runs a command"), interprets("shell", code)];
  if (use.has("dry-run") && use.value("dry-run")?.text !== "none") {
    yield* asks;
    return;
  }
  yield* tellByVerb(use, chartVerbs);
}

const chartVerbs = verbTable(
  [
    [
      `list, ls, status, history, get, get values, get manifest, get all, search, search repo,
        search hub, show, inspect, version, env, dependency list, dep list, repo list, verify,
        completion, plugin list, diff, build, fetch`,
      asks,
    ],
    ["create, package, repo index, lint", []],
    [
      "template",
      ({ operands }: Use) => (operands.slice(-1).some(({ text }) => /^\.{0,2}\//u.test(text)) ? [] : asks),
    ],
    [
      `repo add, repo update, repo remove, dependency update, dependency build, dep update, dep build,
        dep up, pull, deps`,
      always("it fetches or names charts", "medium"),
    ],
    ["install, upgrade, rollback, apply, sync, test", always("it changes what runs in the cluster")],
    ["uninstall, delete, del, un, destroy", always("it removes what runs in the cluster")],
    ["push", always("it publishes a chart")],
    ["registry login, registry logout", always("it signs in or out")],
    ["plugin install, plugin update", always("it installs a plugin, which runs code of its own")],
  ],
  { otherwise: always("it may change what runs in the cluster") },
);

const localClusters = verbTable(
  [
    [
      `status, ip, profile list, get, get clusters, get nodes, get kubeconfig, list, cluster list,
        node list, version, logs, service, dashboard, docker-env, addons list, image ls, kubeconfig get,
        export, export logs, kubectl config view, check, crictl`,
      [],
    ],
    [
      `start, create, create cluster, cluster create, load, image load, image import, image build,
        addons, config, update-context, cluster start, restart, pause, unpause, cache`,
      always("it starts a cluster of containers on this machine", "medium"),
    ],
    ["stop, cluster stop, node stop", always("it stops the cluster on this machine", "medium")],
    [
      "delete, delete cluster, cluster delete, reset, node delete",
      always("it deletes the cluster on this machine with its data"),
    ],
    [
      "kubectl",
      ({ words }) => [
        runs([
          { ...(words[0] ?? noWord), text: "kubectl" },
          ...words.slice(1).filter(({ text }) => text !== "--"),
        ]),
      ],
    ],
    ["ssh", always("it opens a session in the cluster on this machine", "medium")],
    ["mount", always("it shows a directory of this machine to the cluster")],
    ["tunnel, server, agent", always("it opens this machine to others")],
  ],
  { otherwise: always("it may change the cluster on this machine", "medium") },
);

const noWord: Word = { text: "", isPattern: false, mayBeSeveral: false, carries: new Set() };

const clusterBuilders = verbTable(
  [
    [
      `get, version, info, utils describe-stacks, validate, validate cluster, config, health, dashboard,
        describe, generate`,
      asks,
    ],
    [
      "delete, delete cluster, reset, destroy, remove",
      always("it destroys a cluster with what is in it", "critical"),
    ],
  ],
  { otherwise: always("it changes a cluster") },
);

const clusterTools = verbTable(
  [
    [
      `get, list, version, status, describe, logs, check, app get, app list, app diff, app history,
        app logs, cluster list, repo list, proj list, analyze, proxy-status, stats, top, diff,
        backup get, backup describe, restore get, stat, viz stat, tree, trace`,
      asks,
    ],
    ["app delete, delete, uninstall, backup delete", always("it removes what runs in the cluster")],
    ["login, logout", always("it signs in or out")],
  ],
  { otherwise: always("it may change what runs in the cluster") },
);

const loops = verbTable(
  [
    [
      `version, render, diagnose, list, config, status, logs, get, describe, schema, validate, build,
        init, inspect, converge --dry-run, analyze, print`,
      [],
    ],
    [
      "dev, up, run, deploy, debug, apply, converge, sync, test",
      always("it changes what runs in the cluster"),
    ],
    [
      "delete, down, cleanup, purge, destroy, dismiss, cleanup namespace",
      always("it removes what runs in the cluster"),
    ],
  ],
  { otherwise: always("it may change what runs in the cluster") },
);

function* looksMostly(use: Use): Iterable<Effect> {
  const [verb] = use.operands;
  if (/^kube(?:ns|ctx)$/u.test(use.name) && verb)
    yield danger("high", "it changes which cluster other commands work on");
  if (use.has("enable-exec", "enable-alpha-plugins"))
    yield danger("high", "its option lets plugins run commands");
  if (/^kube(?:val|conform|-score|linter)$/u.test(use.name)) yield* reads(use.operands);
  if (use.name === "kustomize")
    for (const path of use.operands.slice(1))
      yield isThisMachine(path) || /^https?:/u.test(path.text)
        ? { type: "fetches", from: path }
        : loads(path);
  yield* replaces(use.values("o", "output").filter(({ text }) => text.includes("/") || text.includes(".")));
}
