/** Functions of `containers.yaml`: what containers get of this machine, and what happens in them and in clusters. */

import { isUnknown, unknownWord, type Word } from "../../command-line/word.ts";
import type { WordsDo } from "../data/does.ts";
import { danger, reads, replaces, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import type { Use } from "../program.ts";
import { mountsOf } from "./mounts.ts";

const asks: Effect = { type: "fetches", from: undefined };

type Right = readonly [options: readonly string[], value: RegExp, because: string];

const wholeMachine: readonly Right[] = [
  [["pid", "ipc", "uts", "userns", "cgroupns"], /^host$/u, "it shares the processes of this machine with it"],
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
  [["security-opt"], /(?:unconfined|disable|no-new-privileges[:=]false)/iu, "it takes its restraints away"],
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
  const [image] = use.operands;
  if (image && isUnknown(image) && image.mayBeSeveral)
    yield danger("high", "its options are only known when it runs");
}

/** Options alone are for the image's own program, which is unknown, unless an entry point is given. */
function command(use: Use): Effect[] {
  const [, ...rest] = use.operands;
  const entry = use.value("entrypoint");
  const words = [...(entry && entry.text !== "" ? [entry] : []), ...rest];
  if (words.length === 0 || (!entry && rest[0]?.text.startsWith("-") === true)) return [];
  const mounts = mountsOf(use);
  const seen = mounts.length === 0 ? {} : { mounts, directory: use.value("w", "workdir") ?? unknownWord() };
  return [runs(words, { remote: true, ...seen })];
}

/** The entire file system, a top-level directory, or the usual places of service data. */
const kept = /^\/(?:\*|(?!tmp(?:\/|$))[^/]+\/?\*?|var\/(?:lib|www|backups)(?:\/.*)?)?$/u;

/** `rm -rf /data`: the files of a running container exist nowhere else. */
const isDeletingAll = ([first, ...rest]: readonly Word[]): boolean =>
  /^(?:.*\/)?rm$/u.test(first?.text ?? "") &&
  rest.some(({ text }) => /^-[A-Za-z]*[rR]|^--recursive$/u.test(text)) &&
  rest.some(({ text }) => kept.test(text));

const fieldsIn = (words: readonly Word[], field: RegExp): Word[] =>
  words.flatMap((word) => {
    const path = field.exec(word.text)?.groups?.["path"];
    return path === undefined ? [] : [{ ...word, text: path }];
  });

/** In a copy, a name before the colon is a container. */
const isInside = ({ text }: Word): boolean => /^[^./~][^/:]*:/u.test(text);

const copies =
  (because: Effect, sends: boolean): WordsDo =>
  ([from, to]) => {
    if (!from || !to) return [];
    return [
      ...(isInside(from) || from.text === "-" ? [] : reads([from])),
      ...(isInside(to) ? [because] : to.text === "-" ? [] : replaces([to])),
      ...(sends && isInside(to) ? [{ type: "sends", to, files: isInside(from) ? [] : [from] } as const] : []),
      ...(sends && isInside(from) ? [because] : []),
    ];
  };

function looks({ operands, words, has, value }: Use, more: readonly Word[]): Effect[] {
  const names = [...operands, ...more].flatMap(({ text }) => text.split(","));
  const isShown =
    has("o", "output", "template") && !/^=?(?:wide|name)$/u.test(value("o", "output")?.text ?? "");
  const isSecret = names.some((name) => /^secrets?(?:\/|$)/u.test(name)) && isShown;
  const isRaw = has("raw") && words.some(({ text }) => /secrets|^view$/u.test(text));
  return isSecret || isRaw
    ? [
        asks,
        { type: "prints", flows: ["secret"] },
        danger("high", "it prints passwords or keys of the cluster"),
      ]
    : [asks];
}

const wholeKinds =
  /^(?:namespaces?|ns|projects?|nodes?|no|persistentvolumes?|pvc?|persistentvolumeclaims?|customresourcedefinitions?|crds?|clusters?|storageclass(?:es)?|all)(?:[./]|$)/u;

const isDry = ({ value }: Use): boolean => /^(?:client|server|true)$/u.test(value("dry-run")?.text ?? "");

function deletions(words: readonly Word[], use: Use): Effect[] {
  if (isDry(use)) return [asks];
  const isWhole =
    words.slice(0, 1).some(({ text }) => text.split(",").some((kind) => wholeKinds.test(kind))) ||
    words.some(({ text }) => /^(?:ns|namespace|node|pvc?|crd)\//u.test(text)) ||
    use.has("A", "all-namespaces") ||
    (words.length === 1 && words.some(isUnknown));
  return isWhole
    ? [danger("critical", "it destroys whole parts of the cluster with what is in them")]
    : [danger("high", "it deletes what runs in the cluster")];
}

/** What reads its orders where nobody has looked: `echo … | docker exec -i db sh`. */
const takesOrders = ([first, ...rest]: readonly Word[]): boolean =>
  first !== undefined &&
  readsOrders.test(first.text) &&
  rest.every(({ text }) => text.startsWith("-") && !/^-[a-z]*[ce]|^--(?!help|version)/u.test(text));

const readsOrders =
  /^(?:.*\/)?(?:\w*sh|python[\d.]*|node|perl|ruby|irb|php|psql|mysql|mariadb|sqlite3|redis-cli|mongo)$/u;

export const containerFunctions: Readonly<Record<string, WordsDo>> = {
  "rights of a container": (_, use) => rights(use),
  "command of a container": (_, use) => command(use),
  /** It is kept, and nothing of it runs. Its name may say from which registry, other than that of the service. */
  "asks for an image": ([image]) => {
    const [registry = "", name] = image?.text.split("/") ?? [];
    const isNamed = name !== undefined && /[.:]|^localhost$/u.test(registry);
    return [{ type: "fetches", from: image && (isNamed || isUnknown(image)) ? image : undefined }];
  },
  "inside a container": (words) => [
    ...(isDeletingAll(words) ? [danger("high", "it deletes what a running container keeps")] : []),
    ...(takesOrders(words) ? [danger("medium", "it gives orders to a program in a container")] : []),
    ...(words.length > 0 ? [runs(words, { remote: true })] : []),
  ],
  "context of a build": (words) =>
    reads(words.filter(({ text }) => !/^(?:-|https?:|git[@:]|ssh:)/u.test(text))),
  "sources of a build": (words) => reads(fieldsIn(words, /(?:^|,)(?:src|source)=(?<path>[^,]+)/u)),
  "targets of a build": (words) =>
    replaces([
      ...words.filter(({ text }) => !text.includes("=") && text !== "-"),
      ...fieldsIn(words, /(?:^|,)dest=(?<path>[^,]+)/u),
    ]),
  "rights of a build": (words) =>
    words.some(({ text }) => /insecure|unconfined|device|^host$/u.test(text))
      ? [danger("high", "it gives the build more rights over this machine")]
      : [],
  "files of an image": (_, { values }) => replaces(values("o", "output")),
  "copies of a container": copies(danger("medium", "it changes files in a container"), false),
  "removed services": (_, { has }) => [
    has("v", "volumes")
      ? danger("high", "it removes containers with their data")
      : danger("medium", "it removes containers"),
  ],
  "files of a cluster": (words) =>
    words.flatMap((path): Effect[] =>
      /^https?:/u.test(path.text)
        ? [{ type: "fetches", from: path }]
        : path.text === "-"
          ? []
          : [{ type: "reads", path }],
    ),
  "looks at a cluster": (words, use) => looks(use, words),
  "command in a cluster": (words, use) => {
    const end = use.words.findIndex(({ text }) => text === "--");
    const inner = end < 0 ? words.slice(1) : use.words.slice(end + 1);
    return inner.length > 0 ? [runs(inner, { remote: true })] : [];
  },
  "copies of a cluster": copies(danger("high", "it copies files between this machine and the cluster"), true),
  "deletes in a cluster": deletions,
  "changes of a cluster": (_, use) => [
    isDry(use) || (use.name === "helm" && use.has("dry-run") && use.value("dry-run") === undefined)
      ? asks
      : danger("high", "it changes what runs in the cluster"),
  ],
};
