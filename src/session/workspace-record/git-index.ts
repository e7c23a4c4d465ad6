/**
 * What git's index says of files, read from `git ls-files --stage --debug -z`: their content's name, and how they
 * looked.
 */

export type Indexed = {
  /** Relative to where git was started. */
  path: string;
  kind: "file" | "link";
  /** The object that holds the content. */
  id: string;
  /** Modulo 2^32, as git keeps both; 0 where the writer of the index did not note it. */
  size: number;
  inode: number;
  /** Nanoseconds since 1970; whole seconds where the writer of the index noted no more. */
  modified: bigint;
  changed: bigint;
};

const record =
  /(\d{6}) ([0-9a-f]{40,64}) (\d)\t([^\0]+)\0\s*ctime: (\d+):(\d+)\s+mtime: (\d+):(\d+)\s+dev: \d+\s+ino: (\d+)\s+uid: \d+\s+gid: \d+\s+size: (\d+)\s+flags: [0-9a-f]+\n/y;

type IndexReader = {
  push: (bytes: Buffer) => void;
  /** Undefined when it was not written as git is known to write it, which it does not promise. */
  end(): Indexed[] | undefined;
};

export function indexReader(): IndexReader {
  const files: Indexed[] = [];
  let rest = "";
  return {
    push(bytes) {
      // Latin-1 keeps every byte: a path may be cut anywhere, and need not be UTF-8.
      rest += bytes.toString("latin1");
      record.lastIndex = 0;
      let read = 0;
      for (let found = record.exec(rest); found; found = record.exec(rest)) {
        read = record.lastIndex;
        const file = indexed(found);
        if (file) files.push(file);
      }
      rest = rest.slice(read);
    },
    end: () => (rest === "" ? files : undefined),
  };
}

/** Neither of submodules nor of what is being merged. */
function indexed(found: RegExpExecArray): Indexed | undefined {
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
