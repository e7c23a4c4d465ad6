import { expect, test } from "vitest";
import { outcomeInProfile, outcomeOf } from "../testing/outcomes.ts";

test.each([
  "cat ~/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/serde-1.0.219/src/lib.rs",
  "grep -rn 'func Get' ~/go/pkg/mod/github.com/gorilla/mux@v1.8.1/",
  "sed -n 1,40p /home/dev/.nvm/versions/node/v22.1.0/lib/node_modules/typescript/lib/lib.d.ts",
  "cd ~/.rustup/toolchains && head stable-x86_64-unknown-linux-gnu/lib/rustlib/src/rust/library/core/src/lib.rs",
  "cat ~/.pyenv/versions/3.12.1/lib/python3.12/json/decoder.py",
])("sources that a package manager fetched are read without a question: %s", (line) => {
  expect(outcomeInProfile(line)).toBe("allow read");
  expect(outcomeOf(line)).toBe("harmless");
});

test.each([
  "cat ~/.cargo/registry/src/../../credentials.toml",
  "cat ~/.cargo/registry/src/a/.env",
  "cat ~/go/pkg/mod/cache/vcs/a/config",
  "cat ~/.cargo/config.toml",
  "cat ~/.nvm/alias/default",
  "cat ~/go/pkg/modern/a",
  "echo x > ~/.cargo/registry/src/a/lib.rs",
  "cat ~/g*/pkg/mod/a",
  "cat ~/go/pkg/mod/$x",
  "rm -r ~/.rustup/toolchains/stable",
])("what lies beside them, a secret among them and any change asks: %s", (line) => {
  expect(outcomeOf(line)).toMatch(/^(?:asks|critical)$/u);
});
