import { describe, expect, test } from "vitest";
import { judgeCommand } from "../../judge.ts";
import { around } from "../../testing/around.ts";

/** `·` stands where the language lets blanks stand, `¶` where it lets whole statements stand. */
type Padded = { program: string; statements: readonly string[]; dangers: readonly string[] };

const padded: Readonly<Record<string, Padded>> = {
  awk: {
    program: "awk -f /dev/stdin",
    statements: [
      'print 1 > "/dev/null";',
      'system("true");',
      '"date" | getline x;',
      'getline x < "a.txt";',
      'print 1 | "cat";',
    ],
    dangers: [
      'BEGIN { ¶ print·"x"· > ·"/etc/cron.d/x" }',
      'BEGIN { ¶ printf "%s",·"x"· >> ·"/home/dev/.bashrc" }',
      'BEGIN { ¶ while ((getline line· < ·"/home/dev/.ssh/id_rsa") > 0) print line }',
      'BEGIN { ¶ "rm -rf /home/dev/x"· | ·getline }',
      'BEGIN { ¶ print "x"· | ·"sh" }',
      'BEGIN { ¶ system(·"rm -rf /home/dev/x"·) }',
    ],
  },
  perl: {
    program: "perl -",
    statements: [
      'open(F,">","/dev/null");',
      'unlink("a");',
      '$x = "a";',
      'system("true");',
      'open(F,"<","a.txt");',
    ],
    dangers: [
      '¶ open(·F·,·">"·,·"/etc/passwd"·);',
      '¶ unlink(·"/home/dev/.bashrc"·);',
      '¶ open(·F·,·"<"·,·"/home/dev/.ssh/id_rsa"·); print <F>;',
      '¶ rename(·"a"·,·"/home/dev/.bashrc"·);',
    ],
  },
  ruby: {
    program: "ruby -",
    statements: ['File.write("/dev/null","");', 'File.read("a.txt");', 'x="a";', 'File.delete("a");'],
    dangers: [
      '¶ File.write(·"/etc/passwd"·,·""·)',
      '¶ puts File.read(·"/home/dev/.ssh/id_rsa"·)',
      '¶ FileUtils.rm_rf(·"/home/dev/x"·)',
      '¶ A = File; A.write(·"/etc/passwd"·,·""·)',
    ],
  },
  php: {
    program: "php",
    statements: ['file_put_contents("/dev/null","");', 'echo file_get_contents("a.txt");', '$x="a";'],
    dangers: [
      '<?php ¶ file_put_contents(·"/etc/passwd"·,·""·);',
      '<?php ¶ echo file_get_contents(·"/home/dev/.ssh/id_rsa"·);',
      '<?php ¶ unlink(·"/home/dev/.bashrc"·);',
    ],
  },
  R: {
    program: "Rscript -",
    statements: ['x <- "a b";', 'unlink("a");', "y <- 1;"],
    dangers: ['¶ unlink(·"/home/dev/x"·,·recursive=TRUE·)', '¶ system(·"rm -rf /home/dev/x"·)'],
  },
  groovy: {
    program: "groovy -",
    statements: ['x = "a b";', "println 1;"],
    dangers: ['¶ "rm -rf /home/dev/x· ".execute()'],
  },
  node: {
    program: "node -",
    statements: [
      'require("fs").readFileSync("a.txt");',
      "x = 1;",
      '/"/.test(1);',
      'if (1) /"/.test(1);',
      '{}/"/.test(1);',
      `/${"a".repeat(1_500)}"/.test(1);`,
    ],
    dangers: [
      '¶ require("fs")·.·rmSync(·"/home/dev/x"·,·{recursive:true}·)',
      '¶ require("fs")\n // a comment\n·.writeFileSync("/etc/passwd", "")',
      '¶ process.stdout.write(require("fs")·.readFileSync(·"/home/dev/.ssh/id_rsa"·))',
      '¶ require("fs").rmSync·\n(·"/home/dev/x"·,·{recursive:true}·)',
      '¶ require("fs").\n·rmSync("/home/dev/x", {recursive:true})',
      '¶ require("child_process").execSync("rm -rf "\n· + "/home/dev/x")',
      '¶ require("child_process")·\n.execSync(·"rm -rf /home/dev/x"·)',
    ],
  },
  python: {
    program: "python3 -",
    statements: ['open("a.txt").read();', 'x = "a";'],
    dangers: [
      'import shutil\n¶ shutil.rmtree(·"/home/dev/x"·)',
      'import os\n¶ (os·.·remove)(·"/home/dev/.bashrc"·)',
      'import os\n¶ os.system("rm -rf "\n· + "/home/dev/x")',
      'import shutil\n¶ (shutil.rmtree\n·("/home/dev/x"))',
      '¶ print(open(·"/home/dev/.ssh/id_rsa"·).read())',
    ],
  },
  ex: {
    program: "ex a.txt",
    statements: ["p\n", "s/a/b/\n"],
    dangers: ["¶!rm -rf /home/dev/x", "¶w /etc/passwd"],
  },
  psql: {
    program: "psql",
    statements: ["select 1;"],
    dangers: [
      "¶ drop · table · users;",
      "¶ explain (verbose, costs, settings, buffers, wal, timing, analyze)· delete from users;",
      "¶ explain· analyse ·delete from users;",
      "¶ with gone as (·delete from users returning *·) select * from gone;",
      "¶ create or replace trusted procedural language plx;",
    ],
  },
};

const severity = (program: string, code: string): string => {
  const { severity: told, onlyReads } = judgeCommand(`${program} <<'END'\n${code}\nEND`, around);
  return onlyReads ? "reads" : told;
};

describe.each(Object.entries(padded))("in %s", (_, { program, statements, dangers }) => {
  test.each(dangers)("%s is as grave with anything in front and blanks within", (danger) => {
    const usual = severity(program, danger.replaceAll("·", "").replaceAll("¶", ""));
    expect(usual).toMatch(/high|critical/u);
    const places = danger.split("·").length - 1;
    const paddings = Array.from({ length: places }, (_, at) => {
      let seen = -1;
      return danger.replaceAll("·", () => ((seen += 1) === at ? " ".repeat(700) : "")).replaceAll("¶", "");
    });
    const short = statements.filter(({ length }) => length < 100);
    const fillers = [short.join("").repeat(500), ...statements.map((one) => one.repeat(50))];
    const front = fillers.map((filler) => danger.replaceAll("·", "").replaceAll("¶", filler));
    for (const code of [...paddings, ...front])
      expect(severity(program, code), `${code.length} ${code.slice(0, 120)}`).toMatch(/high|critical/u);
  });
});
