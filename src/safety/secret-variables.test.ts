import { expect, test } from "vitest";
import { judgeCommand } from "./judge.ts";
import { isReachingVariable } from "./sandbox/secrets.ts";
import { around } from "./testing-around.ts";

const secret = (
  "NPM_TOKEN GITHUB_PAT GH_TOKEN npm_config__authToken AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN OPENAI_API_KEY " +
  "OPENAI_KEY STRIPE_KEY SSH_PRIVATE_KEY PGPASSWORD PGPASSFILE MYSQL_PWD DB_PASS DB_PASSWORD SECRET_KEY_BASE " +
  "JWT_SECRET CLIENT_SECRETS GOOGLE_APPLICATION_CREDENTIALS GPG_PASSPHRASE NPM_AUTH TOKEN PASSWORD"
).split(" ");

test.each(secret)("printing %s is high, and the sandbox withholds it", (name) => {
  expect(judgeCommand(`echo "$${name}"`, around).severity).toBe("high");
  expect(judgeCommand(`printenv ${name}`, around).severity).toBe("high");
  expect(isReachingVariable(name)).toBe(true);
});

test.each(
  "PWD OLDPWD HOME PATH NODE_ENV TOKENIZERS_PARALLELISM MAX_TOKENS KEYBOARD_LAYOUT TERM_SESSION".split(" "),
)("%s is not secret", (name) => {
  expect(judgeCommand(`echo "$${name}"; printenv ${name}`, around).severity).toBe("none");
  expect(isReachingVariable(name)).toBe(false);
});
