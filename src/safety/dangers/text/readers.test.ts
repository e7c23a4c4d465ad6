import { expect, test } from "vitest";
import { outcomeOf } from "../../testing/outcomes.ts";

test.each([
  "column -t ~/.netrc",
  "paste -s ~/.netrc",
  "comm -1 ~/.netrc x",
  "fmt -s ~/.netrc",
  "nl -p ~/.netrc",
  "tac -b ~/.netrc",
  "strings -a ~/.ssh/id_rsa",
  "pr -t ~/.netrc",
  "zcat -f ~/.netrc",
  "diff -w ~/.netrc x",
  "diff -p ~/.netrc x",
  "bat -P ~/.netrc",
  "pv -f ~/.netrc",
  "iconv -s ~/.netrc",
  "more -p ~/.netrc",
])("a file behind an option that takes no value is read: %s", (line) => {
  expect(outcomeOf(line)).toBe("asks");
});

test.each([
  "rpm -q --eval '%(id)' x",
  "mlr --prepipe 'rm -rf src #' cat x",
  "lnav -n -c ':pipe-to sh' x",
  "cloc --extract-with='sh -c id' x.zip",
  "cowsay -f ./x.cow hi",
  "pidstat -e ./x.sh",
  "xmllint --shell x.xml",
  "jc find src -delete",
  "sdiff --output=out a b",
  "ptx -G README.md src/index.ts",
  "tidy -m index.html",
  "xmlstarlet ed -L -u //a -v b x.xml",
  "uudecode x.uu",
  "recode latin1..utf8 src/index.ts",
  "yq -s '.name' x.yml",
])("what an option of a reader runs or writes is no reading: %s", (line) => {
  expect(outcomeOf(line)).not.toBe("harmless");
});
