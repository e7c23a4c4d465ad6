/** Tables of places that matter, by name. A row covers the file or directory and everything below it. */

import { namesIn } from "../dangers/parts.ts";
import { environmentNames } from "../environment-files.ts";
import { agentFolderPatterns, agentFolders, executingPlaces } from "../executing-places.ts";

/**
 * Trusted places: what is written there runs later, or decides what may run. Secret places: keys, tokens, private
 * files. In a name, `*` matches any letters. Paths are relative to a home directory, or to any directory.
 */
export type PlaceRow = { readonly path: string; readonly label: string };

const rows = (label: string, paths: string): PlaceRow[] =>
  paths
    .trim()
    .split(/\s+/u)
    .map((path) => ({ path, label }));

/** In a home directory: code written there runs later. */
export const trustedAtHome: readonly PlaceRow[] = [
  ...rows(
    "a file that every shell or login runs",
    `.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile
    .zlogin .zlogout
    .oh-my-zsh .kshrc .cshrc .tcshrc .login .config/fish .inputrc .xinitrc .xsession .xprofile
    .xsessionrc .xserverrc
    .pam_environment .config/environment.d .config/powershell .config/zsh .config/bash .direnvrc
    .config/direnv`,
  ),
  ...rows(
    "a place whose programs start by themselves",
    `.config/autostart .config/systemd .local/share/systemd .config/upstart .config/cron .config/launchd
    Library/LaunchAgents Library/LaunchDaemons .config/plasma-workspace .config/i3 .config/sway .config/hypr
    .local/share/dbus-1 .local/share/applications .config/crontab`,
  ),
  ...rows("the login keys and rules of ssh", ".ssh"),
  ...rows("the keyring", ".gnupg"),
  ...rows(
    "code that a language loads by itself",
    ".local/lib/python* .local/share/gem .gem .luarocks .config/perl .cpan",
  ),
  ...rows(
    "the configuration of git, which can run programs",
    ".gitconfig .config/git .gitattributes .git-templates",
  ),
  ...rows(
    "the configuration of a tool, which can run programs",
    `.npmrc .yarnrc .yarnrc.yml .pnpmrc .bunfig.toml .pip .config/pip .pypirc .condarc .cargo/config
    .cargo/config.toml
    .cargo/env .m2 .gradle/init.gradle .gradle/init.d .gradle/gradle.properties .sbt .ivy2 .bundle
    .gemrc .irbrc .pryrc .Rprofile .Renviron
    .pythonrc .pythonstartup .ipython .jupyter .psqlrc .sqliterc .my.cnf .gdbinit .lldbinit .wgetrc
    .curlrc .netrc .mailcap
    .vimrc .vim .gvimrc .exrc .config/nvim .emacs .emacs.d .config/emacs .nanorc .config/helix
    .tmux.conf .config/tmux
    .screenrc .lesskey .lessfilter .ackrc .ripgreprc .rgrc .docker .kube .terraformrc .terraform.d .ansible.cfg
    .config/containers .config/pnpm .config/uv .config/mise .asdfrc .tool-versions .local/bin bin
    .cargo/bin go/bin
    .config/htop .config/gh .config/hub .subversion .hgrc .config/hg .perldb .config/ranger .config/karabiner
    .hammerspoon .xbindkeysrc .config/sxhkd`,
  ),
  ...rows(
    "the configuration of an agent or editor, which decides what may run",
    `${agentFolders.flatMap((name) => [name, `.config/${name.slice(1)}`]).join(" ")}
    .claude.json .aider.conf.yml .config/github-copilot .vscode .vscode-server .config/Code .config/Cursor
    .config/VSCodium .config/zed .config/sublime-text .idea .toolwright .config/toolwright .mcp.json
    Library/Application*Support/Code Library/Application*Support/Cursor Library/Application*Support/Claude`,
  ),
];

/**
 * In any directory: code written there runs when somebody opens, enters or commits in that directory. Without names
 * like `mise.toml`, which `m*` would mean: the sandbox protects them all.
 */
export const trustedAnywhere: readonly PlaceRow[] = [
  ...executingPlaces
    .filter(({ kept }) => kept === "protected")
    .flatMap(({ names, why }) => names.map((path) => ({ path, label: why })))
    .filter(({ path }) => /^[.*_]/u.test(path)),
  ...rows("hooks that git runs", "lefthook.yml lefthook-local.yml"),
  ...rows("the servers that an agent starts", "mcp.json"),
  ...agentFolderPatterns.map((path) => ({ path, label: "what an agent finds in its folder and runs" })),
];

/** In any directory. */
export const secretAnywhere: readonly PlaceRow[] = [
  ...environmentNames.map((path) => ({ path, label: "secrets of the environment" })),
  ...rows(
    "a private key",
    `*.pem *.key *.p12 *.pfx *.jks *.keystore *.p8 *.ppk *.kdbx *.asc.key id_rsa id_dsa id_ecdsa
    id_ed25519 id_xmss id_ecdsa_sk id_ed25519_sk
    *_rsa *_ed25519 private_key* privkey*`,
  ),
  ...rows(
    "credentials",
    `credentials credentials.json credentials.yml credentials.yaml credentials.csv .credentials
    secrets.json secrets.yml
    secrets.yaml secrets.toml secrets.env secret.json secret.yaml secret.yml .secrets service-account*.json
    service_account*.json client_secret*.json *-credentials.json .htpasswd .netrc .pgpass .npmrc
    .pypirc .git-credentials .dockercfg
    .vault_pass* vault-password* terraform.tfstate terraform.tfstate.backup *.tfvars master.key
    auth.json.secret kubeconfig token.txt .token .passwd passwords.txt *.ovpn`,
  ),
];

/** Names that look like secrets but are not. */
export const publicNames: readonly string[] =
  namesIn(`.env.example .env.sample .env.template .env.dist .env.test .env.defaults .env.schema
    .env.example.* .env.*.example .env.*.sample .env.ci example.env sample.env template.env
    *.pub known_hosts *.example example.pem cert.pem fullchain.pem chain.pem ca.pem cacert.pem *.crt.pem *.cert.pem *cert*.pem *csr*.pem *chain*.pem *public*.pem *ca.pem *.cer.pem ca-certificates.crt
    i18n.key *.test.key`);

/** Regenerated by a build or an install. */
export const regenerable: readonly PlaceRow[] = rows(
  "made again by a build",
  `dist build out target node_modules .next .nuxt .output .cache coverage .coverage htmlcov .nyc_output
  .pytest_cache __pycache__
  .mypy_cache .ruff_cache .tox .nox .venv venv virtualenv .gradle .turbo .parcel-cache .svelte-kit .angular .vite .astro .docusaurus
  .eslintcache .stylelintcache .tsbuildinfo *.tsbuildinfo *.egg-info .eggs .hypothesis .ipynb_checkpoints tmp temp .tmp .temp logs log *.log
  *.tmp *.temp *.o *.obj *.a *.so *.dylib *.pyc *.pyo *.class *.swp *.swo *.bak *.orig *.rej *~ .DS_Store Thumbs.db *.pid
  storybook-static .storybook-static public/build _build deps/.cache .terraform .serverless .aws-sam cdk.out .dart_tool .bundle vendor/bundle
  bower_components jspm_packages .pnpm-store .yarn/cache .yarn/unplugged elm-stuff zig-cache zig-out .zig-cache bazel-* cmake-build-* CMakeFiles CMakeCache.txt
  DerivedData Pods .build *.min.js.map test-results playwright-report junit.xml *.lcov lcov.info core core.* *.core *.prof *.cpuprofile *.heapsnapshot *.tgz *.whl
  a.out *.exe .sass-cache .jekyll-cache _site site .vuepress/dist .rpt2_cache .wireit .nx/cache .swc
  .expo .metro .kotlin .phpunit.result.cache .php-cs-fixer.cache .rspec_status`,
);
