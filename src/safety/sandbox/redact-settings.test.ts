/** G1: settings that builds need are shown without their secrets, judged by name, by value and by place. */

import { expect, test } from "vitest";
import { redactSettings } from "./redact-settings.ts";

const secretTexts = [
  'user = "ann:CANARY"',
  "user=ann:CANARY",
  "-u ann:CANARY",
  "--user ann:CANARY",
  '-u "ann:CANARY"',
  'header = "Authorization: Bearer CANARY"',
  'header="X-Auth: CANARY"',
  '-H "Authorization: Basic CANARY"',
  'oauth2-bearer = "CANARY"',
  'proxy-user = "ann:CANARY"',
  "proxy = http://ann:CANARY@proxy:3128",
  "header = Authorization: Basic CANARY",
  "http_password = CANARY",
  "password=CANARY",
  'BUNDLE_GEMS__EXAMPLE__ORG: "ann:CANARY"',
  'BUNDLE_RUBYGEMS__PKG__GITHUB__COM: "CANARY:x-oauth-basic"',
  'npmAuthIdent: "ann:CANARY"',
  "npmAuthToken: CANARY",
  "npmRegistries:\n  //r.example:\n    npmAuthIdent: CANARY",
  "//registry.npmjs.org/:_authToken=CANARY",
  "//registry.npmjs.org/:_auth = CANARY",
  "[github]\n\toauth = CANARY",
  "[github]\n\tpat = CANARY",
  "[sendemail]\n\tsmtpPass = CANARY",
  '[url "https://ann:CANARY@example.org/"]\n\tinsteadOf = https://example.org/',
  '[http "https://example.org/"]\n\textraheader = AUTHORIZATION: basic CANARY',
  "channels:\n  - https://conda.example.org/t/CANARY/main",
  "channel_alias: https://conda.example.org/t/CANARY",
  "GITHUB_PAT=CANARY",
  "ossrhPw=CANARY",
  "signing.password=CANARY",
  "mavenToken=CANARY",
  "nexusPassword = CANARY",
  "<server>\n  <username>ann</username>\n  <password>\n    CANARY\n  </password>\n</server>",
  "<password>CANARY</password>",
  '<add key="ClearTextPassword" value="CANARY" />',
  '<packageSourceCredentials><feed><add key="Password" value="CANARY" /></feed></packageSourceCredentials>',
  'token = """\nCANARY\n"""',
  "token = '''\nCANARY'''",
  'password =\n  "CANARY"',
  "token: |\n  CANARY\n  CANARY",
  "token: >-\n    CANARY",
  '"auth":\n  "CANARY"',
  "index-url = https://ann:CANARY@pypi.example/simple",
  "extra-index-url =\n    https://a.example/simple\n    https://ann:CANARY@pypi.example/simple",
  "[registries.mine]\ntoken = \"CANARY\"",
  '{"http-basic":{"r.example":{"username":"ann","password":"CANARY"}}}',
  '{\n "auths": {\n  "r.example": {\n   "auth": "CANARY"\n  }\n }\n}',
  "# old password: CANARY",
  "; token=CANARY",
  "something = ghp_a1B2c3D4e5F6g7H8i9J0CANARY",
  "plain = x7Kd92lsCANARYp3Qz81",
  "default login ann password CANARY",
  "-----BEGIN PRIVATE KEY-----\nCANARY\n-----END PRIVATE KEY-----",
  "dsn = postgres://ann:CANARY@db/x",
  "apiKey: CANARY",
  "deployKey=CANARY",
  "SECRET_KEY_BASE: CANARY",
  "sessionCookie = CANARY",
  "machine r.example login ann password CANARY",
];

test.each(secretTexts)("nothing secret is shown of %j", (text) => {
  expect(redactSettings(text)).not.toContain("CANARY");
});

const harmless = [
  "registry=https://registry.npmjs.org/",
  "@mine:registry=https://npm.example.org/path/",
  "save-exact=true",
  "prefix=/home/ann/.npm-global",
  "strict-ssl=false",
  "cafile=/etc/ssl/ca.pem",
  "always-auth=true",
  "nodeLinker: node-modules",
  "yarnPath: .yarn/releases/yarn-4.5.0.cjs",
  'npmRegistryServer: "https://npm.example.org"',
  "[user]\n\tname = Ann Example\n\temail = ann@example.org",
  "[init]\n\tdefaultBranch = main",
  "[alias]\n\tlg = log --graph --oneline --decorate\n\tst = status -sb",
  "[core]\n\tautocrlf = input\n\teditor = vim",
  '[url "git@github.com:"]\n\tinsteadOf = https://github.com/',
  "[safe]\n\tdirectory = /home/ann/code/thing-2",
  "[global]\nindex-url = https://pypi.example.org/simple\ntimeout = 60",
  "extra-index-url =\n    https://a.example/simple\n    https://b.example/simple",
  "org.gradle.jvmargs=-Xmx2048m -Dfile.encoding=UTF-8",
  "org.gradle.parallel=true",
  "android.useAndroidX=true",
  "systemProp.http.proxyHost=proxy.example.org\nsystemProp.http.proxyPort=3128",
  "<mirror>\n  <id>central</id>\n  <url>https://maven.example.org/repository/public</url>\n  <mirrorOf>*</mirrorOf>\n</mirror>",
  "<localRepository>/data/m2</localRepository>",
  '[source.crates-io]\nreplace-with = "mirror"',
  '[build]\ntarget-dir = "target"\njobs = 8',
  '[net]\ngit-fetch-with-cli = true',
  'proxy = "http://proxy.example.org:3128"',
  "channels:\n  - conda-forge\n  - defaults",
  'BUNDLE_PATH: "vendor/bundle"',
  'BUNDLE_JOBS: "4"',
  '<add key="nuget.org" value="https://api.nuget.org/v3/index.json" protocolVersion="3" />',
  "check_certificate = on",
  "connect-timeout = 10",
  "user-agent = curl/8.5.0",
  '[[index]]\nurl = "https://pypi.example.org/simple"',
];

test.each(harmless)("all is shown of the harmless %j", (text) => {
  expect(redactSettings(text)).toBe(text);
});

test("hostile text takes linear time", () => {
  for (const piece of ["a=", "<a>", "'''", '="""', "[", "-----BEGIN x-----", " ", "x:", "://", "a.b-", '"a" '])
    expect(typeof redactSettings(piece.repeat(10_000))).toBe("string");
});
