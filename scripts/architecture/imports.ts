/** The rules about imports: the table of rooms, browser-safe rooms, and no cycles. */

import { isBuiltin } from "node:module";
import type { Problem } from "./problem.ts";
import { packagePlaces, publicEntries, type Room, roomOf, starter, surfaces } from "./rooms.ts";
import type { Import, SourceFile } from "./source-tree.ts";

/** Sources import only what the table of rooms allows; tests may import anything. */
export function checkRooms(files: readonly SourceFile[]): Problem[] {
  return files
    .filter(({ path, isTest }) => path.startsWith("src/") && !isTest && !publicEntries.includes(path))
    .flatMap((file) => {
      const room = roomOf(file.path);
      if (!room)
        return [{ path: file.path, line: 1, words: "it is in no room of scripts/architecture/rooms.ts" }];
      return file.imports.flatMap((imported) => {
        const words = refusal(file.path, room, imported);
        return words === undefined ? [] : [{ path: file.path, line: imported.line, words }];
      });
    });
}

function refusal(path: string, room: Room, { target, onlyTypes }: Import): string | undefined {
  if (room.browserSafe && isBuiltin(target))
    return `${room.name} must run in a browser too: it may not import ${target}`;
  if (publicEntries.includes(target)) return `${target} is for users of the package: import the room itself`;
  const other = roomOf(target);
  if (!other || other === room || room.mayImport.includes(other.name)) return undefined;
  if (path === starter && surfaces.includes(other.name)) return undefined;
  if (!room.onlyTypes?.includes(other.name)) return `${room.name} may not import ${other.name} (${target})`;
  return onlyTypes
    ? undefined
    : `${room.name} may import only types of ${other.name}: use import type (${target})`;
}

/** Some packages stay in their folder, in tests, too. */
export function checkPackages(files: readonly SourceFile[]): Problem[] {
  return files.flatMap(({ path, imports }) =>
    imports.flatMap(({ target, line }) => {
      const name = target.split("/", target.startsWith("@") ? 2 : 1).join("/");
      const place = packagePlaces[name];
      if (place === undefined || path.startsWith(place)) return [];
      return [{ path, line, words: `only ${place} may import ${name}` }];
    }),
  );
}

/** No file may import itself through others, not even for a type. */
export function checkCycles(files: readonly SourceFile[]): Problem[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const done = new Set<string>();
  const problems: Problem[] = [];

  const visit = (file: SourceFile, way: readonly string[]): void => {
    const start = way.indexOf(file.path);
    if (start >= 0) {
      const cycle = [...way.slice(start), file.path].join(" → ");
      return void problems.push({ path: file.path, line: 1, words: `it imports itself: ${cycle}` });
    }
    if (done.has(file.path)) return;
    for (const { target } of file.imports) {
      const next = byPath.get(target);
      if (next) visit(next, [...way, file.path]);
    }
    done.add(file.path);
  };

  for (const file of files) visit(file, []);
  return problems;
}
