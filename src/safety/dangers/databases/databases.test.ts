import { expect, test } from "vitest";
import { literal, noFlows } from "../../command-line/word.ts";
import { effectsOf, told } from "../testing-effects.ts";

const severity = (line: string): string => {
  const dangers = effectsOf([], line).flatMap((effect) =>
    effect.type === "danger" ? [effect.severity] : [],
  );
  return ["critical", "high", "medium"].find((name) => dangers.some((danger) => danger === name)) ?? "none";
};

test.each([
  ["psql -l", "none"],
  ["psql -c select_1", "none"],
  ["psql -c select_'drop_table_x;_delete_from_y'", "none"],
  ["psql -c explain_delete_from_users", "none"],
  ["psql -c \\dt", "none"],
  ["psql -c insert_into_t_values_(1)", "medium"],
  ["psql -c update_t_set_a=1_where_id=2", "medium"],
  ["psql -c update_t_set_a=1", "high"],
  ["psql -c delete_from_users_where_1=1", "high"],
  ["psql -c with_x_as_(delete_from_t)_select_1", "high"],
  ["psql -c explain_analyze_delete_from_t", "high"],
  ["psql -c select_1;_drop/**/table_t", "high"],
  ["psql -c truncate_t", "high"],
  ["psql -c ?sql", "high"],
  ["psql -f a.sql", "medium"],
  ["mysql -uroot -psecret -e show_tables db", "none"],
  ["mysql -uroot -p -e drop_table_t db", "high"],
  ["mysql -e /*!50000_drop_*/_table_t", "high"],
  ["sqlite3 a.db .tables", "none"],
  ["sqlite3 a.db drop_table_t", "high"],
  ["duckdb -c select_1", "none"],
  ["cqlsh -e drop_keyspace_x", "high"],
  ["mongosh --eval db.users.find()", "none"],
  ["mongosh --eval db.dropDatabase()", "high"],
  ["redis-cli -h localhost get x", "none"],
  ["redis-cli flushall", "high"],
  ["redis-cli CONFIG SET dir /x", "high"],
  ["redis-cli config get dir", "none"],
  ["createdb app", "medium"],
  ["mysqladmin status", "none"],
  ["prisma generate", "none"],
  ["prisma migrate dev", "medium"],
  ["prisma migrate reset", "high"],
  ["alembic history", "none"],
  ["alembic downgrade -1", "high"],
  ["flyway clean", "high"],
])("%s is %s", (line, expected) => {
  expect(severity(line)).toBe(expected);
});

test.each([
  ["psql -c \\!_id", "interprets shell id"],
  ["psql -c select_1_\\g_|id", "interprets shell id"],
  ["psql -c \\x_\\!_id_\\!_b", "interprets shell id \\! b"],
  ["psql -c copy_t_from_program_'id'", "interprets shell id deep"],
  ["psql -c \\copy_t_to_program_'id'", "interprets shell id"],
  ["psql -c \\copy_t_to_'a.csv'", "writes a.csv replaces"],
  ["psql -o |id", "interprets shell id"],
  ["psql -o a", "writes a replaces"],
  ["mysql -e \\!_id", "interprets shell id"],
  ["mysql -e system_id", "interprets shell id"],
  ["mysql -e select_1_into_outfile_'/tmp/x'", "writes /tmp/x replaces"],
  ["sqlite3 a.db .shell_id", "interprets shell id"],
  ["sqlite3 a.db .output_b", "writes b replaces"],
  ["sqlite3 a.db .once_|id", "interprets shell id"],
  ["sqlite3 a.db select_writefile('b',1)", "writes b replaces"],
  ["sqlite3 a.db attach_'b'_as_c", "writes b edits"],
  ["sqlite3 a.db .read_b.sql", "loads b.sql other"],
  ["sqlcmd -Q !!id", "interprets shell id"],
  ["duckdb -c copy_t_to_'b'", "writes b replaces"],
])("commands, files and pipes of a database client are reported: %s", (line, effect) => {
  expect(told(effectsOf([], line))).toContain(effect);
});

test("a database file is reported as read, and as edited only if a statement changes it", () => {
  expect(told(effectsOf([], "sqlite3 a.db select_1"))).toEqual(["reads a.db"]);
  expect(told(effectsOf([], "sqlite3 a.db insert_into_t_values(1)"))).toContain("writes a.db edits");
});

test("statements on standard input are analysed too", () => {
  const input = { text: literal("select 1;\ndrop table t;"), flows: noFlows, isGiven: true };
  expect(told(effectsOf([], "psql", input))).toContain(
    "danger high it removes or rebuilds tables, or changes who may use them",
  );
  expect(told(effectsOf([], "sqlite3 a.db", { ...input, text: undefined }))).toContain(
    "danger medium it runs the statements of its input",
  );
});
