import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { processorMs } from "../../testing/processor-time.ts";
import { countOpeners } from "./openers.ts";
import { parseShell } from "./parse.ts";

const unsure = Number.POSITIVE_INFINITY;

describe("the second scanner", () => {
  test.each([
    ["echo $(a) `b` <(c) >(d)", 4],
    ["echo '$(a) `b` <(c)' \\$(a) \\`b\\` $'\\'$(a)'", 0],
    ["echo \"$(a) `b` <(c) \\$(d) '$(e)'\"", 3],
    ["echo $(a $(b `c \\`d\\``))", 4],
    ["ls # $(a) it's\necho $(b)", 1],
    ["echo a#$(b) a\r# $(c)", 2],
    ["echo $((1 + $(a))) $[2 + `b`]", 2],
    ["echo $((a); b) $((a) | $(b))", 3],
    ["((i = $(a) << 2)); ((a); echo $(b) # it's\n)", 2],
    ["for ((i = 0; i < $(a); i++)); do echo $(b); done", 2],
    ["echo ${x:-$(a)} \"${x:-'$(b)'}\" ${x//`d`/e}", 3],
    ["a[$(b)]=1 c=([$(d)]=$(e) `f`) g=(x)`h`", 5],
    ["a[ # $(b)]=1", 1],
    ['a=(["\\$(b)"]=1) "\\$(c)"', 1],
    ['echo $(case x in a) b ;; (c|d) e;; esac) ) "$(f)"', 2],
    ['case "$(a)" in b) c;; d|e) `f`;; *) g;; esac', 2],
    ["case x in a) echo $(b);; esac", 1],
    ["cat <<A <<-'B' $(c)\n$(a) `b`\nA\n$(d)\n\tB\necho $(e)", 4],
    ["cat <<A\nit's \\$(a) \"$(b)\" ${x:-'$(c)'}\nA\necho '$(d)'", 2],
    ["cat <<EO\\\nF\n$(a)\nEO\\\nF\necho $(b)", 2],
    ["git commit -m \"$(cat <<'EOF'\nit's $(a)\nEOF\n)\" && echo $(b)", 2],
    ["cat <<< '$(a)' <<<$(b) 2>(c) 3<(d)", 3],
    ["diff <(a) <(sort <(b)) >f 2>&1", 3],
    ["echo $\\\n(a) <\\\n(b) $$(c)", 2],
    ["[[ $x =~ ^(a|b)*$ && $y == @(c|$(d)) ]] && echo $(e)", 2],
    ['echo "${x-"`: \\"<(a)\\"`"}"', 2],
    ['echo "`echo \\"$(a)\\"`"', 2],
    ["f() { echo $(a); }; function g { `b`; }; if x; then (c $(d)); fi", 3],
  ])("counts the substitutions that bash would open in %j: %i", (text, count) => {
    expect(countOpeners(text)).toBe(count);
  });

  test.each([
    "echo 'a",
    'echo "$(a',
    "echo `a",
    "(a",
    "case x in a) b",
    "echo ${ a; }",
    "echo $(cat <<A\nb\nA\nc; d)",
    "echo ${x#<(a)}",
    "a[<(b)]=1",
    "[[ a =~ (b # $(c)\n) ]]",
    "echo $(cat <<A\nb\nA)",
    "cat <<$(a)\n",
    "$(".repeat(130),
  ])("is unsure about unclosed or ambiguous text: %j", (text) => {
    expect(countOpeners(text)).toBe(unsure);
  });

  test("agrees with the parser on ordinary commands", () => {
    const lines = readFileSync("test/fixtures/commands.jsonl", "utf8").trim().split("\n");
    for (const line of lines) {
      const { cmd }: { cmd: string } = JSON.parse(line);
      const parsed = parseShell(cmd);
      if (parsed.ok) expect([cmd, countOpeners(cmd)]).toEqual([cmd, parsed.value.openers]);
    }
  });

  test("neither throws nor takes long on any text", () => {
    const pieces = fc.constantFrom(...storms, " ", "a", "in", "esac", ")", "}", "]", "))", "\nE\n");
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        expect(countOpeners(parts.join(""))).toBeGreaterThanOrEqual(0);
      }),
    );
    for (const storm of storms) {
      const text = storm.repeat(65_536 / storm.length);
      const cost = processorMs(() => void countOpeners(text));
      expect(cost, JSON.stringify(storm)).toBeLessThan(5_000);
    }
  });
});

const storms =
  "( (( ((a)~ $( $(( $((1)~ ` \\` a=( <<A~ ${ \"$( a[ case~x~in~a)~ @( ' \" \\ $' =~~( <( (((a)~b)~ <<A| \\| #| cat~<<E|$(x)|E|"
    .split(" ")
    .map((storm) => storm.replaceAll("~", " ").replaceAll("|", "\n"));
