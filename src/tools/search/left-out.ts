/** Tells a model which places a search or a list leaves out, because reading them was not approved. */

import type { ToolContext } from "../tool.ts";

const mostNamed = 5;

/** `does`: "searched", say; `how`: what to call to be asked. Empty if nothing was left out. */
export async function leftOutNotes(
  paths: readonly string[],
  { does, how }: { does: string; how: string },
  context: Pick<ToolContext, "withheld">,
): Promise<string[]> {
  const asked: string[] = [];
  const denied: string[] = [];
  for (const path of paths) {
    const why = await context.withheld(path.replace(/\/$/u, ""));
    if (why) (why.byAsking ? asked : denied).push(path);
  }
  return [
    ...(asked.length > 0
      ? [`[Not ${does} without the user's approval: ${pathList(asked)}. To be asked, ${how}.]`]
      : []),
    ...(denied.length > 0 ? [`[Not ${does}, since reading is denied there: ${pathList(denied)}.]`] : []),
  ];
}

function pathList(paths: readonly string[]): string {
  const shown = paths
    .slice(0, mostNamed)
    .map((path) => JSON.stringify(path).slice(1, -1))
    .join(", ");
  return paths.length > mostNamed ? `${shown} and ${paths.length - mostNamed} more` : shown;
}
