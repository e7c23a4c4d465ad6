/** The tables of a team: whose sessions are, with whom they are shared, and records of people. */

import { type DatabaseRow, string } from "../rows.ts";
import { StoreError } from "../store.ts";
import type { Belonging, RecordTexts, ShareRight, TeamRecord, TeamRecords } from "../team.ts";
import type { TableAccess, TableWork } from "./work.ts";

/** What the calls of a session start belongs to whom it belongs. */
export function* inheritBelonging(session: string, parent: string): TableWork<void> {
  yield [
    `INSERT INTO belongings (session, tenant, person, tree)
     SELECT $1, tenant, person, tree FROM belongings WHERE session = $2 ON CONFLICT DO NOTHING`,
    [session, parent],
  ];
}

export function teamRecords({ read, write, change }: TableAccess): TeamRecords {
  const belongings = (sessions: readonly string[]) => read(() => belongingsOf(sessions));
  return {
    belonging: async (session) => (await belongings([session])).get(session),
    belongings,
    give: (session, to) => write(session, () => give(session, to)),
    share: (session, person, right) => write(session, () => share(session, person, right)),
    record: (kind, id) => read(() => textOf(kind, id)),
    records: (kind, from = "") => read(() => recordsOf(kind, from)),
    replace: (kind, id, texts) =>
      change(undefined, (isRepeated) => replaceBoth({ kind, id }, texts, isRepeated)),
  };
}

function* belongingsOf(sessions: readonly string[]): TableWork<Map<string, Belonging>> {
  const rows = yield [
    `SELECT belongings.session, tenant, belongings.person, shares.person AS other, "right" FROM belongings
     LEFT JOIN shares ON shares.session = tree WHERE belongings.session = ANY($1)`,
    [sessions],
  ];
  return belongingsIn(rows);
}

/** A session has a row for each share, or one with none. */
function belongingsIn(rows: readonly DatabaseRow[]): Map<string, Belonging> {
  const all = new Map<string, Belonging & { shared: Map<string, ShareRight> }>();
  for (const row of rows) {
    const [id, tenant, person] = [string(row, "session"), string(row, "tenant"), string(row, "person")];
    const known = all.get(id) ?? { tenant, person, shared: new Map<string, ShareRight>() };
    all.set(id, known);
    if (row["right"] !== null)
      known.shared.set(string(row, "other"), row["right"] === "answer" ? "answer" : "read");
  }
  return all;
}

function* give(session: string, { tenant, person }: Pick<Belonging, "tenant" | "person">): TableWork<void> {
  yield [
    `INSERT INTO belongings (session, tenant, person, tree) SELECT id, $2, $3, id FROM sessions WHERE id = $1
     ON CONFLICT (session) DO UPDATE SET tenant = excluded.tenant, person = excluded.person`,
    [session, tenant, person],
  ];
}

function* share(session: string, person: string, right: ShareRight | undefined): TableWork<void> {
  const tree = "(SELECT tree FROM belongings WHERE session = $1)";
  if (right === undefined)
    yield [`DELETE FROM shares WHERE session = ${tree} AND person = $2`, [session, person]];
  else
    yield [
      `INSERT INTO shares (session, person, "right") SELECT id, $2, $3 FROM sessions WHERE id = ${tree}
       ON CONFLICT (session, person) DO UPDATE SET "right" = excluded."right"`,
      [session, person, right],
    ];
}

const selectText = "SELECT text FROM team WHERE kind = $1 AND id = $2";

function* textOf(kind: string, id: string, select = selectText): TableWork<string | undefined> {
  const [row] = yield [select, [kind, id]];
  return row && string(row, "text");
}

function* recordsOf(kind: string, from: string): TableWork<TeamRecord[]> {
  const rows = yield [
    `SELECT id, text FROM team WHERE kind = $1 AND id COLLATE "C" >= $2 ORDER BY id COLLATE "C"`,
    [kind, from],
  ];
  return rows.map((row) => ({ id: string(row, "id"), text: string(row, "text") }));
}

type TeamKey = { kind: string; id: string };

function* replaceBoth(key: TeamKey, texts: RecordTexts, isRepeated: boolean): TableWork<boolean> {
  const found = yield* textOf(key.kind, key.id, `${selectText} FOR UPDATE`);
  if (isRepeated && found === texts.is) return true;
  if (found !== texts.was || !(yield* replace(key, texts))) return false;
  const { beside } = texts;
  if (beside && !(yield* replace(beside, { was: undefined, is: beside.text })))
    throw new StoreError(`There is already an ${beside.kind} record ${beside.id}.`); // takes back the first one
  return true;
}

/** False if another program has put a text there in the meantime. */
function* replace({ kind, id }: TeamKey, { was, is }: RecordTexts): TableWork<boolean> {
  if (is === undefined) {
    yield ["DELETE FROM team WHERE kind = $1 AND id = $2", [kind, id]];
    return true;
  }
  const text =
    was === undefined
      ? "INSERT INTO team (kind, id, text) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING id"
      : "UPDATE team SET text = $3 WHERE kind = $1 AND id = $2 RETURNING id";
  return (yield [text, [kind, id, is]]).length > 0;
}
