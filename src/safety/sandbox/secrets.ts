/** Places that no command may read without the user's consent, one row each, and how each appears in the sandbox. */

import { agentFolders } from "../executing-places.ts";
import { isSecretSetting } from "../secret-variables.ts";

export type Secret = {
  /** Starts with "~/" for the home directory, or with "/". A "*" matches one name or part of one. */
  path: string;
  /** `hidden` cannot be opened; `redacted` is shown without its secret lines, for settings that builds also need. */
  shown: "hidden" | "redacted";
};

const hidden = (...paths: string[]): Secret[] => paths.map((path) => ({ path, shown: "hidden" }));
const redacted = (...paths: string[]): Secret[] => paths.map((path) => ({ path, shown: "redacted" }));

const keysAndLogins: readonly Secret[] = [
  ...hidden("~/.ssh", "~/.gnupg", "~/.pki", "~/.putty", "~/.age", "~/.config/age", "~/.config/sops"),
  ...hidden(
    "~/.password-store",
    "~/.local/share/keyrings",
    "~/.local/share/kwalletd",
    "~/.kde/share/apps/kwallet",
  ),
  ...hidden("~/.config/op", "~/.op", "~/.config/Bitwarden", "~/.config/Bitwarden CLI", "~/.config/keepassxc"),
  ...hidden(
    "~/.config/1Password",
    "~/.vault-token",
    "~/.authinfo",
    "~/.authinfo.gpg",
    "~/.electrum",
    "~/.bitcoin",
  ),
  ...hidden(
    "~/.netrc",
    "~/.netrc.*",
    "~/.fetchmailrc",
    "~/_netrc",
    "~/.git-credentials",
    "~/.config/git/credentials",
    "~/.pgpass",
    "~/.my.cnf",
  ),
  ...hidden(
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
  ...hidden("~/.aws", "~/.azure", "~/.config/gcloud", "~/.oci", "~/.aliyun", "~/.bluemix", "~/.config/doctl"),
  ...hidden(
    "~/.config/hcloud",
    "~/.config/linode-cli",
    "~/.config/flyctl",
    "~/.fly",
    "~/.netlify",
    "~/.config/netlify",
  ),
  ...hidden(
    "~/.vercel",
    "~/.local/share/com.vercel.cli",
    "~/.config/configstore/firebase-tools.json",
    "~/.config/heroku",
    "~/.railway",
  ),
  ...hidden(
    "~/.wrangler",
    "~/.config/.wrangler",
    "~/.cloudflared",
    "~/.pulumi",
    "~/.terraformrc",
    "~/.terraform.d/credentials.tfrc.json",
  ),
  ...hidden(
    "~/.kube",
    "~/.docker/config.json",
    "~/.docker/contexts",
    "~/.config/containers/auth.json",
    "~/.minikube",
    "~/.config/helm",
    "~/.databrickscfg",
  ),
  ...hidden(
    "~/.config/gh",
    "~/.config/glab-cli",
    "~/.config/hub",
    "~/.config/tea",
    "~/.config/github-copilot",
  ),
  ...hidden(
    "~/.huggingface/token",
    "~/.cache/huggingface/token",
    "~/.cache/huggingface/stored_tokens",
    "~/.kaggle",
  ),
  ...hidden(
    "~/.config/stripe",
    "~/.config/ngrok",
    "~/.ngrok2",
    "~/.sentryclirc",
    "~/.snyk",
    "~/.config/snowflake",
  ),
];

const registries: readonly Secret[] = [
  ...hidden(
    "~/.pypirc",
    "~/.gem/credentials",
    "~/.local/share/gem/credentials",
    "~/.config/composer/auth.json",
  ),
  ...hidden(
    "~/.composer/auth.json",
    "~/.m2/settings-security.xml",
    "~/.ivy2/.credentials",
    "~/.sbt/.credentials",
  ),
  ...redacted("~/.npmrc", "~/.yarnrc", "~/.yarnrc.yml", "~/.cargo/credentials", "~/.cargo/credentials.toml"),
  ...redacted("~/.bundle/config", "~/.gradle/gradle.properties", "~/.config/pip/pip.conf", "~/.pip/pip.conf"),
  ...redacted("~/.m2/settings.xml", "~/.nuget/NuGet/NuGet.Config", "~/.config/uv/uv.toml", "~/.gitconfig"),
  ...redacted("~/.config/git/config", "~/.curlrc", "~/.wgetrc", "~/.condarc", "~/.hex/hex.config"),
];

const peoplesLives: readonly Secret[] = [
  ...hidden(
    "~/.mozilla",
    "~/.thunderbird",
    "~/.config/google-chrome*",
    "~/.config/chromium",
    "~/.config/BraveSoftware",
  ),
  ...hidden(
    "~/.config/microsoft-edge*",
    "~/.config/vivaldi",
    "~/.config/opera",
    "~/.config/Slack",
    "~/.config/discord",
  ),
  ...hidden(
    "~/.config/Signal",
    "~/.local/share/TelegramDesktop",
    "~/.config/Element",
    "~/.zoom",
    "~/.config/evolution",
  ),
  ...hidden(
    "~/snap/firefox",
    "~/snap/chromium",
    "~/.var/app",
    "~/.librewolf",
    "~/.tor-browser",
    "~/.local/share/evolution",
  ),
  ...hidden(
    "~/.*_history",
    "~/.histfile",
    "~/.lesshst",
    "~/.viminfo",
    "~/.wget-hsts",
    "~/.local/share/fish/fish_history",
  ),
  ...hidden(
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
    .flatMap((path) => hidden(`~/${path}`)),
  ...hidden("~/.claude.json", "~/.aider*", "~/.config/Cursor", "~/.config/toolwright"),
];

/** Readable by root only; hidden from commands that run as root, too. */
const system: readonly Secret[] = [
  ...hidden("/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers", "/etc/sudoers.d"),
  ...hidden(
    "/etc/ssh/ssh_host_*_key",
    "/etc/ssl/private",
    "/etc/wireguard",
    "/etc/openvpn",
    "/etc/krb5.keytab",
  ),
  ...hidden(
    "/etc/NetworkManager/system-connections",
    "/etc/wpa_supplicant",
    "/etc/letsencrypt",
    "/etc/kubernetes",
  ),
  ...hidden(
    "/etc/rancher",
    "/etc/docker/key.json",
    "/var/lib/docker",
    "/var/lib/containerd",
    "/var/lib/kubelet",
  ),
  ...hidden("/var/spool/cron", "/var/spool/mail", "/var/mail", "/var/lib/sss", "/var/lib/NetworkManager"),
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
