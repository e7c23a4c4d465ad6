/** patch: changes files as a diff describes. */

import { literal, type Word, withText } from "../../command-line/word.ts";
import { danger } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { below, edits, filesIn, readsFiles, writes } from "../file-effect-makers.ts";
import { namesIn } from "../listed.ts";
import { program, type Use } from "../program.ts";

export const patch = program("patch gpatch", changes, {
  options: {
    short: "BdDFgioprVxYz",
    long: namesIn(`prefix directory ifdef fuzz get input output strip reject-file version-control basename-prefix
        suffix reject-format read-only`),
    known:
      namesIn(`reverse forward batch force dry-run backup ed unified context normal posix verbose silent quiet
        remove-empty-files merge binary`),
  },
});

function* changes(use: Use): Iterable<Effect> {
  const [file, differences] = use.operands;
  yield* readsFiles([...use.values("i", "input"), ...(differences ? [differences] : [])]);
  if (use.has("e", "ed"))
    yield danger("high", "it runs its differences as a script of ed, which can run commands");
  if (use.has("dry-run")) {
    yield* readsFiles(file ? [file] : []);
    return;
  }
  yield* writes(use.values("r", "reject-file"), "creates");
  const output = use.values("o", "output");
  if (output.length > 0) yield* writes(output, "replaces");
  else yield* edits(file ? [file] : patched(use));
}

/** The files named in the diff, if known; otherwise any file in the directory. */
function patched({ input, value }: Use): Word[] {
  const directory = value("d", "directory");
  const skipped = Number(value("p", "strip")?.text ?? 0) || 0;
  const text = input.text;
  const named = text ? [...text.text.matchAll(/^(?:\+\+\+|---|\*\*\*|rename to|copy to) ([^\t\n]+)/gmu)] : [];
  const paths = named.flatMap(([, path = ""]) => {
    const kept = path.split("/").slice(skipped).join("/");
    return text && kept !== "" && path !== "/dev/null" ? [withText(text, kept)] : [];
  });
  const known = filesIn(paths).map((path) => (directory ? below(directory, path) : path));
  return known.length > 0 ? known : [directory ?? literal(".")];
}
