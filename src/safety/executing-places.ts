/**
 * Places in a workspace that make programs run by themselves: outside the sandbox, when a person merely opens, enters
 * or commits. The sandbox, the file tools and the judge all take them from this table.
 */

import { canonicalName } from "./judge/names.ts";

/**
 * In names, `*` matches any letters; a name may be below others. `protected`: no command changes it, and a new one is
 * moved away, unless it is a settings file that sets nothing but `plain` keys. `asked`: builds may write it, file tools
 * ask.
 */
export type ExecutingPlace = {
  readonly why: string;
  readonly names: readonly string[];
  readonly kept: "protected" | "asked";
  readonly plain?: ReadonlySet<string>;
};

const words = (text: string): string[] => text.trim().split(/\s+/u);
const row = (kept: ExecutingPlace["kept"], why: string, names: string, plain?: string): ExecutingPlace => ({
  why,
  names: words(names),
  kept,
  plain: plain === undefined ? undefined : new Set(words(plain)),
});

/** Also the folders that these agents have in a home directory. */
export const agentFolders: readonly string[] = words(`
  .claude .cursor .codex .gemini .opencode .windsurf .continue .roo .cline .kiro .amazonq .junie .trae .goose .qwen
  .factory .augment .pi .amp .agents .agent .openhands .crush .kilocode .kilo .void .zencoder .copilot .tabnine
  .codeium .cody .devin .warp .rovodev .forge .mux .droid .kimi .grok .iflow .codebuddy .qoder .vibe .plandex .openclaw
  .antigravity .aider .letta .mentat .sweep .swe-agent .ona .tabby .pearai .melty .qodo .codegen .gptme .cagent`);

export const executingPlaces: readonly ExecutingPlace[] = [
  row("protected", "the configuration of an agent, which decides what may run", agentFolders.join(" ")),
  row(
    "protected",
    "the configuration of an agent, which decides what may run",
    `.toolwright .clinerules .roomodes .kilocodemodes .mcp.json .claude.json opencode.json opencode.jsonc .crush.json
    crush.json .aider.conf.* .goosehints .cursorrules .windsurfrules .gptme.toml gptme.toml .claude-plugin codebuff.json
    .github/hooks .github/mcp.json`,
  ),
  row(
    "protected",
    "the configuration of an editor, which starts tasks, language servers and its own scripts",
    `.vscode .vscode-insiders .vscode-oss .idea .run .fleet .zed .nova .theia .vs .helix .externalToolBuilders
    .devcontainer .devcontainer.json *.code-workspace *.sublime-project *.sublime-workspace .kateproject .luarc.json
    .luarc.jsonc .neoconf.json .nlsp-settings .lsp.json coc-settings.json .vim .nvim .exrc .nvimrc .nvim.lua .vimrc
    _vimrc .gvimrc .lvimrc .lazy.lua .local.vimrc .vimrc.local .dir-locals.el .dir-locals-2.el .emacs.desktop
    .ycm_extra_conf.py .vimspector.json .gitpod.yml .replit`,
  ),
  row(
    "protected",
    "what the shell runs on entering the directory",
    `.envrc .direnv .autoenv* .mise.toml .mise.*.toml mise.toml mise.*.toml .mise .config/mise mise/config.toml .ondirrc
    .rvmrc .shadowenv.d .smartcd_enter .smartcd_leave .rtx.toml .hermit devenv.nix devenv.local.nix`,
  ),
  row(
    "protected",
    "hooks that git runs",
    `.husky .githooks .git-hooks .lefthook .overcommit.yml
    .captainhook.json .simple-git-hooks.*`,
  ),
  row(
    "protected",
    "what a program on a person's terminal runs when it starts here",
    `.lazygit.yml .tmuxinator.yml
    .tmuxinator.yaml .tmuxp.yml .tmuxp.yaml .tmuxp.json`,
  ),
  row(
    "protected",
    "the settings of a version system, which every one of its commands obeys",
    `.hg/hgrc-not-shared .hg/sharedpath .jj/repo/config.toml .jj/workspace-config.toml .jj/repo/workspace-config.toml
    .jj/repo/config-id .jj/workspace-config-id .sl/sharedpath .pijul/config .bzr/branch/branch.conf .bzr/repository.conf
    _darcs/prefs/defaults _darcs/prefs/prefs .fossil-settings .repo/repo .p4config .cvsrc`,
  ),
  // `hg clone` writes where it cloned from.
  row(
    "protected",
    "the settings of a version system, which every one of its commands obeys",
    ".hg/hgrc .sl/config .sl/hgrc",
    "default default-push default-pushurl",
  ),
  row(
    "protected",
    "what a debugger or interactive interpreter runs when it starts here",
    `.gdbinit .gdbearlyinit .lldbinit .lldbinit-* .pdbrc .pdbrc.py .dbxinit .cgdbrc .radare2rc .rdebugrc .byebugrc
    .perldb .irbrc .pryrc .Rprofile .Renviron .iex.exs .octaverc .ghci .ocamlinit .utoprc .erlang .jshellrc .clinkrc
    jupyter_*_config.py jupyter_*_config.json ipython_config.py ipython_config.json ipython_kernel_config.py`,
  ),
  row(
    "protected",
    "the settings of a package manager, which name programs and where code comes from",
    ".pnpmfile.cjs .pnpmfile.mjs .pnpmfile.js .yarnrc .cargo/config .cargo/config.toml .mvn bunfig.toml .bunfig.toml",
  ),
  row(
    "protected",
    "the settings of a package manager, which name programs and where code comes from",
    ".npmrc .yarnrc.yml .bundle/config",
    `engine-strict save-exact save-prefix save fund audit audit-level loglevel legacy-peer-deps strict-peer-deps
    package-lock lockfile auto-install-peers strict-peer-dependencies shamefully-hoist public-hoist-pattern[]
    node-linker prefer-offline progress update-notifier ignore-scripts workspaces link-workspace-packages
    prefer-workspace-packages resolution-mode nodeLinker enableTelemetry enableGlobalCache enableScripts
    compressionLevel enableProgressBars defaultSemverRangePrefix nmHoistingLimits nmMode BUNDLE_PATH BUNDLE_WITHOUT
    BUNDLE_WITH BUNDLE_JOBS BUNDLE_RETRY BUNDLE_DEPLOYMENT BUNDLE_FROZEN BUNDLE_CLEAN BUNDLE_SILENCE_ROOT_WARNING`,
  ),
  row(
    "asked",
    "hooks that git runs",
    `lefthook.yml lefthook-local.yml .pre-commit-config.yaml
    captainhook.json simple-git-hooks.*`,
  ),
  // `cvs checkout` writes the first.
  row(
    "asked",
    "the settings of a version system or review tool, which name servers and programs",
    `CVS/Root .arcconfig
    .reviewboardrc`,
  ),
  row(
    "asked",
    "what an editor or checker runs, and what builds and tools write",
    ".project .settings .pylintrc",
  ),
  row("asked", "the settings of git", ".gitattributes .gitmodules .gitconfig"),
  row("asked", "the servers that an agent starts", "mcp.json"),
  row(
    "asked",
    "what a shell runs, where this directory is somebody's home",
    `.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout
    .kshrc .cshrc .tcshrc .login .inputrc .tmux.conf .screenrc`,
  ),
  row(
    "asked",
    "options with which a build tool runs programs",
    ".bazelrc .sbtopts .jvmopts .sbtrc .buckconfig .condarc .vagrantrc sitecustomize.py usercustomize.py",
  ),
];

/** What agents keep in their folders, whatever they are called: a dot folder with one of these is taken for one. */
const agentContents: ReadonlySet<string> = new Set(
  words(`skills skill agents agent subagents subagent hooks hook commands command extensions extension steering hooks.json mcp.json mcp.jsonc mcp_config.json
  mcp_settings.json mcp-servers.json settings.local.json`),
);
/** Dot folders with such entries that run nothing by themselves, or that tools fill. */
const otherFolders: ReadonlySet<string> = new Set([
  ".git",
  ".github",
  ".gitlab",
  ".bin",
  ".pnpm",
  ".yarn",
  ".venv",
  ".cache",
  ".nx",
]);

/** `names`: what the folder holds. */
export function looksLikeAgentFolder(folder: string, names: Iterable<string>): boolean {
  if (!/^\.[^.]/u.test(folder) || otherFolders.has(folder.toLowerCase())) return false;
  for (const name of names) if (agentContents.has(name.toLowerCase())) return true;
  return false;
}

/** The patterns of everything in such folders, for tools that look at one path only. */
export const agentFolderPatterns: readonly string[] = [...agentContents].map((name) => `.*/${name}`);

type Pattern = { readonly names: readonly RegExp[]; readonly row: ExecutingPlace };

const protectedPatterns = executingPlaces
  .filter(({ kept }) => kept === "protected")
  .flatMap((place) => place.names.map((name): [string, Pattern] => [lastOf(name), patternOf(name, place)]));
/** Most names match no row, which their last part tells. */
const byLastName = Map.groupBy(protectedPatterns, ([last]) => last);
const open = protectedPatterns.filter(([last]) => last.includes("*"));
const openLast = new RegExp(open.map(([, { names }]) => names.at(-1)?.source).join("|"), "u");

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1).toLowerCase();
}

function patternOf(name: string, place: ExecutingPlace): Pattern {
  const escaped = name.toLowerCase().replaceAll(/[.+?^${}()|[\]\\]/gu, String.raw`\$&`);
  const names = escaped.replaceAll("*", ".*").split("/");
  return { names: names.map((each) => new RegExp(`^${each}$`, "u")), row: place };
}

/** The row that protects this path, in any spelling that some file system takes for the same. */
export function protectingRow(path: string): ExecutingPlace | undefined {
  const last = canonicalName(path.slice(path.lastIndexOf("/") + 1));
  const near = [...(byLastName.get(last) ?? []), ...(openLast.test(last) ? open : [])];
  if (near.length === 0) return undefined;
  const names = path.split("/").slice(-3).map(canonicalName);
  const fits = ([, { names: wanted }]: (typeof open)[number]): boolean =>
    names.length >= wanted.length &&
    wanted.every((name, at) => name.test(names[names.length - wanted.length + at] ?? ""));
  return near.find(fits)?.[1].row;
}

/** Whether a new settings file only sets what the row calls plain: one key and value a line. */
export function setsOnlyPlainKeys({ plain }: ExecutingPlace, text: string): boolean {
  if (plain === undefined) return false;
  return text.split(/\r?\n/u).every((line) => {
    if (/^\s*(?:[#;].*|---)?$/u.test(line)) return true;
    // Mercurial's own way to say where a repository was cloned from.
    if (line === "[paths]") return true;
    const [, key = "", value = ""] = /^([\w.-]+(?:\[\])?)\s*[=:]\s*(.*)$/u.exec(line) ?? [];
    return plain.has(key) && !/[`$!\n]/u.test(value);
  });
}
