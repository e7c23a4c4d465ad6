/** docker and compatible programs: containers, images, and the parts of this machine that they can access. */

import { isUnknown, unknownWord, type Word } from "../../command-line/word.ts";
import { danger, doesMore, reads, replaces, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { namesIn } from "../listed.ts";
import { type OptionForm, program, type Program, type Use } from "../program.ts";
import { always, readAsGo, tellByVerb, verbTable } from "../verbs.ts";
import { compose } from "./compose.ts";
import { happening } from "./elsewhere.ts";
import { deletesInside, typesInside } from "./inside.ts";
import { isInContainer, mounted, mountsOf, takesVariables, mountedBySettings } from "./mounts.ts";

const runOptions: OptionForm = {
  stopAtOperand: true,
  short: "acehlmpuvw",
  long: namesIn(`add-host annotation arch attach authfile blkio-weight blkio-weight-device cap-add
    cap-drop cgroup-conf cgroup-parent cgroupns cidfile conmon-pidfile cpu-count cpu-percent cpu-period
    cpu-quota cpu-rt-period cpu-rt-runtime cpu-shares cpus cpuset-cpus cpuset-mems detach-keys device
    device-cgroup-rule device-read-bps device-read-iops device-write-bps device-write-iops dns
    dns-option dns-search domainname entrypoint env env-file expose gpus group-add health-cmd
    health-interval health-retries health-start-interval health-start-period health-timeout hooks-dir
    hostname io-maxbandwidth io-maxiops ip ip6 ipc isolation kernel-memory label label-file link
    link-local-ip log-driver log-opt mac-address memory memory-reservation memory-swap memory-swappiness
    mount name network net network-alias oom-score-adj os pid pidfile pids-limit platform pod publish
    pull restart runtime secret security-opt shm-size stop-signal stop-timeout storage-opt sysctl
    timeout tmpfs ulimit umask user userns uts variant volume volume-driver volumes-from workdir
    mount-add`),
};

const execOptions: OptionForm = {
  stopAtOperand: true,
  short: "euw",
  long: ["detach-keys", "env", "env-file", "user", "workdir"],
};

const buildOptions: OptionForm = {
  short: "cfmto",
  long: namesIn(`add-host build-arg build-context cache-from cache-to cgroup-parent cpu-period cpu-quota
    cpu-shares cpuset-cpus cpuset-mems file iidfile isolation label memory memory-swap metadata-file
    network output platform secret security-opt shm-size ssh tag target ulimit volume allow builder
    progress sbom attest provenance annotation`),
};

const otherOptions: OptionForm = {
  short: "foastc",
  long: namesIn(`filter format output platform time signal author message change tail since until driver
    opt label username password subnet gateway docker from description`),
};

const engineOptions: OptionForm = {
  stopAtOperand: true,
  short: "cHlnb",
  long: namesIn(`config context host log-level tlscacert tlscert tlskey connection url root runroot
    hooks-dir module namespace address`),
};

export const docker: readonly Program[] = [
  program("docker podman nerdctl finch", (use) => engine(readAsGo(use, engineOptions)), {
    options: engineOptions,
    verbs: 2,
  }),
];

function* engine(use: Use): Iterable<Effect> {
  if (use.has("help", "version")) return;
  if (use.has("config", "hooks-dir", "module"))
    yield danger("high", "it takes its settings from elsewhere, which can run programs");
  yield* happening(use, tellByVerb(use, verbs));
}

const verbs = verbTable(
  [
    [
      `ps, images, logs, inspect, info, version, stats, top, port, diff, history, events, search,
        container ls, container list, container ps, container logs, container inspect, container top,
        container port, container stats, container diff, image ls, image list, image inspect,
        image history, volume ls, volume list, volume inspect, network ls, network list,
        network inspect, system df, system info, system events, context ls, context show,
        context inspect, builder du, buildx ls, buildx inspect, buildx du, buildx version,
        manifest inspect, scout, wait, container wait, plugin ls, node ls, service ls, service ps,
        service logs, stack ls, stack ps, secret ls, config ls, completion, healthcheck, pod ps,
        pod inspect, pod logs, generate, machine list, machine info, machine inspect,
        buildx bake --print`,
      [],
    ],
    ["run, container run, create, container create", startsContainer, runOptions],
    ["exec, container exec", inContainer, execOptions],
    ["build, image build, builder build, buildx build, buildx b, buildx bake", builds, buildOptions],
    ["pull, image pull", pulls],
    [
      `start, restart, container start, container restart, unpause, container unpause, pause,
        container pause, rename, container rename, update, container update, attach, container attach,
        pod create, pod start, machine start, machine init`,
      always("it starts or changes a container", "medium"),
    ],
    ["stop, container stop, pod stop, machine stop", always("it stops a container", "medium")],
    ["kill, container kill, pod kill", always("it kills a container")],
    [
      `rm, container rm, container remove, container prune, rmi, image rm, image remove, image prune,
        volume rm, volume remove, volume prune, system prune, builder prune, buildx prune, buildx rm,
        system reset, network prune, pod rm, machine rm, secret rm, config rm, stack rm, stack down,
        service rm, plugin rm`,
      always("it removes containers, images or their data"),
    ],
    [
      `network create, volume create, network connect, network disconnect, buildx create, buildx use,
        tag, image tag, image untag`,
      [doesMore],
    ],
    ["network rm, network remove", always("it changes which containers reach each other", "medium")],
    [
      `context use, context create, context update, context import, context rm, system connection default, system connection add,
        system connection remove, machine set`,
      always("it changes which machine's containers other commands work on"),
    ],
    ["push, image push, manifest push, buildx imagetools create", always("it publishes an image")],
    ["login, logout", always("it signs in or out")],
    ["commit, container commit", always("it makes an image", "medium")],
    ["cp, container cp", copies],
    ["save, image save, export, container export", ({ values }) => replaces(values("o", "output"))],
    ["load, image load, import, image import", loadsImage],
    [
      "swarm, stack deploy, stack up, service scale, node update, swarm init, swarm join",
      always("it deploys containers"),
    ],
    ["service create, service update", deploysService, runOptions],
    ["secret create, config create", always("it stores something in the cluster of containers", "medium")],
    [
      "plugin install, extension install",
      always("it installs an extension, which has the rights of the engine"),
    ],
    [
      "compose",
      compose,
      {
        stopAtOperand: true,
        short: "fp",
        long: namesIn("file project-name project-directory env-file profile ansi progress parallel"),
      },
    ],
    ["unshare", ({ operands }) => [runs(operands)], { stopAtOperand: true }],
    [
      "kube play, play kube",
      ({ operands }) => [
        ...reads(operands),
        ...always("it starts containers that a file describes", "medium"),
      ],
    ],
    ["mount, image mount", always("it shows the files of a container here", "medium")],
    ["machine ssh", always("it opens a session on a machine of the engine", "medium")],
  ],
  { otherwise: always("it may start containers or change them", "medium"), form: otherOptions },
);

function* startsContainer(use: Use): Iterable<Effect> {
  if (use.has("help")) return;
  yield danger("medium", "it starts a container, which runs code of its own");
  for (const volume of use.values("v", "volume")) yield* mounted(volume, use.around);
  for (const settings of use.values("mount")) yield* mountedBySettings(settings, use.around);
  yield* takesVariables(use);
  yield* replaces(use.values("cidfile", "pidfile", "conmon-pidfile"));
  yield* rights(use);
  const [image, ...command] = use.operands;
  if (image && isUnknown(image) && image.mayBeSeveral)
    yield danger("high", "its options are only known when it runs");
  const entry = use.value("entrypoint");
  const words = [...(entry && entry.text !== "" ? [entry] : []), ...command];
  const mounts = mountsOf(use);
  const seen = mounts.length === 0 ? {} : { mounts, directory: use.value("w", "workdir") ?? unknownWord() };
  if (words.length > 0 && (entry !== undefined || command[0]?.text.startsWith("-") === false))
    yield runs(words, { remote: true, ...seen });
}

function* deploysService(use: Use): Iterable<Effect> {
  yield danger("high", "it deploys containers");
  for (const settings of use.values("mount", "mount-add")) yield* mountedBySettings(settings, use.around);
  yield* rights(use);
}

type Right = readonly [options: readonly string[], value: RegExp, because: string];

const wholeMachine: readonly Right[] = [
  [
    ["pid", "ipc", "uts", "userns", "cgroupns"],
    /^host$/u,
    "it shares the processes of this machine with the container",
  ],
  [
    ["cap-add"],
    /^(?:cap_)?(?:all|sys_admin|sys_ptrace|sys_module|sys_rawio|dac_read_search|dac_override|bpf|sys_boot|mknod)$/iu,
    "it gives the container rights over this machine",
  ],
  [
    ["device"],
    /^\/dev\/(?:sd|hd|vd|xvd|nvme|mem|kmem|port|disk|dm-|mapper|loop|root|md)/u,
    "it gives the container a disk of this machine",
  ],
  [
    ["security-opt"],
    /(?:unconfined|disable|no-new-privileges[:=]false)/iu,
    "it takes the container's restraints away",
  ],
  [["runtime"], /^[./]/u, "it runs the container by another program"],
];

const weaker: readonly Right[] = [
  [["network", "net"], /^host$/u, "it shares this machine's network with the container"],
  [["cap-add"], /^/u, "it gives the container more rights"],
  [
    ["device", "device-cgroup-rule"],
    /^(?!\/dev\/(?:dri|kvm|fuse|snd|video|nvidia|null|zero|tty|urandom|random))/u,
    "it gives the container a device of this machine",
  ],
  [["volumes-from"], /^/u, "it gives the container what another one has"],
  [["gpus"], /^$/u, "it gives the container a device of this machine"],
];

function* rights(use: Use): Iterable<Effect> {
  const flag = use.options.findLast(({ name }) => name === "privileged");
  if (flag && flag.value?.text !== "false")
    yield danger("critical", "it gives the container all rights over this machine");
  for (const [options, value, because] of wholeMachine)
    if (use.values(...options).some((word) => value.test(word.text) || isUnknown(word)))
      yield danger("critical", because);
  for (const [options, value, because] of weaker)
    if (use.values(...options).some((word) => value.test(word.text))) yield danger("high", because);
}

/** It is kept, and nothing of it runs. Its name may say from which registry, other than that of the service. */
function* pulls({ operands: [image] }: Use): Iterable<Effect> {
  const [registry = "", name] = image?.text.split("/") ?? [];
  const isNamed = name !== undefined && /[.:]|^localhost$/u.test(registry);
  yield { type: "fetches", from: image && (isNamed || isUnknown(image)) ? image : undefined };
}

function* inContainer(use: Use): Iterable<Effect> {
  if (use.has("help", "h")) return;
  if (use.has("privileged")) yield danger("high", "it gives the command all rights in the container");
  yield* takesVariables(use);
  const [, ...command] = use.operands;
  yield* deletesInside(command);
  yield* typesInside(command);
  if (command.length > 0) yield runs(command, { remote: true });
}

function* builds(use: Use): Iterable<Effect> {
  yield danger("medium", "it builds an image, which runs code of its own");
  yield { type: "fetches", from: undefined };
  const [context] = use.operands;
  if (context && !/^(?:-|https?:|git[@:]|ssh:)/u.test(context.text)) yield { type: "reads", path: context };
  for (const path of use.values("f", "file")) if (path.text !== "-") yield { type: "reads", path };
  for (const secret of [...use.values("secret"), ...use.values("build-context")])
    yield* reads(sourceIn(secret));
  yield* replaces([
    ...use.values("iidfile", "metadata-file"),
    ...use.values("o", "output").flatMap(targetIn),
  ]);
  for (const volume of use.values("v", "volume")) yield* mounted(volume, use.around);
  if (
    use.values("allow", "security-opt").some(({ text }) => /insecure|unconfined|device/u.test(text)) ||
    use.values("network").some(({ text }) => text === "host")
  )
    yield danger("high", "it gives the build more rights over this machine");
  if (use.has("push")) yield danger("high", "it publishes an image");
}

const sourceIn = (word: Word): Word[] => fieldIn(word, /(?:^|,)(?:src|source)=(?<path>[^,]+)/u);
const targetIn = (word: Word): Word[] =>
  word.text.includes("=") ? fieldIn(word, /(?:^|,)dest=(?<path>[^,]+)/u) : word.text === "-" ? [] : [word];

function fieldIn(word: Word, field: RegExp): Word[] {
  const path = field.exec(word.text)?.groups?.["path"];
  return path === undefined ? [] : [{ ...word, text: path }];
}

function* copies({ operands }: Use): Iterable<Effect> {
  const [from, to] = operands;
  if (!from || !to) return;
  if (!isInContainer(from) && from.text !== "-") yield { type: "reads", path: from };
  if (isInContainer(to)) yield danger("medium", "it changes files in a container");
  else if (to.text !== "-") yield { type: "writes", path: to, how: "replaces" };
}

function* loadsImage(use: Use): Iterable<Effect> {
  yield* reads(
    [...use.values("i", "input"), ...use.operands.slice(0, 1)].filter(
      ({ text }) => text !== "-" && !/^https?:/u.test(text),
    ),
  );
  yield danger("medium", "it takes in an image");
}
