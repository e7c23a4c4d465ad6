/** Places that no command may read without the user's consent, one row each, and how each appears in the sandbox. */

import { agentFolders } from "../executing-places.ts";
import { isSecretSetting } from "../secret-variables.ts";

export type Secret = {
  /** Starts with "~/" for the home directory, or with "/". A "*" matches one name or part of one. */
  path: string;
  /** `hidden` cannot be opened; `redacted` is shown without its secret lines, for settings that builds also need. */
  shown: "hidden" | "redacted";
};

const hiddenSecrets = (...paths: string[]): Secret[] => paths.map((path) => ({ path, shown: "hidden" }));
const redactedSecrets = (...paths: string[]): Secret[] => paths.map((path) => ({ path, shown: "redacted" }));

const keysAndLogins: readonly Secret[] = [
  ...hiddenSecrets("~/.ssh", "~/.gnupg", "~/.pki", "~/.putty", "~/.age", "~/.config/age", "~/.config/sops"),
  ...hiddenSecrets(
    "~/.password-store",
    "~/.local/share/keyrings",
    "~/.local/share/kwalletd",
    "~/.kde/share/apps/kwallet",
  ),
  ...hiddenSecrets(
    "~/.config/op",
    "~/.op",
    "~/.config/Bitwarden",
    "~/.config/Bitwarden CLI",
    "~/.config/keepassxc",
  ),
  ...hiddenSecrets(
    "~/.config/1Password",
    "~/.vault-token",
    "~/.authinfo",
    "~/.authinfo.gpg",
    "~/.electrum",
    "~/.bitcoin",
  ),
  ...hiddenSecrets(
    "~/.netrc",
    "~/.netrc.*",
    "~/.fetchmailrc",
    "~/_netrc",
    "~/.git-credentials",
    "~/.config/git/credentials",
    "~/.pgpass",
    "~/.my.cnf",
  ),
  ...hiddenSecrets(
    "~/.mylogin.cnf",
    "~/.config/rclone",
    "~/.msmtprc",
    "~/.mbsyncrc",
    "~/.s3cfg",
    "~/.boto",
    "~/.Xauthority",
  ),
];

const clouds: readonly Secret[] = [
  ...hiddenSecrets(
    "~/.aws",
    "~/.azure",
    "~/.config/gcloud",
    "~/.oci",
    "~/.aliyun",
    "~/.bluemix",
    "~/.config/doctl",
  ),
  ...hiddenSecrets(
    "~/.config/hcloud",
    "~/.config/linode-cli",
    "~/.config/flyctl",
    "~/.fly",
    "~/.netlify",
    "~/.config/netlify",
  ),
  ...hiddenSecrets(
    "~/.vercel",
    "~/.local/share/com.vercel.cli",
    "~/.config/configstore/firebase-tools.json",
    "~/.config/heroku",
    "~/.railway",
  ),
  ...hiddenSecrets(
    "~/.wrangler",
    "~/.config/.wrangler",
    "~/.cloudflared",
    "~/.pulumi",
    "~/.terraformrc",
    "~/.terraform.d/credentials.tfrc.json",
  ),
  ...hiddenSecrets(
    "~/.kube",
    "~/.docker/config.json",
    "~/.docker/contexts",
    "~/.config/containers/auth.json",
    "~/.minikube",
    "~/.config/helm",
    "~/.databrickscfg",
  ),
  ...hiddenSecrets(
    "~/.config/gh",
    "~/.config/glab-cli",
    "~/.config/hub",
    "~/.config/tea",
    "~/.config/github-copilot",
  ),
  ...hiddenSecrets(
    "~/.huggingface/token",
    "~/.cache/huggingface/token",
    "~/.cache/huggingface/stored_tokens",
    "~/.kaggle",
  ),
  ...hiddenSecrets(
    "~/.config/stripe",
    "~/.config/ngrok",
    "~/.ngrok2",
    "~/.sentryclirc",
    "~/.snyk",
    "~/.config/snowflake",
  ),
];

const registries: readonly Secret[] = [
  ...hiddenSecrets(
    "~/.pypirc",
    "~/.gem/credentials",
    "~/.local/share/gem/credentials",
    "~/.config/composer/auth.json",
  ),
  ...hiddenSecrets(
    "~/.composer/auth.json",
    "~/.m2/settings-security.xml",
    "~/.ivy2/.credentials",
    "~/.sbt/.credentials",
  ),
  ...redactedSecrets(
    "~/.npmrc",
    "~/.yarnrc",
    "~/.yarnrc.yml",
    "~/.cargo/credentials",
    "~/.cargo/credentials.toml",
  ),
  ...redactedSecrets(
    "~/.bundle/config",
    "~/.gradle/gradle.properties",
    "~/.config/pip/pip.conf",
    "~/.pip/pip.conf",
  ),
  ...redactedSecrets(
    "~/.m2/settings.xml",
    "~/.nuget/NuGet/NuGet.Config",
    "~/.config/uv/uv.toml",
    "~/.gitconfig",
  ),
  ...redactedSecrets("~/.config/git/config", "~/.curlrc", "~/.wgetrc", "~/.condarc", "~/.hex/hex.config"),
];

const peoplesLives: readonly Secret[] = [
  ...hiddenSecrets(
    "~/.mozilla",
    "~/.thunderbird",
    "~/.config/google-chrome*",
    "~/.config/chromium",
    "~/.config/BraveSoftware",
  ),
  ...hiddenSecrets(
    "~/.config/microsoft-edge*",
    "~/.config/vivaldi",
    "~/.config/opera",
    "~/.config/Slack",
    "~/.config/discord",
  ),
  ...hiddenSecrets(
    "~/.config/Signal",
    "~/.local/share/TelegramDesktop",
    "~/.config/Element",
    "~/.zoom",
    "~/.config/evolution",
  ),
  ...hiddenSecrets(
    "~/snap/firefox",
    "~/snap/chromium",
    "~/.var/app",
    "~/.librewolf",
    "~/.tor-browser",
    "~/.local/share/evolution",
  ),
  ...hiddenSecrets(
    "~/.*_history",
    "~/.histfile",
    "~/.lesshst",
    "~/.viminfo",
    "~/.wget-hsts",
    "~/.local/share/fish/fish_history",
  ),
  ...hiddenSecrets(
    "~/.local/state/bash/history",
    "~/.local/state/zsh/history",
    "~/.zsh_sessions",
    "~/.bash_sessions",
  ),
];

/** Other agents store keys, sessions and transcripts here. Of skills that several share, builds may run scripts. */
const agents: readonly Secret[] = [
  ...agentFolders
    .filter((name) => name !== ".agents" && name !== ".agent")
    .flatMap((name) => [
      name,
      ...[".config", ".local/share", ".local/state"].map((root) => `${root}/${name.slice(1)}`),
    ])
    .flatMap((path) => hiddenSecrets(`~/${path}`)),
  ...hiddenSecrets("~/.claude.json", "~/.aider*", "~/.config/Cursor", "~/.config/toolwright"),
];

/** Readable by root only; hidden from commands that run as root, too. */
const system: readonly Secret[] = [
  ...hiddenSecrets(
    "/etc/shadow",
    "/etc/shadow-",
    "/etc/gshadow",
    "/etc/gshadow-",
    "/etc/sudoers",
    "/etc/sudoers.d",
  ),
  ...hiddenSecrets(
    "/etc/ssh/ssh_host_*_key",
    "/etc/ssl/private",
    "/etc/wireguard",
    "/etc/openvpn",
    "/etc/krb5.keytab",
  ),
  ...hiddenSecrets(
    "/etc/NetworkManager/system-connections",
    "/etc/wpa_supplicant",
    "/etc/letsencrypt",
    "/etc/kubernetes",
  ),
  ...hiddenSecrets(
    "/etc/rancher",
    "/etc/docker/key.json",
    "/var/lib/docker",
    "/var/lib/containerd",
    "/var/lib/kubelet",
  ),
  ...hiddenSecrets(
    "/var/spool/cron",
    "/var/spool/mail",
    "/var/mail",
    "/var/lib/sss",
    "/var/lib/NetworkManager",
  ),
];

export const secrets: readonly Secret[] = [
  ...keysAndLogins,
  ...clouds,
  ...registries,
  ...peoplesLives,
  ...agents,
  ...system,
];

/**
 * Variables that give a program access to the user's keys, desktop or accounts: withheld unless the user allowed that
 * access.
 */
export function isReachingVariable(name: string, value: string): boolean {
  return (
    /^(?:SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_AGENT_INFO|DBUS_\w+|DISPLAY|WAYLAND_\w+|XAUTHORITY|XDG_RUNTIME_DIR)$/.test(
      name,
    ) ||
    /^(?:DOCKER_HOST|KUBECONFIG|SESSION_MANAGER|GNOME_KEYRING_\w+|ICEAUTHORITY|AWS_\w*KEY\w*)$/.test(name) ||
    isSecretSetting(name, value)
  );
}
