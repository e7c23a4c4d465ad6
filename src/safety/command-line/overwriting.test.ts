/** Runs over many files: what gives all of them one content or one name, and what changes each as itself. */

import { expect, test } from "vitest";
import { judgeCommand } from "../judge.ts";
import { around } from "../testing/around.ts";

test.each([
  ["rg -l x | xargs sed -i d", "high"],
  ["rg -l x | xargs sed -i '1,$d'", "high"],
  ["git ls-files | xargs sed -i 's/.*//'", "high"],
  ["rg -l foo | xargs perl -i -ne ''", "high"],
  ["git ls-files | xargs gawk -i inplace 'BEGIN{}'", "high"],
  ["git ls-files | xargs gawk -i inplace '{}'", "high"],
  ["rg -l foo | xargs ruby -i -ne '1'", "high"],
  ["find . -name '*.ts' -exec sed -n -i 's/a/b/' {} +", "high"],
  ["find . -name '*.ts' -exec sed -i '/.*/d' {} +", "high"],
  ["fd -e ts -x mv {} all.ts", "high"],
  ['for f in *.ts; do mv "$f" x.txt; done', "high"],
  ["find src -name '*.ts' -exec rename 's/.*/x/' {} +", "high"],
  ["find src -name '*.ts' -exec mv -T {} one \\;", "high"],
  ["find . -name '*.ts' -exec sponge {} \\;", "high"],
  ["find . -name '*.ts' -exec tee {} \\;", "high"],
  ["find . -name '*.ts' -exec curl -so {} https://x.example/a \\;", "high"],
  ["find src -type f -exec gcc -o {} x.c \\;", "high"],
  ["find . -name '*.ts' -exec sh -c 'jq -n 1 > {}' \\;", "high"],
  ["find . -name '*.py' -exec tee {} \\; < /dev/null", "high"],
  ["find . -name '*.c' -exec ed -s {} <<< $'1,$d\\nw' \\;", "high"],
  ["find . -name '*.c' -exec ex -s +%d +wq {} \\;", "high"],
  ["for f in *.ts; do vim -es -c '%d' -c wq \"$f\"; done", "high"],
  ["for f in *.ts; do ed -s \"$f\" <<< $',d\\nw'; done", "high"],
  ["for f in *.md; do ex -sc '%s/.*//|x' \"$f\"; done", "high"],
])("many files that get one content or one name are lost: %s", (line, risk) => {
  expect(judgeCommand(line, around).severity).toBe(risk);
});

test.each([
  "find . -name '*.ts' -exec sed -i '/foo/d' {} +",
  "find . -name '*.ts' -exec sed -i 's/a/b/' {} +",
  "find . -name '*.ts' -exec sed -i '1d' {} +",
  "find . -name '*.ts' -exec sed -n -i '/x/p' {} +",
  "find . -name '*.ts' -exec sed -i '$d' {} +",
  "find . -name '*.ts' -exec sed -i 's/^.*$/[&]/' {} +",
  "git ls-files | xargs gawk -i inplace '{print $1}'",
  "git ls-files | xargs gawk -i inplace '/x/'",
  "rg -l foo | xargs perl -i -pe 's/a/b/'",
  "rg -l foo | xargs perl -i -ne 'print unless /x/'",
  "sed -i d notes.md",
  "find . -name '*.md' -exec mv {} docs \\;",
  "find . -name '*.md' -exec mv {} docs/ \\;",
  'for f in *.jpeg; do mv "$f" "${f%.jpeg}.jpg"; done',
  "find . -name '*.jpeg' -exec rename 's/\\.jpeg$/.jpg/' {} +",
  "mv a.ts b.ts",
  'for d in packages/*; do cp LICENSE "$d"; done',
  'for d in packages/*/; do cp tsconfig.json "$d"; done',
  'for d in packages/*; do cp tsconfig.json "$d/"; done',
  'for f in packages/*/tsconfig.json; do cp tsconfig.json "$f"; done',
  "find . -name '*.json' -exec sh -c 'jq . \"$1\" > tmp && mv tmp \"$1\"' _ {} \\;",
  'for f in *.json; do jq . "$f" > t.json && mv t.json "$f"; done',
  'for f in *.json; do jq . "$f" | sponge "$f"; done',
  'for f in *.svg; do rsvg-convert "$f" -o "${f%.svg}.png"; done',
  'for f in *.c; do gcc -c "$f" -o "${f%.c}.o"; done',
  'for f in docs/*.md; do pandoc "$f" -o "${f%.md}.html"; done',
  'for f in *.ts; do git show HEAD:"$f" > "$f.orig"; done',
  'for f in *.ts; do { cat header.txt; cat "$f"; } > t && mv t "$f"; done',
  'for f in src/*.ts; do cat header.txt "$f" > "$f.new" && mv "$f.new" "$f"; done',
  "find . -name '*.png' -exec optipng {} \\;",
  "find . -name '*.ts' -exec touch {} +",
  'for f in src/*.ts; do sort -o "$f" "$f"; done',
  'for f in locales/*.json; do echo "$(jq -S . "$f")" > "$f"; done',
  'for f in a.txt b.txt; do echo hello > "$f"; done',
  "find . -name '*.c' -exec ex -s '+%s/a/b/g' +wq {} \\;",
  "for f in *.ts; do printf '1d\\nw\\n' | ed -s \"$f\"; done",
  "for f in *.ts; do ed -s \"$f\" <<< $'1d\\nw'; done",
  "vim -es -c '%d' -c wq notes.md",
])("each file that is changed as itself is an edit: %s", (line) => {
  expect(judgeCommand(line, around).severity).toBe("none");
});
