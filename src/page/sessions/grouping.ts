/** Groups sessions by workspace for the list. */

export type WorkspaceGroup<Row> = { workspace: string; name: string; rows: Row[] };

/** The group with the newest session comes first; within a group the order is kept. */
export function groupsOf<Row extends { workspace: string }>(rows: readonly Row[]): WorkspaceGroup<Row>[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(row.workspace, [...(groups.get(row.workspace) ?? []), row]);
  const names = namesOf([...groups.keys()]);
  return [...groups].map(([workspace, rows]) => ({
    workspace,
    name: names.get(workspace) ?? workspace,
    rows,
  }));
}

type TitledSession = { id: string; title: string; from?: { session: string } | undefined };

/** The ids of forks that still have their original's title: only a mark can tell the two apart. */
export function copiesIn(rows: readonly TitledSession[]): Set<string> {
  const titles = new Map(rows.map(({ id, title }) => [id, title]));
  return new Set(
    rows.flatMap(({ id, title, from }) => (from && titles.get(from.session) === title ? [id] : [])),
  );
}

/** The groups' first rows, `most` in all. */
export function firstRows<Row>(groups: readonly WorkspaceGroup<Row>[], most: number): WorkspaceGroup<Row>[] {
  let left = most;
  return groups.flatMap((group) => {
    const rows = group.rows.slice(0, Math.max(0, left));
    left -= rows.length;
    return rows.length === 0 ? [] : [{ ...group, rows }];
  });
}

/** The last folder, preceded by as many others as it takes to be unique. */
export function namesOf(paths: readonly string[]): Map<string, string> {
  const all = paths.map((path) => ({ path, parts: path.split(/[\\/]/u).filter((part) => part !== "") }));
  return new Map(
    all.map(({ path, parts }) => {
      let depth = 1;
      const isShared = (): boolean =>
        all.some((other) => other.path !== path && nameOf(other.parts, depth) === nameOf(parts, depth));
      while (depth < parts.length && isShared()) depth += 1;
      return [path, parts.length === 0 ? path : nameOf(parts, depth)];
    }),
  );
}

const nameOf = (parts: readonly string[], depth: number): string => parts.slice(-depth).join("/");
