/** The tables of a team: whose sessions are, with whom they are shared, and records of people. */

import { belongingsIn } from "../belonging-rows.ts";
import { string } from "../rows.ts";
import type { Belonging, RecordTexts, ShareRight, TeamRecord, TeamRecords } from "../team.ts";
import { type ServerLink, type Sql, transaction } from "./server-link.ts";

/** What the calls of a session start belongs to whom it belongs. */
export async function inheritBelonging(sql: Sql, session: string, parent: string): Promise<void> {
  await sql(
    `INSERT INTO belongings (session, tenant, person, tree)
     SELECT $1, tenant, person, tree FROM belongings WHERE session = $2 ON CONFLICT DO NOTHING`,
    [session, parent],
  );
}

export function teamRecords(link: ServerLink): TeamRecords {
  const read = (sessions: readonly string[]) => link.patiently((sql) => belongingsOf(sql, sessions));
  return {
    belonging: async (session) => (await read([session])).get(session),
    belongings: read,
    give: (session, { tenant, person }) =>
      link.inOrder(session, async (sql) => {
        await sql(
          `INSERT INTO belongings (session, tenant, person, tree) SELECT id, $2, $3, id FROM sessions WHERE id = $1
           ON CONFLICT (session) DO UPDATE SET tenant = excluded.tenant, person = excluded.person`,
          [session, tenant, person],
        );
      }),
    share: (session, person, right) => link.inOrder(session, (sql) => share(sql, session, { person, right })),
    record: (kind, id) =>
      link.patiently(async (sql) => {
        const [row] = await sql("SELECT text FROM team WHERE kind = $1 AND id = $2", [kind, id]);
        return row && string(row, "text");
      }),
    records: (kind, from = "") =>
      link.patiently(async (sql) => {
        const rows = await sql(
          `SELECT id, text FROM team WHERE kind = $1 AND id COLLATE "C" >= $2 ORDER BY id COLLATE "C"`,
          [kind, from],
        );
        return rows.map((row): TeamRecord => ({ id: string(row, "id"), text: string(row, "text") }));
      }),
    replace: (kind, id, texts) =>
      link.patiently((sql, isRepeated) =>
        transaction(sql, async () => {
          const [row] = await sql("SELECT text FROM team WHERE kind = $1 AND id = $2 FOR UPDATE", [kind, id]);
          const found = row && string(row, "text");
          if (isRepeated && found === texts.is) return true;
          if (found !== texts.was || !(await replace(sql, { kind, id }, texts))) return false;
          const { beside } = texts;
          return !beside || replace(sql, beside, { was: undefined, is: beside.text });
        }),
      ),
  };
}

async function belongingsOf(sql: Sql, sessions: readonly string[]): Promise<Map<string, Belonging>> {
  return belongingsIn(
    await sql(
      `SELECT belongings.session, tenant, belongings.person, shares.person AS other, "right" FROM belongings
       LEFT JOIN shares ON shares.session = tree WHERE belongings.session = ANY($1)`,
      [sessions],
    ),
  );
}

async function share(
  sql: Sql,
  session: string,
  { person, right }: { person: string; right: ShareRight | undefined },
): Promise<void> {
  const tree = "(SELECT tree FROM belongings WHERE session = $1)";
  if (right === undefined)
    await sql(`DELETE FROM shares WHERE session = ${tree} AND person = $2`, [session, person]);
  else
    await sql(
      `INSERT INTO shares (session, person, "right") SELECT id, $2, $3 FROM sessions WHERE id = ${tree}
       ON CONFLICT (session, person) DO UPDATE SET "right" = excluded."right"`,
      [session, person, right],
    );
}

/** False if another program has put a text there in the meantime. */
async function replace(
  sql: Sql,
  { kind, id }: { kind: string; id: string },
  { was, is }: RecordTexts,
): Promise<boolean> {
  if (is === undefined) {
    await sql("DELETE FROM team WHERE kind = $1 AND id = $2", [kind, id]);
    return true;
  }
  const text =
    was === undefined
      ? "INSERT INTO team (kind, id, text) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING id"
      : "UPDATE team SET text = $3 WHERE kind = $1 AND id = $2 RETURNING id";
  return (await sql(text, [kind, id, is])).length > 0;
}
