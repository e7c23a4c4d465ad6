/** Package managers of operating systems. */

import { type Word, withText } from "../../command-line/word.ts";
import { danger, loads, reads, replaces, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { evaluatedIn, interpretsAll, runsInstead } from "../interpreting.ts";
import { namesIn } from "../listed.ts";
import { type OptionForm, program, type Program, type Use } from "../program.ts";
import { tellByVerb, verbTable } from "../verbs.ts";
import {
  fromRegistries,
  installing,
  installs,
  nothing,
  packagesIn,
  removing,
  runsLocal,
  runsPackage,
  trustsSource,
} from "./installing.ts";

const form: OptionForm = {
  short: "otcX",
  long: namesIn(`option target-release config-file repo repofrompath enablerepo disablerepo releasever
    installroot root dbpath cachedir source version location architecture scope repository`),
};

/** Files and URLs instead of names, and options that skip signature checks. */
function* chosen(use: Use): Iterable<Effect> {
  yield* packagesIn(use.operands);
  yield* fromRegistries([
    ...use.values("repofrompath", "X", "repository"),
    ...use.values("s", "source").filter(({ text }) => text.includes("://")),
  ]);
  if (
    use.has(
      "allow-unauthenticated",
      "force-yes",
      "nogpgcheck",
      "allow-untrusted",
      "no-gpg-checks",
      "dangerous",
      "devmode",
      "allow-insecure-repositories",
      "no-verify",
      "nosignature",
      "allow-unsigned-rpm",
    )
  )
    yield danger("high", "it does not look whether packages are what they say");
  if (use.has("allow-downgrades", "classic"))
    yield danger("medium", "it installs packages with more rights than usual");
}

const gets = installs(chosen);

const verbs = verbTable(
  [
    [
      `install, reinstall, add, in, update, upgrade, dist-upgrade, full-upgrade, dist-sync, distro-sync,
        up, dup, patch, downgrade, build-dep, fix, get, fetch, satisfy, groupinstall, group install,
        localinstall, local, builddep, module install, module enable, refresh, ref, sync, sync-all, i,
        u, bundle, link, unlink, pin, unpin, it, world, tap, selfupdate, self-upgrade,
        check-update --apply, switch, import, mark, hold, unhold, autoinstall, si, so, se --install,
        source, services run`,
      gets,
    ],
    [
      `remove, purge, uninstall, autoremove, rm, erase, del, clean, autoclean, cleanup, prune, untap,
        delete, groupremove, module remove, repair, zap, autopurge`,
      removing,
    ],
    [
      `addrepo, ar, addlock, repo add, remote-add, remote add, channel add, config-manager,
        add-repository, tap-new, source add, feature enable, bucket add, sources add`,
      trustsSource,
    ],
    [
      "services start, services restart, services stop, start, stop, restart",
      [danger("high", "it starts or stops a service of this machine")],
    ],
    [
      "edit, edit-sources, create",
      [danger("high", "it changes how packages are made or from where they come")],
    ],
    [
      "run",
      (use) => (use.name === "flatpak" || use.name === "snap" ? runsWithin(use) : nothing),
      { ...form, stopAtOperand: true },
    ],
    ["sh, shell, command", nothing],
  ],
  { otherwise: nothing, form },
);

function* runsWithin({ operands, name, words }: Use): Iterable<Effect> {
  if (operands.length === 0) return;
  if (name === "snap") yield danger("medium", "it runs an installed program");
  const isOpen = words.some(({ text }) =>
    /^--(?:filesystem=(?:host|home|~|\/|xdg-)|socket=session-bus|talk-name=org\.freedesktop\.Flatpak|share=|device=all|devel)/u.test(
      text,
    ),
  );
  if (isOpen) yield danger("high", "it gives an installed program more of this machine");
}

const managers = `apt apt-get aptitude apt-fast nala yum dnf dnf5 microdnf tdnf zypper apk brew snap flatpak port choco
    scoop winget eopkg pkg pkgin urpmi slackpkg opkg ipkg swupd guix xbps pkcon conary pkgman mas cards
    sbopkg swpkg topgrade chocolatey`;

export const systemPackages: readonly Program[] = [
  program(managers, (use) => [...hooksIn(use), ...tellByVerb(use, verbs)], {
    options: { ...form, stopAtOperand: true },
    verbs: 2,
  }),
  program(
    `apt-cache apt-mark apt-config apt-show-versions dpkg-query dpkg-deb rpmquery repoquery pkg_info
      equery qlist pkgfile debsums deborphan dpkg-architecture dpkg-parsechangelog lsb-release apt-file
      apt-listchanges apt-rdepends whohas apt-sortpkgs dctrl-tools grep-dctrl needrestart checkupdates
      pactree expac rpm2cpio-list`,
    readsOrChanges,
  ),
  program("dpkg", debian, {
    options: {
      long: ["root", "admindir", "instdir", "log", "pre-invoke", "post-invoke", "status-logger"],
      short: "Dl",
    },
  }),
  program("rpm", redhat, {
    options: {
      long: namesIn("root dbpath define eval E pipe queryformat qf import initdb rebuilddb"),
      short: "ED",
    },
  }),
  program("pacman yay paru pamac pikaur trizen", arch, {
    options: {
      short: "brD",
      long: ["root", "dbpath", "config", "cachedir", "hookdir", "gpgdir", "logfile"],
      known: namesIn("noconfirm sync remove query upgrade refresh sysupgrade search info list needed"),
    },
  }),
  program(
    `emerge xbps-install xbps-remove pkg_add pkg_delete nix-env nix-channel eix-sync layman
      add-apt-repository apt-add-repository apt-key apt-ftparchive dpkg-divert dpkg-statoverride makepkg
      debuild dpkg-buildpackage rpmbuild checkinstall alien installer pkgutil pkgbuild productbuild
      hdiutil`,
    administers,
    { options: { short: "fe", long: ["target", "pkg", "file"] } },
  ),
  program(
    `nix nix-build nix-instantiate nix-store nix-collect-garbage nix-prefetch-url nixos-rebuild
      home-manager darwin-rebuild`,
    nix,
    {
      kind: "builds",
      options: {
        stopAtOperand: true,
        short: "fAIEj",
        long: namesIn(`file expr arg argstr option extra-experimental-features experimental-features attr out-link
        store`),
      },
      verbs: 3,
    },
  ),
  program(
    "helm-plugin krew asdf-plugin antigen zinit zplug antibody sheldon oh-my-posh omz",
    () => installing,
  ),
];

/** `-o APT::Update::Pre-Invoke::=command`. */
function* hooksIn({ words }: Use): Iterable<Effect> {
  for (const word of words) {
    const found = /(?:Invoke|Pre-Install-Pkgs|Post-Invoke|Proxy-Auto-Detect|Dir::Bin)[\w:-]*=(.*)$/isu.exec(
      word.text,
    );
    if (found) yield* runsInstead("-o", withText(word, found[1] ?? ""));
    if (/^APT::Get::AllowUnauthenticated=(?:1|true|yes)/iu.test(word.text))
      yield danger("high", "it does not look whether packages are what they say");
  }
}

function readsOrChanges({ name, operands, has, values }: Use): readonly Effect[] {
  if (name === "apt-mark" && /^(?:hold|unhold|auto|manual)$/u.test(operands[0]?.text ?? ""))
    return [danger("medium", "it changes which packages are kept")];
  if (name === "dpkg-deb" && has("x", "X", "e", "extract", "R"))
    return operands.slice(1).map((path) => ({ type: "writes", path, how: "creates" }));
  if (name === "dpkg-deb" && has("b", "build")) return replaces(operands.slice(1));
  return replaces(values("o", "output"));
}

function* debian({ has, operands, values }: Use): Iterable<Effect> {
  for (const command of values("pre-invoke", "post-invoke", "status-logger"))
    yield* runsInstead("--pre-invoke", command);
  if (has("i", "install", "unpack", "configure", "A", "record-avail", "update-avail"))
    yield* [...installing, ...packagesIn(operands)];
  if (has("r", "remove", "P", "purge")) yield* removing;
  if (has("add-architecture", "remove-architecture", "set-selections", "clear-selections", "force-all"))
    yield danger("high", "it changes which packages this machine takes");
}

function* redhat(use: Use): Iterable<Effect> {
  for (const code of use.values("E", "eval", "define", "D"))
    if (/%\(|%\{lua:/u.test(code.text)) yield* runsInstead("--eval", code);
  for (const command of use.values("pipe")) yield* runsInstead("--pipe", command);
  if (use.has("import")) yield* trustsSource;
  const asks = use.has("q", "query", "V", "verify", "K", "checksig");
  if (asks) return;
  if (use.has("i", "U", "F", "install", "upgrade", "freshen"))
    yield* [...installing, ...packagesIn(use.operands)];
  if (use.has("e", "erase")) yield* removing;
}

function* arch(use: Use): Iterable<Effect> {
  const { has, operands } = use;
  for (const path of use.values("config", "hookdir", "gpgdir")) yield loads(path);
  if (has("Q", "query", "F", "files", "T")) return;
  if (has("U", "upgrade")) yield* [...installing, ...packagesIn(operands)];
  else if (has("R", "remove")) yield* removing;
  else if (
    has("S", "sync")
      ? !has("s", "i", "l", "g", "search", "info", "list")
      : has("D", "database") || (use.name !== "pacman" && !has("P", "h", "V"))
  )
    yield* installing;
}

function* administers(use: Use): Iterable<Effect> {
  const { name, operands, has } = use;
  if (/^(?:add-apt-repository|apt-add-repository|apt-key|nix-channel)$/u.test(name)) {
    if (!(has("list", "l") || /^(?:list|finger|export|exportall)$/u.test(operands[0]?.text ?? "")))
      yield* trustsSource;
  } else if (
    /^(?:update-alternatives|alternatives|dpkg-divert|dpkg-statoverride|dpkg-reconfigure)$/u.test(name)
  ) {
    if (!has("list", "display", "query", "get-selections"))
      yield danger("high", "it changes which programs this machine uses");
  } else if (
    /^(?:makepkg|debuild|dpkg-buildpackage|rpmbuild|alien|pkgbuild|productbuild|apt-ftparchive)$/u.test(name)
  )
    yield* operands.map((path) => loads(path)).slice(0, name === "makepkg" ? 1 : 0);
  else if (/^(?:xbps-remove|pkg_delete)$/u.test(name) || (name === "nix-env" && has("e", "uninstall")))
    yield* removing;
  else if (
    name === "emerge"
      ? !has("p", "pretend", "s", "search", "info")
      : !has("l", "list", "q", "query", "pkgs", "packages")
  )
    yield* [...installing, ...packagesIn(operands)];
}

function* nix(use: Use): Iterable<Effect> {
  const { name, operands, values, has } = use;
  const codes = evaluatedIn(use.words);
  yield* interpretsAll("other", codes.length > 0 ? codes : values("E"));
  for (const code of codes)
    for (const [, path = ""] of code.text.matchAll(/\bread(?:File|Dir)\s+"?([^\s";)]+)/gu))
      yield* reads([withText(code, path)]);
  const [verb, ...rest] = operands;
  const text = verb?.text ?? "";
  if (name === "nixos-rebuild" || name === "home-manager" || name === "darwin-rebuild") {
    if (/^(?:switch|boot|test|activate)$/u.test(text)) yield danger("high", "it changes the whole system");
  } else if (name === "nix-collect-garbage" || text === "collect-garbage") yield* removing;
  else if (name === "nix-store") yield* has("delete", "gc") ? removing : nothing;
  else if (name === "nix-prefetch-url") yield { type: "fetches", from: verb };
  else if (text === "profile" || text === "env") yield* nixProfile(rest);
  else if (text === "run" || text === "shell" || text === "develop") yield* nixRuns(rest, text);
  else if (text === "registry" && /^(?:add|pin)$/u.test(rest[0]?.text ?? "")) yield* trustsSource;
  else if (text === "upgrade-nix" || text === "copy") yield* installing;
}

/** `nix profile install nixpkgs#hello`. */
function nixProfile([verb, ...packages]: readonly Word[]): Iterable<Effect> {
  if (/^(?:install|add|upgrade)$/u.test(verb?.text ?? "")) return [...installing, ...packagesIn(packages)];
  return /^(?:remove|wipe-history)$/u.test(verb?.text ?? "") ? removing : nothing;
}

/** `nix run nixpkgs#hello`, `nix develop -c command`. */
function* nixRuns(rest: readonly Word[], verb: string): Iterable<Effect> {
  const at = rest.findIndex(({ text }) => /^(?:-c|--command)$/u.test(text));
  const [flake] = rest.filter(({ text }) => !text.startsWith("-"));
  if (flake && /[:#]/u.test(flake.text) && !/^(?:\.|path:\.)/u.test(flake.text)) yield* runsPackage;
  if (at >= 0) yield runs(rest.slice(at + 1));
  else if (verb === "run" && flake?.text.includes("#")) {
    const split = rest.findIndex(({ text }) => text === "--");
    yield* runsLocal(
      [withText(flake, flake.text.replace(/^.*#/su, "")), ...(split < 0 ? [] : rest.slice(split + 1))],
      "node_modules/.bin",
    );
  }
}
