/** Programs that change a file's permissions, owner or attributes. */

import { joined, literal, unknownWord, type Word } from "../../command-line/word.ts";
import { danger } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { edits, filesIn, nothing, readsFiles, readsOperands } from "../file-effect-makers.ts";
import { program, type Program, type Use } from "../program.ts";

const treeWide = ["recursive", "verbose", "changes", "silent", "quiet", "preserve-root", "no-preserve-root"];

/** With any of these options, chcon's first operand is not a context. */
const contexts = ["u", "r", "t", "l", "user", "role", "type", "range", "reference"];

export const permissions: readonly Program[] = [
  program("chmod gchmod", changesMode, { options: { long: ["reference"], known: treeWide } }),
  program(
    "chown gchown chgrp gchgrp",
    (use) => {
      const paths = use.has("reference") ? use.operands : use.operands.slice(1);
      return [...readsFiles(use.values("reference")), ...permits(paths, undefined, isDeep(use))];
    },
    { options: { long: ["reference", "from"], known: [...treeWide, "dereference", "no-dereference"] } },
  ),
  program(
    "chcon restorecon chcat",
    (use) =>
      permits(
        use.operands.slice(use.name === "chcon" && !use.has(...contexts) ? 1 : 0),
        undefined,
        isDeep(use),
      ),
    {
      options: { short: "urtlef", long: ["user", "role", "type", "range", "reference"], known: treeWide },
    },
  ),
  program("setfacl", changesList, {
    options: {
      short: "mxMX",
      long: ["modify", "remove", "modify-file", "remove-file", "set", "set-file", "restore"],
      known: ["remove-all", "remove-default", "recursive", "default", "mask", "no-mask", "test", "logical"],
    },
  }),
  program("getfacl getfattr lsattr getcap attr_get", readsOperands, {
    options: { short: "nem", long: ["name", "encoding", "match"] },
  }),
  program("chattr", changesAttributes, { options: { short: "vp" } }),
  program("chflags", (use) => permits(use.operands.slice(1), undefined, isDeep(use))),
  program("setcap", ({ operands, has }) => {
    if (has("v")) return [];
    const because = has("r")
      ? "it takes rights from a program"
      : "it gives a program rights that only the administrator has";
    return [danger("critical", because), ...edits(operands.slice(-1))];
  }),
  program("setfattr", ({ operands, values }) => [...readsFiles(values("restore")), ...edits(operands)], {
    options: { short: "nvxe", long: ["name", "value", "remove", "restore"] },
  }),
  program("attr", ({ operands, has }) => (has("s", "r") ? edits(operands) : readsFiles(operands)), {
    options: { short: "sgrV" },
  }),
  program("xattr", changesMarks),
  program("umask", ({ operands }) => (leavesOpen(operands[0]) ? [danger("high", everybody)] : [])),
  program("mesg", nothing),
];

const everybody = "it lets everybody change the files that are made from now on";

const isDeep = ({ has }: Use): boolean => has("R", "recursive");

const permits = (paths: readonly Word[], mode: Word | undefined, deep: boolean): Effect[] =>
  filesIn(paths).map((path) => ({ type: "permits", path, mode, deep }));

/** A mode may start with a dash: `chmod -x file`, `chmod -w,u+x file`. */
function* changesMode(use: Use): Iterable<Effect> {
  const reference = use.value("reference");
  if (reference) {
    yield* readsFiles([reference]);
    yield* permits(use.operands, unknownWord(), isDeep(use));
    return;
  }
  const dashed = use.words.find(({ text }) => /^-(?:[rwxXstugo]+|[0-7]{1,5})(?:[,+=-].*)?$/u.test(text));
  const [mode, paths] = dashed ? [dashed, use.operands] : [use.operands[0], use.operands.slice(1)];
  if (mode) yield* permits(paths, mode, isDeep(use));
}

/** An ACL entry for everyone else equals chmod's `o`; one for a user resembles a change of owner. */
function* changesList(use: Use): Iterable<Effect> {
  yield* readsFiles(use.values("M", "X", "modify-file", "remove-file", "set-file", "restore"));
  if (use.has("test")) return;
  if (use.has("restore")) yield danger("high", "it changes who may use the files that a list names");
  const entries = joined(use.values("m", "modify", "set"), ",").text.split(",");
  const others = entries.flatMap(
    (entry) => /^(?:d(?:efault)?:)?o(?:ther)?:{1,2}([rwxX]+)/u.exec(entry)?.[1] ?? [],
  );
  const mode = others.length > 0 ? literal(`o+${others.join("")}`) : undefined;
  yield* permits(use.operands, mode, isDeep(use));
}

const isMode = ({ text }: Word): boolean => /^[-+=][aAcCdDeFijmPsStTux]+$/u.test(text);

/** `chattr -i file`: here the mode looks like an option. */
function* changesAttributes(use: Use): Iterable<Effect> {
  const modes = use.words.filter(isMode);
  yield* permits(
    use.operands.filter((word) => !isMode(word)),
    undefined,
    isDeep(use),
  );
  if (modes.some(({ text }) => /[ai]/u.test(text)))
    yield danger("high", "it changes what protects files even from their owner");
}

/** macOS: `xattr -d com.apple.quarantine program`. */
function* changesMarks({ operands, has, words }: Use): Iterable<Effect> {
  if (!has("w", "d", "c")) {
    yield* readsFiles(operands.slice(has("p") ? 1 : 0));
    return;
  }
  yield* edits(operands.slice(has("c") ? 0 : 1));
  const isQuarantine = words.some(({ text }) => text.includes("quarantine"));
  if (has("c") || (has("d") && isQuarantine))
    yield danger("high", "it takes away the mark by which the system checks what was downloaded");
}

/** Whether new files may be world-writable under this mask. */
function leavesOpen(mask: Word | undefined): boolean {
  if (!mask) return false;
  const [, last] = /^[0-7]{0,4}([0-7])$/u.exec(mask.text) ?? [];
  if (last !== undefined) return (Number(last) & 2) === 0;
  return /(?:^|,)[ug]*[oa][ugoa]*[=+][rx]*w/u.test(mask.text);
}
