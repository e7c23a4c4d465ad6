/** G1: what holds secrets in a home is found by rule, whatever program keeps it; what builds need stays readable. */

import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isWithin } from "../../base/paths.ts";
import { judgeOnDisk } from "../judge-on-disk.ts";
import { judgeCommand } from "../judge.ts";
import { indexHome, isSecretAtHome } from "./home-index.ts";
import { maskSecrets } from "./masks.ts";

const made = "a1B2c3D4e5F6g7H8i9J0";

function makeHome(): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-home-")));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

function put(home: string, path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
  chmodSync(join(home, path), mode);
}

/** The text that a command sees; undefined if it is hidden. */
function seenBy(home: string, path: string, index = indexHome(home, join(home, "work"))): string | undefined {
  const masks = maskSecrets({
    home,
    workspace: join(home, "work"),
    unmasked: [],
    named: [],
    environmentFiles: [],
    byRule: index.look(),
    emptied: [],
    sockets: [],
  });
  if (!masks.ok) throw new Error(masks.problem);
  const mask = masks.value.find((one) => isWithin(one.path, join(home, path)));
  if (mask === undefined) return "as it is";
  return mask.kind === "text" ? mask.text : undefined;
}

const canary = "CANARY-of-this-file";
const json = JSON.stringify({ access: canary });
type Planted = readonly [path: string, text: string, mode?: number];

const named = (all: readonly Planted[]) => all.map(([path, text, mode]) => ({ path, text, mode }));

const secret: readonly Planted[] = [
  [".pi/agent/auth.json", json],
  [".qwen/oauth_creds.json", json],
  [".local/share/amp/secrets.json", json],
  [".factory/auth.encrypted", canary],
  [".kimi/config.json", json],
  [".grok/user-settings.json", json],
  [".copilot/config.json", json],
  [".kiro/settings/x.json", json],
  [".openclaw/openclaw.json", json],
  [".cline/data/secrets.json", json],
  [".config/crush/crush.json", json],
  [".local/share/crush/crush.json", json],
  [".local/share/goose/sessions/x.jsonl", json],
  [".config/Code/User/globalStorage/state.vscdb", canary],
  [".config/VSCodium/User/globalStorage/state.vscdb", canary],
  [".supabase/access-token", canary],
  [".config/neonctl/credentials.json", json],
  [".doppler/.doppler.yaml", `token: ${canary}`],
  [".infisical/infisical-config.json", json, 0o600],
  [".config/planetscale/access-token", canary],
  [".config/turso/settings.json", JSON.stringify({ token: canary })],
  [".config/scw/config.yaml", `access_key: x\nsecret_key: ${canary}`],
  [".config/openstack/clouds.yaml", `clouds:\n  a:\n    auth:\n      password: ${canary}`],
  [".modal.toml", `[default]\ntoken_id = "x"\ntoken_secret = "${canary}"`],
  [".config/io.datasette.llm/keys.json", json],
  [".config/aichat/config.yaml", `clients:\n- type: openai\n  api_key: ${canary}`],
  [".config/rbw/config.json", json, 0o600],
  [".local/share/keybase/keybase.leveldb/x", canary, 0o600],
  [".config/filezilla/sitemanager.xml", `<Pass encoding="x">${canary}</Pass>`],
  [".local/share/atuin/key", canary],
  [".local/share/DBeaverData/workspace6/General/.dbeaver/credentials-config.json", canary],
  [".config/JetBrains/IDEA/c.kdbx", canary],
  [".ansible/vault_pass", canary],
  [".env", `X=${canary}`],
  ["code/other/.env", `X=${canary}`],
  ["a/b/c/.env.production", `X=${canary}`],
  // Others of the same kinds.
  [".newagent/auth.json", json],
  [".newagent/config.json", JSON.stringify({ apiKey: canary })],
  [".config/someapp/token", canary],
  [".config/someapp/state", canary, 0o600],
  [".someapp/deep/er/session.json", json],
  [".someapp/id_ed25519", canary],
  [".someapp/client.p12", canary],
  [".config/someapp/settings.ini", `[main]\nurl = https://ann:${canary}@example.org/`],
  [".config/someapp/settings.toml", `pat = "ghp_${made}${made}${canary}"`],
  [".someapprc", `oauth = ${canary}9`, 0o600],
  [".local/state/someapp/x.db", `\0${canary}`, 0o600],
  [".bashrc", `if true; then\nexport GITHUB_TOKEN=ghp_${made}${made}${canary}\nfi`],
  [".config/x/k", `-----BEGIN EC PRIVATE KEY-----\n${canary}\n-----END EC PRIVATE KEY-----`],
  [".config/x/jwt.txt", canary],
  [".wakatime.cfg", `[settings]\napi_key = ${canary}`],
  [".config/hcloud2/cli.toml", `[[contexts]]\nname = "x"\ntoken = "${canary}"`],
  [".tokens/x", canary],
  [".config/app/credentials/db", canary],
  [".config/app/lib/token.json", json],
  [".config/app/tools/settings.toml", `token = "${canary}"`],
  [".config/app/settings.toml", `password = '''\n${canary}\n'''\n`],
  [".config/systemd/user/x.service", `[Service]\nEnvironment=API_TOKEN=${canary}\nExecStart=/bin/x`],
  [".config/systemd/user/y.service", `[Service]\nEnvironment="DB_PASSWORD=${canary}"`],
  [".config/lftp/rc", `open -u me,${canary} ftp.example.org`],
  [".fetchmailrc", `poll x user ann pass ${canary}`],
  [".netrc.old", `machine x login ann ${canary}`],
  [".config/fish/config.fish", `set -gx GITHUB ghp_${made}${made}${canary}`],
  [".config/fish/config.fish", `set -gx MY_API_TOKEN ${canary}`],
  [".config/fish/conf.d/s.fish", `export X=ghp_${made}${made}${canary}`],
  [".zsh/secrets.zsh", `export THING="${canary}"`],
  [".vim/secrets.vim", `let g:thing = "${canary}"`],
  [".config/nvim/keys.lua", `vim.g.thing = "${canary}"\nreturn { other = '${canary}' }`],
  [".zsh/env.zsh", `export SERVICE_API_KEY=${canary}`],
  ["prod.env", `X=${canary}`],
  ["code/other/.env-prod", `X=${canary}`],
];

test.each(named(secret))("nothing secret of ~/$path is shown", ({ path, text, mode }) => {
  const home = makeHome();
  put(home, path, text, mode);
  expect(seenBy(home, path) ?? "").not.toMatch(/CANARY|as it is/u);
});

const needed: readonly Planted[] = [
  [".cargo/bin/cargo", "x", 0o755],
  [".cargo/env", "export PATH"],
  [".cargo/registry/src/x/auth/token.json", "{}"],
  [".cargo/.package-cache", "", 0o600],
  [".rustup/settings.toml", 'version = "12"\ndefault_toolchain = "stable"'],
  [".rustup/toolchains/stable/lib/secret.json", "x", 0o600],
  [".nvm/versions/node/v24/bin/node", "x", 0o755],
  [".nvm/alias/default", "24"],
  [".pyenv/version", "3.13.1"],
  [".pyenv/versions/3.13/lib/python3.13/secrets.py", "x"],
  [".local/share/uv/python/x/lib/token.py", "x"],
  [".local/lib/python3.13/site-packages/keyring/x.json", "{}"],
  [".local/bin/tool", "x", 0o700],
  [".npm/_cacache/index-v5/aa/bb", "x"],
  [".m2/repository/a/auth/auth-1.pom", "<x/>"],
  [".m2/toolchains.xml", "<toolchains/>"],
  ["go/pkg/mod/x/token/token.go", "x"],
  ["go/bin/x", "x", 0o700],
  [".gradle/caches/modules-2/x", "x", 0o600],
  [".android/debug.keystore", "x"],
  [".config/go/env", "GOFLAGS=-mod=mod"],
  [".config/pip/pip.conf", "[global]\ntimeout = 60"],
  [".config/git/ignore", "*.swp"],
  [
    ".config/configstore/update-notifier-npm.json",
    '{"optOut": false,"lastUpdateCheck": 1700000000000}',
    0o600,
  ],
  [".config/fish/functions/fish_user_key_bindings.fish", "x"],
  [".config/nvim/init.lua", "x"],
  [".config/Code/User/keybindings.json", "[]"],
  [".config/Code/User/settings.json", '{"editor.fontSize": 14, "files.autoSave": "off"}'],
  [".bashrc", "export PATH=$HOME/bin:$PATH\nalias ll='ls -l'\n"],
  [".gitignore_global", "*.swp"],
  [".tool-versions", "nodejs 24.1.0"],
  [".bazelrc", "build --jobs=8"],
  [".cache/pip/http/a/b", "x", 0o600],
  [".cache/ms-playwright/chromium/chrome", "x", 0o755],
  [".sdkman/candidates/java/21/lib/security/cacerts", "x"],
  [".local/share/mise/installs/node/24/bin/node", "x", 0o755],
  [".local/share/applications/x.desktop", "x"],
  [".jupyter/jupyter_notebook_config.py", "c = 1"],
  [".config/htop/htoprc", "fields=0 48 17"],
  [".config/uv/uv.toml", 'index-url = "https://pypi.example.org/simple"'],
  ["code/x/src/auth.json", "{}", 0o600],
  ["code/x/.env.example", "X=1"],
  ["code/x/token.ts", "x"],
  [".agents/skills/x/run.sh", "x"],
  [".ssl/ca-bundle.pem", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----"],
  [".dotnet/tools/x", "x", 0o700],
  [".deno/bin/deno", "x", 0o700],
  [".bun/bin/bun", "x", 0o700],
  [".config/mise/config.toml", '[tools]\nnode = "24"'],
  [".config/starship.toml", "add_newline = true"],
  [".vscode/extensions/x/dist/auth.json", "{}"],
  [".ipython/profile_default/startup/README", "x"],
  [".tmux.conf", "set -g mouse on"],
  [".config/fish/config.fish", "set -g fish_key_bindings fish_vi_key_bindings\nset -gx EDITOR nvim"],
  [".config/nvim/lua/plugins/auth.lua", "return { token = require('x').token }"],
  [".zsh/aliases.zsh", "alias ll='ls -l'\nexport EDITOR=vim"],
  [".config/systemd/user/x.service", "[Service]\nEnvironment=NODE_ENV=production\nExecStart=/bin/x -u 1000"],
  [".config/app/lib/x.toml", "a = 1"],
  [".vimrc", "set number"],
];

test.each(named(needed))(
  "~/$path, which builds or people need, is shown as it is",
  ({ path, text, mode }) => {
    const home = makeHome();
    put(home, path, text, mode);
    const seen = seenBy(home, path);
    expect(seen === "as it is" ? text : seen).toBe(text);
  },
);

test("with a umask of 077, a file is not secret because only its owner may read it", () => {
  const home = makeHome();
  for (const name of [".bashrc", ".profile"]) put(home, name, "alias x=y", 0o600);
  put(home, ".config/some/thing", "x = y", 0o600);
  put(home, ".config/some/token", "x", 0o600);
  expect([seenBy(home, ".config/some/thing"), seenBy(home, ".config/some/token")]).toEqual([
    "as it is",
    undefined,
  ]);
});

test("a secret that appears or is written later is found at the next look", () => {
  const home = makeHome();
  put(home, ".config/some/settings.toml", "a = 1");
  const index = indexHome(home, join(home, "work"), 0);
  expect(index.look()).toEqual([]);
  put(home, ".config/some/settings.toml", `token = "${canary}"`);
  put(home, ".config/other/token", canary);
  const found = index.look().map(({ path, shown }) => `${shown} ${path.slice(home.length + 1)}`);
  expect(found.sort()).toEqual(["hidden .config/other/token", "redacted .config/some/settings.toml"]);
});

test("the judge and the sandbox agree about one file", () => {
  const home = makeHome();
  for (const [path, text, mode] of [...secret, ...needed])
    if (!path.endsWith(".bashrc")) put(home, path, text, mode);
  const hidden = indexHome(home, join(home, "work"))
    .look()
    .filter(({ shown }) => shown === "hidden")
    .map(({ path }) => path);
  const isSecret = (path: string): boolean => isSecretAtHome(path.split("/"), { home });
  const names = hidden.map((path) => path.slice(home.length + 1));
  expect(names.filter((path) => !isSecret(path) && !isSecret(`${path}/x`))).toEqual([]);
  for (const [path] of needed) expect([path, isSecret(path)]).toEqual([path, false]);
});

test("a command that names a file hidden by rule is asked about, with its name", () => {
  const home = makeHome();
  mkdirSync(join(home, "work"));
  for (const [path, text, mode] of secret.filter(([, , mode]) => mode !== undefined))
    put(home, path, text, mode);
  const around = { home, workspace: join(home, "work"), directory: join(home, "work") };
  for (const path of [
    ".local/share/atuin/key",
    ".supabase/access-token",
    ".someapprc",
    ".config/someapp/state",
  ]) {
    const judged = judgeOnDisk(judgeCommand(`cat ~/${path}`, around), { around, path: "/usr/bin" });
    expect([path, judged.severity, judged.because.includes(path)]).toEqual([path, "high", true]);
  }
});

test("what a manager of dot files keeps elsewhere in the home is judged by the names of its links", () => {
  const home = makeHome();
  put(home, "dot/app/a1", json);
  put(home, "dot/cfgdir/bar/auth.json", json);
  put(home, "dot/cfgdir/bar/plain.json", "{}");
  put(home, "dot/foo/settings.toml", `token = "${canary}"`);
  put(home, "dot/t/x", canary);
  put(home, "dot/bashrc", `export GITHUB_TOKEN=${canary}`);
  mkdirSync(join(home, ".config/foo"), { recursive: true });
  for (const [target, path] of [
    ["dot/app/a1", ".config/foo/token.json"],
    ["dot/cfgdir/bar", ".config/bar"],
    ["dot/foo", ".foo"],
    ["dot/t", ".config/foo/tokens"],
    ["dot/bashrc", ".bashrc"],
    [".", ".config/all"],
    ["..", ".config/out"],
  ] as const)
    symlinkSync(join(home, target), join(home, path));
  const seen = ["dot/app/a1", "dot/cfgdir/bar/auth.json", "dot/foo/settings.toml", "dot/t/x", "dot/bashrc"];
  for (const path of seen)
    expect([path, seenBy(home, path) ?? ""]).toEqual([path, expect.not.stringMatching(/CANARY|as it is/u)]);
  expect(seenBy(home, "dot/cfgdir/bar/plain.json")).toBe("as it is");
});

test("a hard link of settings that are shown redacted is redacted as well", () => {
  const home = makeHome();
  put(home, ".npmrc", `fund=false\n//r.example/:_authToken=${canary}\n`);
  mkdirSync(join(home, "work"));
  linkSync(join(home, ".npmrc"), join(home, "work/notes.txt"));
  expect(seenBy(home, "work/notes.txt")).toBe("fund=false\n");
});
