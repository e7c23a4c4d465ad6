/** Checks that everything the documents refer to exists: links, paths, scripts. */

import { access, readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import type { Problem } from "../architecture/problem.ts";
import { anchors, type Markdown } from "./markdown.ts";

/** Relative links must point to an existing file and heading. */
export async function checkLinks(root: string, files: readonly Markdown[]): Promise<Problem[]> {
  const links = files.flatMap((file) =>
    found(file, /\[[^\]]*\]\(([^)\s]+)\)/gu).filter(({ text }) => !/^[a-z]+:/u.test(text)),
  );
  const broken = await Promise.all(
    links.map(async ({ path, line, text }) => {
      const [target = "", anchor] = text.split("#");
      const file = target === "" ? path : posix.join(posix.dirname(path), target);
      if (!(await exists(join(root, file)))) return [{ path, line, words: `the link ${text} leads nowhere` }];
      const page = files.find((other) => other.path === file);
      if (anchor === undefined || !page || anchors(page).has(anchor)) return [];
      return [{ path, line, words: `${file} has no heading for #${anchor}` }];
    }),
  );
  return broken.flat();
}

/** Each decision in ARCHITECTURE.md must link the code or the test in which it lives. */
export function checkDecisions(files: readonly Markdown[]): Problem[] {
  const page = files.find(({ path }) => path === "ARCHITECTURE.md");
  const from = page?.prose.indexOf("## Decisions worth knowing") ?? -1;
  if (!page || from < 0) return [];
  return page.prose.flatMap((line, index) =>
    index < from || !line.startsWith("- ") || /\]\((?:src|scripts|test|editors)\//u.test(line)
      ? []
      : [{ path: page.path, line: index + 1, words: "this decision links no file in which it lives" }],
  );
}

/** A name behind a link to code, as in "[x](src/x.ts) (`name`)", must stand in that file. */
export async function checkNames(root: string, files: readonly Markdown[]): Promise<Problem[]> {
  const links = files.flatMap((file) =>
    found(file, /(\]\((?:src|scripts|editors)\/[^)\s]+\.tsx?\) \(`\w+`)/gu, { inCode: true }),
  );
  const wrong = await Promise.all(
    links.map(async ({ path, line, text }) => {
      const [, target = "", name = ""] = /\]\(([^)]+)\) \(`(\w+)`/u.exec(text) ?? [];
      const code = await readFile(join(root, target), "utf8").catch(() => ""); // a link that leads nowhere is told above
      const isThere = code === "" || new RegExp(`\\b${name}\\b`, "u").test(code);
      return isThere ? [] : [{ path, line, words: `${target} has no ${name}` }];
    }),
  );
  return wrong.flat();
}

/** Project paths in `code` must exist, except in the changelog, which may mention removed files. */
export async function checkPaths(root: string, files: readonly Markdown[]): Promise<Problem[]> {
  const paths = files
    .filter(({ path }) => path !== "CHANGELOG.md")
    .flatMap((file) =>
      found(file, /`((?:src|scripts|test|bench|bin|docs|examples)\/[\w./-]+)`/gu, { inCode: true }),
    );
  const missing = await Promise.all(
    paths.map(async ({ path, line, text }) =>
      (await exists(join(root, text))) ? [] : [{ path, line, words: `there is no ${text}` }],
    ),
  );
  return missing.flat();
}

/** `npm run x`, `npm test` and `npm start`, in prose and blocks, must be scripts of package.json. */
export function checkScripts(scripts: readonly string[], files: readonly Markdown[]): Problem[] {
  return files.flatMap((file) => {
    const blocks = file.blocks.map(({ text, line }) => ({ lines: text.split("\n"), first: line }));
    return [{ lines: file.prose, first: 1 }, ...blocks].flatMap(({ lines, first }) =>
      lines.flatMap((text, index) =>
        [...text.matchAll(/npm (?:run ([\w:-]+)|(test|start)\b)/gu)]
          .map(([, ran, short]) => ran ?? short ?? "")
          .filter((name) => !scripts.includes(name))
          .map((name) => ({
            path: file.path,
            line: first + index,
            words: `package.json has no script "${name}"`,
          })),
      ),
    );
  });
}

type Found = { path: string; line: number; text: string };

/** The first group of each match in the prose; inline `code` is skipped unless `inCode`. */
function found({ path, prose }: Markdown, pattern: RegExp, { inCode } = { inCode: false }): Found[] {
  return prose.flatMap((line, index) => {
    const text = inCode ? line : line.replaceAll(/`[^`]*`/gu, "``");
    return [...text.matchAll(pattern)].map((match) => ({ path, line: index + 1, text: match[1] ?? "" }));
  });
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
