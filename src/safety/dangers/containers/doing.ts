/** Functions of `containers.yaml`: what containers get of this machine, and what happens in them and in clusters. */

import { isUnknown, literal, unknownWord, type Word, withText } from "../../command-line/word.ts";
import type { WordsDo } from "../data/does.ts";
import { danger, loads, reads, replaces, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import type { Use } from "../program.ts";
import { sharedPlaceEffects, mountEffects, mountsOf } from "./mounts.ts";

const asks: Effect = { type: "fetches", from: undefined };

/** Options by which a container is none any more: `--pid=host`. */
const wholeMachine =
  /^(?:privileged(?!=false$)|(?:pid|ipc|uts|userns|cgroupns)=host$|cap-add=(?:cap_)?(?:all|sys_admin|sys_ptrace|sys_module|sys_rawio|dac_read_search|dac_override|bpf|sys_boot|mknod)$|device=\/dev\/(?:sd|hd|vd|xvd|nvme|mem|kmem|port|disk|dm-|mapper|loop|root|md)|security-opt=.*(?:unconfined|disable|no-new-privileges[:=]false)|runtime=[./]|(?:pid|ipc|uts|userns|cap-add|device|security-opt|runtime)=.*\0)/iu;
const someRights =
  /^(?:net(?:work)?=host$|cap-add=|volumes-from=|device(?:-cgroup-rule)?=(?!\/dev\/(?:dri|kvm|fuse|snd|video|nvidia|null|zero|tty|urandom|random)))/u;

function* rights({ options, operands: [image] }: Use): Iterable<Effect> {
  const said = options.map(({ name, value }) => (value ? `${name}=${value.text}` : name));
  if (said.some((option) => wholeMachine.test(option)))
    yield danger("critical", "it gives the container all rights over this machine");
  if (said.some((option) => someRights.test(option)))
    yield danger("high", "it gives the container more of this machine");
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
  if (!isSecret && !isRaw) return [asks];
  return [
    asks,
    { type: "prints", flows: ["secret"] },
    danger("high", "it prints passwords or keys of the cluster"),
  ];
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
  "mounted volumes": (words, { around }) => words.flatMap((word) => mountEffects(word, around)),
  "shared places": (words, { around }) =>
    words.flatMap((word) =>
      sharedPlaceEffects(withText(word, word.text.replace(/:.*$/su, "")), { isReadOnly: false, around }),
    ),
  "machine disks": (words) =>
    words.map((word) => ({
      type: "writes",
      path: withText(
        word,
        /(?:^|,)(?:file|path)=([^,]+)/u.exec(word.text)?.[1] ?? word.text.replace(/,.*$/su, ""),
      ),
      how: "edits",
    })),
  /** Of machines inside this one: `lxc config device add c d disk source=/ path=/x`. */
  "rights of a machine": (_, { words, around }) => [
    ...(words.some(({ text }) => /security\.(?:privileged|nesting)[= ]?(?:true|1)?$|raw\.lxc/u.test(text))
      ? [danger("critical", "it gives the container all rights over this machine")]
      : []),
    ...words
      .filter(({ text }) => /(?:^|,)(?:source|path)=/u.test(text))
      .flatMap((word) =>
        sharedPlaceEffects(withText(word, /(?:source|path)=([^,]+)/u.exec(word.text)?.[1] ?? ""), {
          isReadOnly: word.text.includes("readonly"),
          around,
        }),
      ),
  ],
  "command in a machine": (words, use) => {
    const end = use.words.findIndex(({ text }) => text === "--");
    const codes = use.values("c", "command").map((code) => [literal("sh"), literal("-c"), code]);
    const command = end < 0 ? words.slice(1) : use.words.slice(end + 1);
    const mounts = [{ source: literal("."), at: "/vagrant", isReadOnly: false }];
    return [
      danger("medium", "it runs a command in a machine inside this one"),
      ...[...codes, command]
        .filter((inner) => inner.length > 0)
        .map((inner) => runs(inner, { remote: true, ...(use.name === "vagrant" ? { mounts } : {}) })),
    ];
  },
  "kubectl of a machine": (words) => [
    runs([literal("kubectl"), ...words.filter(({ text }) => text !== "--")]),
  ],
  "cluster access": (words) =>
    words.filter(({ text }) => !/(?:^|\/)\.kube\/[^/]+$/u.test(text)).map((path) => loads(path)),
  "copies of a container": copies(danger("medium", "it changes files in a container"), false),
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
