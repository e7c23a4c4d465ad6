import { expect, test } from "vitest";
import { literal } from "../../command-line/word.ts";
import { told } from "../testing-effects.ts";
import { codeEffects } from "./index.ts";
import { lispEffects } from "./lisp.ts";

const tell = (code: string): string[] => told(lispEffects(literal(code)));

test.each([
  [`(run-program "/bin/id" nil)`, "/bin/id"],
  [`(uiop:run-program "id")`, "id"],
  [`(sb-ext::run-program "rm" (list "-rf" "x"))`, "rm -rf x"],
  [`( shell-command "id")`, "id"],
  [`(clojure.java.shell/sh "rm" "-rf" "x")`, "rm -rf x"],
  [`(shell "id")`, "id"],
  [`(let ((x 1)) (process-execute "id"))`, "id"],
  [`(system* "id")`, "id"],
])("%s starts the program %s", (code, command) =>
  expect(tell(code)).toEqual(["danger high its code starts programs", `interprets shell ${command}`]),
);

test.each([`(delete-file "x")`, `(delete-directory-tree "x")`])("%s deletes x", (code) =>
  expect(tell(code)).toEqual(["danger high its code deletes files", "deletes x deep"]),
);

test.each([`(+ 1 2)`, `(print "run-program")`, `(run-programs 1)`, `(shell-name "x")`, `run-program`, ""])(
  "%s has no effect",
  (code) => expect(tell(code)).toEqual([]),
);

test("Lua's concatenation and modules are followed", () => {
  const lua = (code: string): string => told(codeEffects("other", literal(code))).join(" | ");
  expect(lua('os.remove(os.getenv("HOME").."/.bashrc")')).toBe("deletes ~/.bashrc");
  expect(lua('local s=require("socket").tcp(); io.popen(s:receive())')).toContain(
    "danger critical its code gives another machine a shell here",
  );
});
