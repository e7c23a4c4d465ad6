import { expect, test } from "vitest";
import { judgeCommand } from "./judge.ts";
import { isReachingVariable } from "./sandbox/secrets.ts";
import { around } from "./testing/around.ts";

const secret = (
  "NPM_TOKEN GITHUB_PAT GH_TOKEN npm_config__authToken AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN OPENAI_API_KEY " +
  "OPENAI_KEY STRIPE_KEY SSH_PRIVATE_KEY PGPASSWORD PGPASSFILE MYSQL_PWD DB_PASS DB_PASSWORD SECRET_KEY_BASE " +
  "JWT_SECRET CLIENT_SECRETS GOOGLE_APPLICATION_CREDENTIALS GPG_PASSPHRASE NPM_AUTH TOKEN PASSWORD"
).split(" ");

test.each(secret)("printing %s is high, and the sandbox withholds it", (name) => {
  expect(judgeCommand(`echo "$${name}"`, around).severity).toBe("high");
  expect(judgeCommand(`printenv ${name}`, around).severity).toBe("high");
  expect(isReachingVariable(name, "x")).toBe(true);
});

test.each(
  "PWD OLDPWD HOME PATH NODE_ENV TOKENIZERS_PARALLELISM MAX_TOKENS KEYBOARD_LAYOUT TERM_SESSION".split(" "),
)("%s is not secret", (name) => {
  expect(judgeCommand(`echo "$${name}"; printenv ${name}`, around).severity).toBe("none");
  expect(isReachingVariable(name, "x")).toBe(false);
});

const made = "a1B2c3D4e5F6g7H8i9J0";
const withValue: readonly [string, string][] = [
  ["DATABASE_URL", "postgres://ann:hunter22@db/x"],
  ["REDIS_URL", "redis://:hunter22@cache:6379/0"],
  ["MONGODB_URI", "mongodb+srv://ann:hunter22@cluster/x"],
  ["AMQP", "amqp://guest:guest@mq"],
  ["SENTRY_DSN", "https://0123456789abcdef0123456789abcdef@o1.ingest.sentry.io/2"],
  ["SLACK_WEBHOOK", `https://hooks.slack.com/services/T0/B0/${made}${made}`],
  ["TEAMS_WEBHOOK_URL", `https://example.webhook.office.com/webhookb2/${made}`],
  ["AZURE_STORAGE_CONNECTION_STRING", `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${made}==`],
  ["SQL", "Server=db;User Id=sa;Password=hunter22;"],
  ["ODBC", "Driver={x};Uid=sa;Pwd=hunter22;"],
  ["DOCKER_AUTH_CONFIG", '{"auths":{"r.example":{"auth":"YW5uOmh1bnRlcjIy"}}}'],
  ["SUPABASE_SERVICE_ROLE", "canary-role-1"],
  ["STRIPE_SK", "canary"],
  ["GITHUB_PAT_FINE", "canary"],
  ["JWT", "canary"],
  ["CI_JOB_JWT", "canary"],
  ["DBPASS", "canary"],
  ["MYSQLPASS", "canary"],
  ["ANTHROPICKEY", "canary-5-anthropic"],
  ["http_proxy", "http://ann:hunter22@proxy:3128"],
  ["THING", `ghp_${made}${made}`],
  ["OTHER", `glpat-${made}`],
  ["ANY", `xoxb-1234-${made}`],
  ["X", "AKIAIOSFODNN7EXAMPLE"],
  ["Y", `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${made}`],
  ["Z", "-----BEGIN EC PRIVATE KEY-----\nMHc\n-----END EC PRIVATE KEY-----"],
  ["BLOB", "Zk29sLq83hdkQ0s9dkWm2Xp7"],
  ["HONEYCOMB_KEY", "canary"],
  ["TWILIO_SID", "AC0123456789abcdef0123456789abcdef"],
  ["COOKIE_SECRETS", "canary"],
  ["RABBIT_URI", "amqps://u%40x:p%40ss@host/vhost"],
  ["SMTP_URL", "smtps://ann%40example.org:hunter22@smtp.example.org:465"],
  ["REGISTRY", "https://example.org/t/feed?api_key=hunter2222"],
  ["HEROKU_API", "0b1c2d3e-0000-4444-8888-0123456789ab"],
  ["HASH_SALT", "canary"],
  ["SALT", "canary"],
  ["SEED_PHRASE", "abandon ability able"],
  ["WALLET_MNEMONIC", "abandon ability able"],
  ["WALLET_SEED", "x8-9f-canary"],
  ["CURL_OPTS", '-u "a:pw"'],
  ["CURL_OPTS", "-sS --user=ann:hunter22"],
  ["WGET", "-q -U ann:hunter22"],
  ["MAILGUN", "key-0123456789abcdef0123456789abcdef"],
  ["SENDGRID", "SG.x.y"],
  ["no_proxy_login", "u:pw@h:1"],
  ["MONGO", "ann:hunter22@db.example.org/x"],
  ["KAFKA_SASL", 'username="ann" password="hunter22"'],
];

test.each(withValue)("the sandbox withholds %s=%s", (name, value) => {
  expect(isReachingVariable(name, value)).toBe(true);
});

test.each<[string, string]>([
  ["DATABASE_URL", "postgres://localhost/test"],
  ["REDIS_URL", "redis://localhost:6379/0"],
  ["PATH", "/usr/local/bin:/usr/bin:/home/ann/.cargo/bin"],
  ["LS_COLORS", "rs=0:di=01;34:ln=01;36:*.tar=01;31:*.7z=01;31"],
  ["SSH_TTY", "/dev/pts/0"],
  ["SSH_CONNECTION", "10.0.0.2 51234 10.0.0.1 22"],
  ["NODE_OPTIONS", "--max-old-space-size=8192"],
  ["JAVA_TOOL_OPTIONS", "-XX:MaxRAMPercentage=75.0"],
  ["MAVEN_OPTS", "-Xmx2048m -XX:+UseG1GC"],
  ["GOPROXY", "https://proxy.golang.org,direct"],
  ["http_proxy", "http://proxy.example.org:3128"],
  ["no_proxy", "localhost,127.0.0.1,.example.org"],
  ["AUTH_URL", "http://localhost:3000"],
  ["NEXTAUTH_URL", "http://localhost:3000/api/auth"],
  ["AUTH_DISABLED", "true"],
  ["GIT_AUTHOR_NAME", "Ann Example"],
  ["GIT_AUTHOR_EMAIL", "ann@example.org"],
  ["GITHUB_SHA", "0123456789abcdef0123456789abcdef01234567"],
  ["GITHUB_REPOSITORY", "example/Project-2024"],
  ["JWT_ALGORITHM", "HS256"],
  ["BYPASS", "1"],
  ["HOTKEY", "ctrl-k"],
  ["SSL_CERT_FILE", "/etc/ssl/certs/ca.pem"],
  ["JAVA_HOME", "/usr/lib/jvm/java-21-openjdk-amd64"],
  ["COLORTERM", "truecolor"],
  ["RUSTFLAGS", "-C target-cpu=native"],
  ["CFLAGS", "-O2 -g -DNDEBUG"],
  ["VCPKG_DEFAULT_TRIPLET", "x64-linux"],
  ["ANDROID_NDK_VERSION", "26.1.10909125"],
  ["PS1", "\\[\\033[01;32m\\]\\u@\\h\\$ "],
  ["LESSOPEN", "| /usr/bin/lesspipe %s"],
  ["XDG_DATA_DIRS", "/usr/local/share:/usr/share"],
  ["RANDOM_SEED", "42"],
  ["PYTHONHASHSEED", "random"],
  ["PUBLIC_API", "https://api.example.org/v1"],
  ["API", "v1"],
  ["ANDROID_API", "34"],
  ["DOCKER_RUN", "-u 1000:1000 --rm"],
  ["DOCKER_OPTS", "--user=node:node"],
  ["DOCKER_ARGS", "-u node -v /a:/b"],
  ["IMAGE", "ghcr.io/a/b:1@sha256"],
  ["REMOTE", "git@github.com:org/thing"],
  ["CACHE", "key-value-store"],
  ["SALTED", "no"],
  ["KEYBOARD_LAYOUT", "us-intl"],
  ["npm_config_user_agent", "npm/10.9.0 node/v24.1.0 linux x64 workspaces/false"],
])("a harmless %s=%s stays", (name, value) => {
  expect(isReachingVariable(name, value)).toBe(false);
});
