/** Functions of `containers.yaml`: what containers get of this machine, and what happens in them and in clusters. */

import { posix } from "node:path";
import { type Word, isUnknown, literal, unknownWord, withText } from "../../command-line/word.ts";
import { danger, loads, reads, replaces, runs } from "../effect-makers.ts";
import type { Effect, Mount } from "../effect.ts";
import { isEngineSocket } from "../parts.ts";
import type { Around, Use, WordsDo } from "../program.ts";

const asks: Effect = { type: "fetches", from: undefined };

/** Options by which a container is none any more: `--pid=host`. */
const wholeMachine =
  /^(?:privileged(?!=false$)|(?:pid|ipc|uts|userns|cgroupns)=host$|cap-add=(?:cap_)?(?:all|sys_admin|sys_ptrace|sys_module|sys_rawio|dac_read_search|dac_override|bpf|sys_boot|mknod)$|device=\/dev\/(?:sd|hd|vd|xvd|nvme|mem|kmem|port|disk|dm-|mapper|loop|root|md)|security-opt=.*(?:unconfined|disable|no-new-privileges[:=]false)|runtime=[./]|(?:pid|ipc|uts|userns|cap-add|device|security-opt|runtime)=.*\0)/iu;
const rights = ({ options }: Use): Effect[] =>
  options.some(({ name, value }) => wholeMachine.test(value ? `${name}=${value.text}` : name))
    ? [danger("critical", "it gives the container all rights over this machine")]
    : [];

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

/** What a description of a mount or a disk names: `type=bind,src=/x,dst=/y`, `file=/x,format=raw`, `/x`. */
const placesIn = (words: readonly Word[]): Word[] =>
  words
    .map((word) =>
      withText(
        word,
        /(?:^|,)(?:src|source|dest|path|file)=([^,]+)/u.exec(word.text)?.[1] ??
          word.text.replace(/,.*$/su, ""),
      ),
    )
    .filter(({ text }) => text !== "-" && !text.includes("="));

const readsOrders =
  /^(?:\w*sh|python[\d.]*|node|perl|ruby|irb|php|psql|mysql|mariadb|sqlite3|redis-cli|mongo)$/u;
/** The entire file system, a top-level directory, or the usual places of service data. */
const kept = /^\/(?:\*|(?!tmp(?:\/|$))[^/]+\/?\*?|var\/(?:lib|www|backups)(?:\/.*)?)?$/u;

/** `rm -rf /data`: its files exist nowhere else; `-i db sh`: nobody has looked at what it is told to do. */
function dangersInside([first, ...rest]: readonly Word[]): Effect[] {
  const name = first?.text.replace(/^.*\//u, "") ?? "";
  const isDeep = rest.some(({ text }) => /^-[A-Za-z]*[rR]|^--recursive$/u.test(text));
  if (name === "rm" && isDeep && rest.some(({ text }) => kept.test(text)))
    return [danger("high", "it deletes what a running container keeps")];
  const isTold = rest.some(
    ({ text }) => !text.startsWith("-") || /^-[a-z]*[ce]|^--(?!help|version)/u.test(text),
  );
  return readsOrders.test(name) && !isTold
    ? [danger("medium", "it gives orders to a program in a container")]
    : [];
}

/** In a copy, a name before the colon is a container. */
const isInside = ({ text }: Word): boolean => /^[^./~][^/:]*:/u.test(text);

const copies =
  (because: Effect, sends: boolean): WordsDo =>
  ([from, to]) => {
    if (!from || !to) return [];
    const near = isInside(from) || from.text === "-" ? [] : [from];
    return [
      ...reads(near),
      ...(isInside(to) || to.text === "-" ? [] : replaces([to])),
      ...(isInside(to) || sends ? [because] : []),
      ...(isInside(to) && sends ? [{ type: "sends", to, files: near } as const] : []),
    ];
  };

const secrets: readonly Effect[] = [
  asks,
  { type: "prints", flows: ["secret"] },
  danger("high", "it prints passwords or keys of the cluster"),
];

const looks = ({ operands, words, has, value }: Use): readonly Effect[] => {
  const isShown =
    has("o", "output", "template") && !/^=?(?:wide|name)$/u.test(value("o", "output")?.text ?? "");
  const isSecret = operands.some(({ text }) => /(?:^|,)secrets?(?:[/,]|$)/u.test(text)) && isShown;
  const isRaw = has("raw") && words.some(({ text }) => /secrets|^view$/u.test(text));
  return isSecret || isRaw ? secrets : [asks];
};

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

/** `exec pod -c container -- command`; a machine that vagrant made sees the workspace. */
function commandInside(words: readonly Word[], use: Use): Effect[] {
  const end = use.words.findIndex(({ text }) => text === "--");
  const codes = use.values("command", "c").map((code) => [literal("sh"), literal("-c"), code]);
  const mounts = [{ source: literal("."), at: "/vagrant", isReadOnly: false }];
  return [...codes, end < 0 ? words.slice(1) : use.words.slice(end + 1)]
    .filter((inner) => inner.length > 0)
    .map((inner) => runs(inner, { remote: true, ...(use.name === "vagrant" ? { mounts } : {}) }));
}

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
    ...dangersInside(words),
    ...(words.length > 0 ? [runs(words, { remote: true })] : []),
  ],
  "reads places": (words) => reads(placesIn(words)),
  "writes places": (words) => replaces(placesIn(words)),
  "mounted volumes": (words, { around }) => words.flatMap((word) => mountEffects(word, around)),
  "shared places": (words, { around }) =>
    words.flatMap((word) =>
      sharedPlaceEffects(withText(word, word.text.replace(/:.*$/su, "")), { isReadOnly: false, around }),
    ),
  /** Of machines inside this one: `lxc config device add c d disk source=/ path=/x`. */
  "rights of a machine": (_, { words, around }) => [
    ...(words.some(({ text }) => /security\.(?:privileged|nesting)[= ]?(?:true|1)?$|raw\.lxc/u.test(text))
      ? [danger("critical", "it gives the container all rights over this machine")]
      : []),
    ...words
      .filter(({ text }) => /(?:^|,)(?:source|path)=/u.test(text))
      .flatMap((word) =>
        sharedPlaceEffects(placesIn([word])[0] ?? word, {
          isReadOnly: word.text.includes("readonly"),
          around,
        }),
      ),
  ],
  "command inside": commandInside,
  "cluster access": (words) =>
    words.filter(({ text }) => !/(?:^|\/)\.kube\/[^/]+$/u.test(text)).map((path) => loads(path)),
  "copies of a container": copies(danger("medium", "it changes files in a container"), false),
  "looks at a cluster": (_, use) => looks(use),
  "copies of a cluster": copies(danger("high", "it copies files between this machine and the cluster"), true),
  "deletes in a cluster": deletions,
  "changes of a cluster": (_, use) => [
    isDry(use) || (use.name === "helm" && use.has("dry-run") && use.value("dry-run") === undefined)
      ? asks
      : danger("high", "it changes what runs in the cluster"),
  ],
};

/**
 * `-v source:target[:ro]`, `--mount type=bind,source=/x,target=/y,readonly`, whose fields may be quoted, or what a volume
 * of the engine's own is made from: `device=/x`.
 */
function mountIn(word: Word): Mount | undefined {
  const fields = word.text.replaceAll('"', "");
  const field = (names: string): string | undefined =>
    new RegExp(`(?:^|,)(?:${names})(?:=|$|(?=,))([^,]*)`, "u").exec(fields)?.[1];
  const given = field("(?:volume-opt=)?device") ?? field("source|src");
  if (given !== undefined) {
    const mode = field("readonly|ro");
    const isReadOnly = mode !== undefined && mode !== "false";
    return { source: withText(word, given), at: field("target|destination|dst") ?? "", isReadOnly };
  }
  const [source = "", at = "", ...access] = word.text.split(":");
  const isReadOnly = /(?:^|,)ro(?:,|$)/u.test(access.join(":"));
  return at === "" ? undefined : { source: withText(word, source), at, isReadOnly };
}

function mountEffects(volume: Word, around: Around): Effect[] {
  const mount = mountIn(volume);
  if (mount) return sharedPlaceEffects(mount.source, { isReadOnly: mount.isReadOnly, around });
  return isUnknown(volume) ? [unknownMount] : [];
}

/** The directories of this machine that a container sees, and where. A name without a slash is the engine's own. */
const mountsOf = (use: Use): Mount[] =>
  use.values("v", "volume", "mount").flatMap((word) => {
    const mount = mountIn(word);
    if (!mount?.at.startsWith("/") || !/^[./~\0]/u.test(mount.source.text)) return [];
    return [{ ...mount, at: posix.normalize(mount.at) }];
  });

const unknownMount = danger("high", "which directory the container gets is only known when it runs");

function sharedPlaceEffects(
  source: Word,
  { isReadOnly, around }: { isReadOnly: boolean; around: Around },
): Effect[] {
  if (isEngineSocket(source))
    return [danger("critical", "it gives the container engine away, which is root on this machine")];
  if (isUnknown(source) && !/^[./~]/u.test(source.text))
    return [unknownMount, { type: "reads", path: source }];
  if (!/^[./~\0]|^[A-Za-z]:[\\/]/u.test(source.text)) return [];
  const path = absolute(source.text, around);
  const isWhole = path !== undefined && isWholePlace(path, { isReadOnly, home: around.home });
  return [
    ...(isWhole ? [danger("critical", "it gives the container a whole part of this machine")] : []),
    isReadOnly ? { type: "reads", path: source } : { type: "writes", path: source, how: "edits" },
    { type: "reads", path: source },
  ];
}

function absolute(text: string, { home, directory }: Around): string | undefined {
  if (text.startsWith("~")) return posix.normalize(text.replace(/^~(?=\/|$)/u, home));
  if (text.startsWith("/")) return posix.normalize(text);
  return directory === undefined ? undefined : posix.join(directory, text);
}

const systemPlaces =
  /^\/(?:etc|usr|bin|sbin|lib|lib32|lib64|boot|sys|proc|dev|root|var|run|opt|private|System|Library)(?:\/|$)/u;
const rootPlaces =
  /^\/(?:root|boot|proc|sys|dev|var\/run|run|var\/lib(?:\/docker|\/kubelet|\/containers)?|etc\/kubernetes)?$/u;

/** Root, the whole home directory, the machine's own places, or any part of the system to change. */
function isWholePlace(path: string, { isReadOnly, home }: { isReadOnly: boolean; home: string }): boolean {
  const place = path.length > 1 ? path.replace(/(?<!\/)\/+$/u, "") : path;
  const isHome = place === home || home.startsWith(`${place}/`);
  return isHome || rootPlaces.test(place) || (!isReadOnly && systemPlaces.test(place));
}
