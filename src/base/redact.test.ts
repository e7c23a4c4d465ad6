import * as fc from "fast-check";
import { expect, test } from "vitest";
import { redactedJson, redactedMark, redactor, secretValues } from "./redact.ts";

test("text that looks like a secret is redacted, and the text around it stays", () => {
  const redact = redactor();
  const made = "a1B2c3D4e5F6g7H8i9J0";
  const looks: [string, string][] = [
    [`key sk-proj-${made}${made}`, `key ${redactedMark}`],
    [`ghp_${made}${made}`, redactedMark],
    [`github_pat_${made}`, redactedMark],
    ["AKIAIOSFODNN7EXAMPLE", redactedMark],
    [`eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${made}`, redactedMark],
    [`Authorization: Bearer ${made}`, `Authorization: ${redactedMark}`],
    [`sent with Bearer ${made}`, `sent with Bearer ${redactedMark}`],
    ["postgres://ann:hunter22@db.example/x", `postgres://ann:${redactedMark}@db.example/x`],
    ["https://x.example/v1?alt=sse&key=abcdef123", `https://x.example/v1?alt=sse&key=${redactedMark}`],
    ["DB_PASSWORD=hunter22 run", `DB_PASSWORD=${redactedMark} run`],
    ['{"client_secret":"abcdefgh"}', `{"client_secret":"${redactedMark}"}`],
    ["-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----!", `${redactedMark}!`],
    ["-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl", redactedMark],
  ];
  for (const [text, expected] of looks) expect(redact(text)).toBe(expected);
});

test("ordinary words are not redacted", () => {
  const redact = redactor(["hunter22"]);
  const ordinary = [
    "The model refused: too many tokens (maxTokens: 200000).",
    "Basic operations of the task-list",
    "src/tokens/secret-santa.ts was read; sk-learn is a library",
    "https://example.org:8080/path?page=2",
    "session 20261121-231502-7f3a91",
  ];
  for (const text of ordinary) expect(redact(text)).toBe(text);
});

test("known values are redacted in every encoding", () => {
  const secret = 'pa"ss/w+rd\\1';
  const redact = redactor([secret]);
  const forms = [
    secret,
    JSON.stringify(secret),
    encodeURIComponent(secret),
    Buffer.from(secret).toString("base64"),
    Buffer.from(secret).toString("base64url"),
  ];
  for (const form of forms) expect(redact(`before ${form} after`)).not.toContain(form.replaceAll('"', ""));
  expect(redact("before")).toBe("before");
});

test("no known value survives redaction, whatever surrounds it", () => {
  const word = fc.stringMatching(/^[a-z"\\%+/]{6,40}$/u);
  const around = fc.stringMatching(/^[A-Z0-9 .]*$/u);
  fc.assert(
    fc.property(word, around, around, (secret, before, after) => {
      const line = redactedJson(
        { [`${before}${secret}`]: [`${before}${secret}${after}`] },
        redactor([secret]),
      );
      expect(line).toBe(
        JSON.stringify({ [`${before}${redactedMark}`]: [`${before}${redactedMark}${after}`] }),
      );
    }),
  );
});

test("redacting hostile text takes linear time", () => {
  const redact = redactor(["hunter22"]);
  const pieces = [
    "eyJ-",
    "sk-1",
    "-----BEGIN PRIVATE KEY-----",
    "a_b-",
    "token=",
    "http://a:",
    "Bearer ",
    "x@",
    "key:",
  ];
  // Quadratic matching would take minutes, and the test would time out.
  for (const piece of pieces) expect(redact(piece.repeat(20_000))).not.toBe("");
});

test("environment variables are secret by their name or by their value", () => {
  const env = {
    OPENAI_API_KEY: "abcdefgh",
    MY_TOKEN: "tokentoken",
    DATABASE_URL: "postgres://ann:hunter22%21@db/x",
    STRANGE: "ghp_a1B2c3D4e5F6g7H8i9J0",
    CI_THING: "Zk29sLq83hdkQ0s9dkWm2",
    PATH: "/usr/local/bin:/usr/bin",
    GIT_AUTHOR_NAME: "Ann Example",
    EDITOR: "code --wait",
    SHORT_TOKEN: "abc",
  };
  expect(secretValues(env)).toEqual([
    "abcdefgh",
    "tokentoken",
    "postgres://ann:hunter22%21@db/x",
    "hunter22%21",
    "hunter22!",
    "ghp_a1B2c3D4e5F6g7H8i9J0",
    "Zk29sLq83hdkQ0s9dkWm2",
  ]);
});

test("paths are not secrets: the current directory, certificate files and credential files", () => {
  const places = {
    PWD: "/home/ann/project",
    OLDPWD: "/home/ann",
    SSL_CERT_FILE: "/etc/ssl/certs/all.pem",
    DB_PASSWORD_FILE: "/run/secrets/db",
  };
  expect(secretValues(places)).toEqual([]);
  expect(secretValues({ MY_TOKEN: "/k3yWithASlash" })).toEqual(["/k3yWithASlash"]);
  expect(secretValues({ DB_PWD: "hunter22", PWD: "hunter22" })).toEqual(["hunter22", "hunter22"]);
});
