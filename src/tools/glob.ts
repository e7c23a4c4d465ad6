/** Globs as models write them: with a slash they match the path, without one the name at any depth. */
import picomatch from "picomatch";

/** Tells whether a workspace-relative path matches; a glob is relative to `start` (or, as models also do, to the workspace). */
export function globFilter(glob: string, start: string): (path: string) => boolean {
  const bare = glob.replace(/^\.?\//, "");
  // Extended globs could be made to match for ever.
  const matches = picomatch(bare.includes("/") ? bare : `**/${bare}`, { dot: true, noextglob: true });
  if (start === ".") return matches;
  return (path) => matches(path.slice(start.length + 1)) || (bare.startsWith(`${start}/`) && matches(path));
}
