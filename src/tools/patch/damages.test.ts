import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { structuredPatch } from "diff";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scale } from "../../testing/scale.ts";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../testing/workspace.ts";
import { testContext } from "../testing/context.ts";
import type { ToolContext } from "../tool.ts";
import { outcomeOf } from "./testing/patch.ts";

/** `in`: the format affected. `harmless`: if all lines of a file differ, the patch must still be applied. */
type Damage = {
  about: string;
  in: "both" | "envelope" | "unified";
  harmless: boolean;
  damage: (lines: readonly string[], root: string) => readonly string[];
};

const isHunkLine = (line: string): boolean => /^[ +-]/.test(line) && !/^(?:---|\+\+\+) [ab]?\/?f$/.test(line);
const inHunks =
  (change: (line: string) => string) =>
  (lines: readonly string[]): string[] =>
    lines.map((line) => (isHunkLine(line) ? change(line) : line));
const numbers = (change: (line: number) => number) => (lines: readonly string[]) =>
  lines.map((line) =>
    line.replace(
      /^@@ -(\d+)(\S*) \+(\d+)/,
      (_, old: string, counts: string, made: string) =>
        `@@ -${change(Number(old))}${counts} +${change(Number(made))}`,
    ),
  );
const header = (change: (line: string) => string) => (lines: readonly string[]) =>
  lines.map((line) => (line.startsWith("@@") ? change(line) : line));
/** Changes the context line that starts (or ends) each hunk. */
const firstContext = (change: (line: string) => string[]) => (lines: readonly string[]) =>
  lines.flatMap((line, at) =>
    lines[at - 1]?.startsWith("@@") && line.startsWith(" ") ? change(line) : [line],
  );
const lastContext = (change: (line: string) => string[]) => (lines: readonly string[]) =>
  lines.flatMap((line, at) =>
    line.startsWith(" ") && !isHunkLine(lines[at + 1] ?? "") ? change(line) : [line],
  );

/** The lines without the context at the start and end of each hunk. */
function withoutOuterContext(lines: readonly string[]): string[] {
  const isOuter = (at: number, step: 1 | -1): boolean => {
    const line = lines[at] ?? "";
    return !isHunkLine(line) || (line.startsWith(" ") && isOuter(at + step, step));
  };
  return lines.filter((line, at) => !isHunkLine(line) || (!isOuter(at, 1) && !isOuter(at, -1)));
}

const damages: readonly Damage[] = [
  { about: "none", in: "both", harmless: true, damage: (lines) => lines },
  { about: "CRLF", in: "both", harmless: true, damage: (lines) => lines.map((line) => `${line}\r`) },
  { about: "a code fence", in: "both", harmless: true, damage: (lines) => ["```diff", ...lines, "```"] },
  {
    about: "a here-document",
    in: "both",
    harmless: true,
    damage: (lines) => ["apply_patch <<'EOF'", ...lines, "EOF"],
  },
  {
    about: "words around",
    in: "both",
    harmless: true,
    damage: (lines) => ["I'll change f:", "", ...lines, "", "Done."],
  },
  {
    about: "indented as a whole",
    in: "both",
    harmless: true,
    damage: (lines) => lines.map((line) => `  ${line}`),
  },
  {
    about: "blank context without sign",
    in: "both",
    harmless: true,
    damage: inHunks((line) => (line === " " ? "" : line)),
  },
  {
    about: "no trailing space",
    in: "both",
    harmless: true,
    damage: (lines) => lines.map((line) => line.trimEnd()),
  },
  {
    about: "context without sign",
    in: "both",
    harmless: false,
    damage: inHunks((line) => line.replace(/^ (?=\S)/, "")),
  },
  { about: "first context line lost", in: "both", harmless: true, damage: firstContext(() => []) },
  { about: "last context line lost", in: "both", harmless: true, damage: lastContext(() => []) },
  {
    about: "first context line stale",
    in: "both",
    harmless: false,
    damage: firstContext(() => [" something else"]),
  },
  {
    about: "last context line stale",
    in: "both",
    harmless: false,
    damage: lastContext(() => [" something else"]),
  },
  {
    about: "no context",
    in: "both",
    harmless: false,
    damage: withoutOuterContext,
  },
  {
    about: "indented more",
    in: "both",
    harmless: false,
    damage: inHunks((line) => `${line[0]}  ${line.slice(1)}`),
  },
  {
    about: "indented less",
    in: "both",
    harmless: false,
    damage: inHunks((line) => line.replace(/^(.)  /, "$1")),
  },
  {
    about: "tabs for spaces",
    in: "both",
    harmless: false,
    damage: inHunks((line) =>
      line.replace(/^(.)((?:  )+)/, (_, sign: string, space: string) => sign + "\t".repeat(space.length / 2)),
    ),
  },
  {
    about: "curly quotes",
    in: "both",
    harmless: false,
    damage: inHunks((line) => (line.startsWith("+") ? line : line.replaceAll('"', "”"))),
  },
  {
    about: "a removed line misquoted",
    in: "both",
    harmless: false,
    damage: inHunks((line) => (line.startsWith("-") ? `${line}x` : line)),
  },
  { about: "bare @@", in: "both", harmless: true, damage: header(() => "@@") },
  { about: "numbers far too high", in: "unified", harmless: true, damage: numbers((line) => line + 10_000) },
  { about: "numbers all 1", in: "unified", harmless: true, damage: numbers(() => 1) },
  {
    about: "counts one too big",
    in: "unified",
    harmless: true,
    damage: header((line) => line.replace(/,(\d+)/g, (_, count: string) => `,${Number(count) + 1}`)),
  },
  {
    about: "counts one too small",
    in: "unified",
    harmless: true,
    damage: header((line) =>
      line.replace(/,(\d+)/g, (_, count: string) => `,${Math.max(0, Number(count) - 1)}`),
    ),
  },
  { about: "no counts", in: "unified", harmless: true, damage: header((line) => line.replace(/,\d+/g, "")) },
  {
    about: "a wrong heading",
    in: "unified",
    harmless: true,
    damage: header((line) => `${line} function other() {`),
  },
  {
    about: "no prefixes",
    in: "unified",
    harmless: true,
    damage: (lines) => lines.map((line) => line.replace(/^(---|\+\+\+) [ab]\//, "$1 ")),
  },
  {
    about: "a mail",
    in: "unified",
    harmless: true,
    damage: (lines) => [
      "From 0123456789 Mon",
      "Subject: x",
      "---",
      " f | 2 +-",
      "",
      "diff --git a/f b/f",
      ...lines,
      "-- ",
      "2.39.5",
      "",
    ],
  },
  { about: "no end", in: "envelope", harmless: true, damage: (lines) => lines.slice(0, -1) },
  { about: "no begin", in: "envelope", harmless: true, damage: (lines) => lines.slice(1) },
  {
    about: "an absolute path",
    in: "envelope",
    harmless: true,
    damage: (lines, root) => lines.map((line) => line.replace(/^(\*\*\* .*: )f$/, `$1${root}/f`)),
  },
  {
    about: "blank lines before @@",
    in: "envelope",
    harmless: true,
    damage: (lines) => lines.flatMap((line) => (line.startsWith("@@") ? ["", line] : [line])),
  },
  {
    about: "a header of no line",
    in: "envelope",
    harmless: true,
    damage: header(() => "@@ the part that matters @@"),
  },
];

let workspace: TemporaryWorkspace;
let context: ToolContext;
const figure = { right: 0, refused: 0, wrong: 0 };
beforeAll(async () => {
  workspace = await temporaryWorkspace({});
  context = testContext(workspace.root);
});
afterAll(async () => {
  console.log(
    `patches damaged by rule: ${figure.right} applied rightly, ${figure.refused} refused, ${figure.wrong} silently wrong`,
  );
  context.files.close();
  await workspace.remove();
});

/** Reproducible: the same seed gives the same choices. */
function choices(seed: number): (below: number) => number {
  let state = seed * 7919 + 17;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
}

/** A program of many small functions; with `isTwofold` most of its lines occur more than once. */
function program(next: (below: number) => number, isTwofold: boolean): string[] {
  return Array.from({ length: 12 }, (_, at) => {
    const name = isTwofold ? at % 5 : at;
    return [
      `function part${isTwofold ? at % 3 : at}() {`,
      `  const value${name} = "${isTwofold ? next(2) : `v${at}`}";`,
      `  if (value${name}) {`,
      `    call${name}("${name}");  `,
      `  }`,
      ``,
      `  return value${name};`,
      `}`,
      ``,
    ];
  })
    .flat()
    .map((line, at) => (isTwofold || line.trim() === "" || line.includes("}") ? line : `${line} // ${at}`));
}

function changed(lines: readonly string[], next: (below: number) => number): string[] {
  const made = [...lines];
  for (let count = 1 + next(3); count > 0; count--) {
    const at = next(made.length);
    const fresh = Array.from({ length: next(3) }, () => `  added("${next(1000)}");`);
    made.splice(at, fresh.length === 0 ? 1 : next(3), ...fresh);
  }
  return made;
}

function patchOf(format: "envelope" | "unified", before: string, after: string): string[] {
  const { hunks } = structuredPatch("f", "f", before, after, undefined, undefined, { context: 3 });
  if (format === "envelope") {
    const body = hunks.flatMap(({ lines }) => ["@@", ...lines]);
    return ["*** Begin Patch", "*** Update File: f", ...body, "*** End Patch"];
  }
  const body = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines,
  ]);
  return ["--- a/f", "+++ b/f", ...body];
}

async function check(damage: Damage): Promise<void> {
  for (let run = 0; run < 6 * scale; run++) {
    for (const format of ["envelope", "unified"] as const) {
      if (damage.in !== "both" && damage.in !== format) continue;
      const next = choices(run * 31 + damage.about.length);
      const isTwofold = run % 2 === 1;
      const lines = program(next, isTwofold);
      const [before, after] = [`${lines.join("\n")}\n`, `${changed(lines, next).join("\n")}\n`];
      if (before === after) continue;
      await writeFile(join(workspace.root, "f"), before);
      const whole = patchOf(format, before, after);
      const patch = damage.damage(whole, workspace.root).join("\n");
      const { outcome, words, after: made } = await outcomeOf(context, patch);
      const about = `${format}, run ${run}\n${before}\n${patch}\n${words}`;
      if (outcome === "ok" && made["f"]?.text !== after) figure.wrong++;
      if (outcome === "ok") expect(made["f"]?.text, about).toBe(after);
      else expect(words, about).toMatch(/othing was changed|would change nothing/);
      const mustFit = damage.harmless && !isTwofold;
      if (mustFit) expect(outcome, about).toBe("ok");
      figure[outcome === "ok" ? "right" : "refused"]++;
    }
  }
}

test.each(damages)("a patch is applied correctly or refused, never applied wrongly: $about", check);
