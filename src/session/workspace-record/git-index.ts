/** Parses git's index from `git ls-files --stage --debug -z`: each file's content id and recorded metadata. */

export type IndexEntry = {
  /** Relative to the directory in which git was started. */
  path: string;
  kind: "file" | "link";
  /** The object with the content. */
  id: string;
  /** Modulo 2^32, as git stores it; 0 if the writer of the index did not record it. */
  size: number;
  inode: number;
  /** Nanoseconds since 1970; whole seconds if the writer of the index recorded no more. */
  modified: bigint;
  changed: bigint;
};

const record =
  /(\d{6}) ([0-9a-f]{40,64}) (\d)\t([^\0]+)\0\s*ctime: (\d+):(\d+)\s+mtime: (\d+):(\d+)\s+dev: \d+\s+ino: (\d+)\s+uid: \d+\s+gid: \d+\s+size: (\d+)\s+flags: [0-9a-f]+\n/y;

type IndexReader = {
  push: (bytes: Buffer) => void;
  /** Undefined if the output is not in the known format, which git does not guarantee. */
  end(): IndexEntry[] | undefined;
};

export function indexReader(): IndexReader {
  const files: IndexEntry[] = [];
  let rest = "";
  return {
    push(bytes) {
      // Latin-1 keeps every byte: a chunk may end within a path, and paths need not be UTF-8.
      rest += bytes.toString("latin1");
      record.lastIndex = 0;
      let read = 0;
      for (let found = record.exec(rest); found; found = record.exec(rest)) {
        read = record.lastIndex;
        const file = indexEntry(found);
        if (file) files.push(file);
      }
      rest = rest.slice(read);
    },
    end: () => (rest === "" ? files : undefined),
  };
}

/** Skips submodules and files being merged. */
function indexEntry(found: RegExpExecArray): IndexEntry | undefined {
  const [, mode = "", id = "", stage, path = "", ...figures] = found;
  const kind = mode === "120000" ? "link" : mode.startsWith("100") ? "file" : undefined;
  if (kind === undefined || stage !== "0") return undefined;
  const [changedSeconds, changedRest, modifiedSeconds, modifiedRest, inode, size] = figures;
  return {
    path: isPlain(path) ? path : Buffer.from(path, "latin1").toString(),
    kind,
    id,
    size: Number(size),
    inode: Number(inode),
    modified: nanoseconds(modifiedSeconds, modifiedRest),
    changed: nanoseconds(changedSeconds, changedRest),
  };
}

// eslint-disable-next-line no-control-regex
const isPlain = (path: string): boolean => /^[\x01-\x7f]*$/.test(path);

const nanoseconds = (seconds = "0", rest = "0"): bigint => BigInt(seconds) * 1_000_000_000n + BigInt(rest);
