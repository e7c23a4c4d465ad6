/** Places that hold secrets, each once: what the judgement calls it, and how commands in the sandbox see it. */

import { agentFolders } from "./executing-places.ts";

type SecretPlace = {
  /** Starts with "~/" for the home directory, or with "/". A "*" matches one name or part of one. */
  path: string;
  /** What it holds. Without one only parts of a file are secret: naming it is no reason to ask. */
  label: string | undefined;
  shown: SecretVisibility;
};

/**
 * `hidden` cannot be opened; `redacted` is shown without its secret lines, for settings that builds also need; `whole`
 * is shown as it is, since builds need something in it or the sandbox replaces it anyway, but to name it asks.
 */
type SecretVisibility = "hidden" | "redacted" | "whole";

/** Names by how they are shown, below one root. */
type SecretGroup = { label?: string } & Partial<Record<SecretVisibility, string>>;

const groupsAtHome: readonly SecretGroup[] = [
  {
    label: "private keys",
    hidden: `.ssh .gnupg .pki .putty .password-store .age .config/age .config/sops .Xauthority
      .step .minisign`,
  },
  {
    label: "the access keys of a cloud or service",
    hidden: `.aws .azure .oci .aliyun .bluemix .boto .s3cfg .config/gcloud .config/doctl .config/hcloud
      .config/linode-cli .config/rclone .config/flyctl .fly .netlify .config/netlify .vercel
      .local/share/com.vercel.cli .config/configstore/firebase-tools.json .config/heroku .railway .wrangler
      .config/.wrangler .cloudflared .pulumi .terraformrc .terraform.d/credentials.tfrc.json
      .kube .minikube .config/helm .docker/config.json .docker/contexts .config/containers/auth.json
      .config/gh .config/glab-cli .config/hub .config/tea .config/github-copilot
      .git-credentials .config/git/credentials .vault-token .config/op .op
      .netrc .netrc.* _netrc .authinfo .authinfo.gpg .fetchmailrc .msmtprc .mbsyncrc
      .pgpass .my.cnf .mylogin.cnf .databrickscfg .config/snowflake
      .huggingface/token .cache/huggingface/token .cache/huggingface/stored_tokens .kaggle
      .config/stripe .config/ngrok .ngrok2 .sentryclirc .config/sentry .snyk .config/vercel .snowflake
      .config/openai .anthropic .config/anthropic .circleci/cli.yml .travis .jira.d .rclone.conf
      .pypirc .gem/credentials .local/share/gem/credentials .config/composer/auth.json .composer/auth.json
      .m2/settings-security.xml .ivy2/.credentials .sbt/.credentials`,
    redacted: `.npmrc .yarnrc.yml .cargo/credentials .cargo/credentials.toml .gradle/gradle.properties
      .m2/settings.xml`,
    whole: ".config/configstore .nuget/NuGet .huggingface",
  },
  {
    redacted: `.yarnrc .bundle/config .config/pip/pip.conf .pip/pip.conf .nuget/NuGet/NuGet.Config
      .config/uv/uv.toml .gitconfig .config/git/config .curlrc .wgetrc .condarc .hex/hex.config`,
  },
  {
    label: "stored passwords",
    hidden: `.local/share/keyrings .local/share/kwalletd .kde/share/apps/kwallet .config/Bitwarden
      .config/Bitwarden*CLI .config/keepassxc .config/1Password
      .config/KeePassXC .mozilla .thunderbird .librewolf .tor-browser .config/google-chrome* .config/chromium
      .config/BraveSoftware .config/microsoft-edge* .config/vivaldi .config/opera snap/firefox snap/chromium`,
    whole: `Library/Keychains Library/Cookies Library/Application*Support/Google/Chrome
      Library/Application*Support/Firefox`,
  },
  {
    label: "what a person writes and reads",
    hidden: `.config/Slack .config/discord .config/Signal .config/Element .zoom .local/share/TelegramDesktop
      .config/evolution .local/share/evolution .var/app`,
  },
  {
    label: "a wallet",
    hidden: ".bitcoin .electrum .ethereum .config/solana .monero .litecoin .zcash .config/Exodus",
  },
  {
    label: "what was typed before",
    hidden: `.*_history .histfile .lesshst .viminfo .wget-hsts .local/share/fish/fish_history
      .local/state/bash/history .local/state/zsh/history .zsh_sessions .bash_sessions
      .zhistory .history`,
  },
  {
    label: "what an agent keeps: keys, sessions, transcripts",
    // Of skills that several agents share, builds may run scripts.
    hidden: `.claude.json .aider* .config/Cursor ${agentFolders
      .filter((name) => name !== ".agents" && name !== ".agent")
      .flatMap((name) => [
        name,
        ...[".config", ".local/share", ".local/state"].map((at) => `${at}/${name.slice(1)}`),
      ])
      .join(" ")}`,
  },
  {
    label: "what Toolwright keeps",
    hidden: ".config/toolwright",
    whole: ".local/state/toolwright .local/share/toolwright",
  },
];

/** Those that only root may read are hidden from commands that run as root, too. */
const groupsInSystem: readonly SecretGroup[] = [
  {
    label: "the passwords of this machine",
    hidden: `etc/shadow etc/shadow- etc/gshadow etc/gshadow- etc/sudoers etc/sudoers.d etc/krb5.keytab
      etc/security/opasswd`,
    whole: "var/db/shadow etc/master.passwd var/db/dslocal",
  },
  {
    label: "private keys of this machine",
    hidden: `etc/ssh/ssh_host_*_key etc/ssl/private etc/wireguard etc/openvpn etc/letsencrypt etc/wpa_supplicant
      etc/NetworkManager/system-connections var/lib/NetworkManager
      etc/pki/tls/private etc/ipsec.secrets etc/ppp/chap-secrets`,
  },
  {
    label: "secrets of a service",
    hidden: `etc/kubernetes etc/rancher etc/docker/key.json var/lib/docker var/lib/containerd var/lib/kubelet
      var/lib/sss var/spool/cron var/spool/mail var/mail etc/mysql/debian.cnf var/backups`,
    whole: "run/secrets var/run/secrets var/lib/mysql var/lib/postgresql",
  },
  {
    label: "the environment of a process",
    whole: "proc/*/environ proc/self/environ proc/*/mem proc/kcore dev/mem dev/kmem dev/port",
  },
  {
    label: "the memory of a process",
    whole: "proc/*/maps proc/*/fd proc/*/root proc/*/cwd proc/*/task",
  },
];

const ways = ["hidden", "redacted", "whole"] as const;

const below = (root: string, groups: readonly SecretGroup[]): SecretPlace[] =>
  groups.flatMap((group) =>
    ways.flatMap((shown) =>
      (group[shown]?.split(/\s+/u) ?? []).map((name) => ({
        path: `${root}${name}`,
        label: group.label,
        shown,
      })),
    ),
  );

export const secretPlaces: readonly SecretPlace[] = [
  ...below("~/", groupsAtHome),
  ...below("/", groupsInSystem),
];
