import { expect, test } from "vitest";
import { effectsOf, told } from "../testing-effects.ts";
import { languages } from "./languages.ts";

const tell = (line: string): string[] => told(effectsOf(languages, line));

test.each([
  ["python3 -c print(1)", "interprets python print(1)"],
  ["python -Bc print(1) -m x", "interprets python print(1)"],
  ["python script.py -c x", "loads script.py python"],
  ["python -u - x", "interprets-input python"],
  ["python", "interprets-input python"],
  ["python -m pytest -q", "runs pytest -q"],
  ["python -mpip install x", "runs pip install x"],
  ["python -m http.server -d /", "danger none it does more than read|sends /"],
  ["python -m json.tool a.json b.json", "reads a.json|writes b.json replaces"],
  ["python -m ?x", "danger high only the run will tell which module it runs"],
  ["python manage.py flush", "loads manage.py python|danger high it deletes data of a database"],
  ["node -e f()", "interprets javascript f()"],
  ["node -pe f()", "interprets javascript console.log(f())"],
  ["node -p f()", "interprets javascript console.log(f())"],
  ["node -r ./hook.js app.js -e x", "loads ./hook.js javascript|loads app.js javascript"],
  ["node -r dotenv/config app.js", "danger none it does more than read|loads app.js javascript"],
  ["node --import data:text/javascript,f() app.js", "interprets javascript f()|loads app.js javascript"],
  [
    "node --inspect=0.0.0.0 a.js",
    "danger high it opens its debugger to other machines|loads a.js javascript",
  ],
  [
    "deno run https://x.example/a.ts",
    "danger none it does more than read|fetches https://x.example/a.ts|danger critical it runs code from the network",
  ],
  ["perl -pi.bak -e s/a/b/ x.txt", "interprets perl s/a/b/|writes x.txt edits"],
  ["perl -ne print x.txt", "interprets perl print|reads x.txt"],
  ["perl -lane print x.txt", "interprets perl print|reads x.txt"],
  ["perl -0777pe f() x.txt", "interprets perl f()|reads x.txt"],
  ["perl -CSDwle f()", "interprets perl f()"],
  ["ruby -lne f x.txt", "interprets ruby f|reads x.txt"],
  ["ruby -W0 -0ne f", "interprets ruby f"],
  ["python -m pdb -c !f() x.py", "interprets python f()|loads x.py python"],
  ["python -m build", "danger none it does more than read"],
  ["node --test", "danger none it does more than read"],
  ["deno task build", "danger none it does more than read"],
  ["perl -MPOSIX -e f()", "interprets perl use POSIX;\nf()"],
  ["perl x.pl", "loads x.pl perl"],
  ["ruby -rjson -e f", "interprets ruby f"],
  ["ruby -r./x -e f", "loads ./x ruby|interprets ruby f"],
  ["php -r f();", "interprets php f();"],
  [
    "php -d extension=/tmp/x.so a.php",
    "danger high a setting of it runs code or lifts a limit|loads a.php php",
  ],
  ["lua -e f()", "interprets other f()|danger none it does more than read"],
  ["Rscript x.R", "loads x.R other"],
  ["java -javaagent:/tmp/a.jar=x -jar app.jar", "loads /tmp/a.jar other|loads app.jar other"],
  ["java -XX:OnError=id Main", "danger high its option -XX:OnError runs a command|interprets shell id"],
])("%s: %s", (line, expected) => {
  expect(tell(line).join("|")).toBe(expected);
});

test.each([
  "python --version",
  "python3 -V",
  "node --version",
  "python -m platform",
  "perl -v",
  "java -version",
  "php -v",
  "ruby --version",
])("%s only prints", (line) => {
  expect(tell(line)).toEqual([]);
});

test("an interpreter whose arguments are known only at run time may be given code", () => {
  expect(tell("python ?flags x").join("|")).toContain(
    "danger high only the run will tell whether it is given code",
  );
});
