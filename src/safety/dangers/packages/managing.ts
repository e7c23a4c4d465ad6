/** Functions of `packages.yaml`: what the verbs of package managers say. */

import { isUnknown, literal, type Word, withText } from "../../command-line/word.ts";
import type { WordsDo } from "../data/does.ts";
import { danger, doesMore, interprets, loads, reads, replaces, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { interpretsAll, runsInstead } from "../interpreting.ts";
import { namesIn } from "../listed.ts";
import type { OptionForm, Use } from "../program.ts";
import { after } from "../verbs.ts";
import {
  changesSettings,
  fromRegistries,
  installing,
  installsTools,
  packagesIn,
  publishes,
  removing,
  runsLocal,
  runsPackage,
  signsIn,
  trustsSource,
} from "./installing.ts";
import { byOption, nix } from "./of-systems.ts";

const gets =
  /^(?:install|i|in|add|update|upgrade|up|dup|patch|get|fetch|sync|lock|download|wheel|reinstall|build-dep|dist-upgrade|full-upgrade|require|create-project|inject|bundle|tap|refresh|satisfy|localinstall|groupinstall|module install|self[- ]update|self upgrade|selfupdate|tool install|tool upgrade|python install|python upgrade|plugin add|env create|create|deps\.get|deps\.update|deps\.compile|local\.(?:hex|rebar)|archive\.install|escript\.install|pub (?:get|upgrade|add)|package (?:resolve|update)|global (?:require|add|update)|bootstrap|ensurepath|vendor|generate-lockfile|binstall|link|mod (?:tidy|download|vendor)|work sync|pip (?:install|sync|compile|download)|setup|downgrade|autoinstall|switch|update-index|pin)$/u;
const removes =
  /^(?:remove|uninstall|rm|purge|autoremove|del|delete|erase|cleanup|prune|untap|zap|deps\.clean|deps\.unlock|archive\.uninstall|tool uninstall|python uninstall|pub remove|env remove|pip (?:uninstall|remove)|global remove|uninject|self remove|uninstall-all|reset)$/u;
const outward =
  /^(?:publish|upload|push|yank|owner|unyank|hex\.publish|hex\.owner|hex\.retire|pub publish|trunk (?:push|delete)|release|register|unpublish|nuget push)$/u;
const signs = /^(?:login|logout|signin|signout|auth|hex\.user|token|auth \w+|pub (?:token|login)|user)$/u;
const trusts =
  /^(?:repo add|repository|remote add|remote-add|addrepo|ar|source add|sources add|bucket add|tap-new|config-manager|hex\.repo|channel add|feature enable|add-repository)$/u;
const services = /^(?:services|start|stop|restart|services \w+)$/u;
const losing = /^(?:ecto\.(?:drop|reset|rollback)|ash\.reset|sqlx database (?:drop|reset))$/u;

const form: OptionForm = {
  short: "rcetifdwnpsvCgbx",
  long: namesIn(`requirement constraint editable target platform python-version root prefix index-url extra-index-url
    find-links timeout trusted-host cache-dir log dest wheel-dir python index default-index extra group output with from
    project directory package source name channel file manifest-path version path git branch tag rev registry features
    repository host token with-editable spec only-binary no-binary config`),
};

function* fetched(use: Use): Iterable<Effect> {
  yield* fromRegistries(
    use
      .values(
        "i",
        "index-url",
        "extra-index-url",
        "find-links",
        "index",
        "default-index",
        "source",
        "s",
        "registry",
        "repository",
      )
      .filter((word) => use.name !== "apt" && (/:\/\/|^\//u.test(word.text) || isUnknown(word))),
  );
  if (
    use.has(
      "trusted-host",
      "allow-unauthenticated",
      "force-yes",
      "nogpgcheck",
      "allow-untrusted",
      "no-gpg-checks",
      "dangerous",
      "devmode",
      "allow-insecure-repositories",
      "classic",
    )
  )
    yield danger("high", "it does not look whether packages are what they say");
  if (use.has("git", "github")) yield danger("high", "it installs code straight from an address");
  yield* reads(use.values("r", "requirement", "constraint").filter(() => !/^(?:gem|cargo)$/u.test(use.name)));
  yield* replaces(
    use
      .values("target", "root", "dest", "wheel-dir", "log")
      .concat(use.name.startsWith("pip") ? use.values("t", "d", "w") : []),
  );
  yield* use.values("path").map((path) => loads(path));
  yield* packagesIn([
    ...use.operands,
    ...use.values("editable", "with", "from", "with-editable"),
    ...(/^(?:pip|uv)/u.test(use.name) ? use.values("e") : []),
  ]);
}

function* packages(operands: readonly Word[], use: Use): Iterable<Effect> {
  const [first, second] = operands;
  if (!first) return;
  if (isUnknown(first)) {
    yield danger("high", "what it does is only known when it runs");
    return;
  }
  const two = `${first.text} ${second?.text ?? ""}`.trim();
  const isVerb = (form: RegExp): boolean => form.test(first.text) || form.test(two);
  const rest = operands.slice(
    (gets.test(two) || removes.test(two) || trusts.test(two)) && two !== first.text ? 2 : 1,
  );
  if (/^(?:run|exec|tool run|run-tool|cmd|runghc|eval)$/u.test(first.text) || two === "tool run")
    yield* ran(two === "tool run" ? operands.slice(2) : rest, { ...use, operands: [first] });
  else if (isVerb(losing)) yield danger("high", "it deletes data of a database");
  else if (isVerb(outward) && !use.words.some(({ text }) => /^(?:--dry-run|-n|--list|-l)$/u.test(text)))
    yield* publishes;
  else if (isVerb(signs)) yield* signsIn;
  else if (isVerb(trusts)) yield* trustsSource;
  else if (/^(?:config|self config)$/u.test(first.text)) yield* configured(rest, use);
  else if (isVerb(services) && use.name === "brew" && second?.text !== "list")
    yield danger("high", "it starts or stops a service of this machine");
  else if (isVerb(removes)) yield* removing;
  else if (isVerb(gets) && !(use.name === "bundle" && /^(?:config|list)$/u.test(first.text)))
    yield* [...installing, ...fetched(after(use, rest, form))];
  else if (/^(?:index|search|info)$/u.test(first.text) && use.name.startsWith("pip"))
    yield { type: "fetches", from: undefined };
  else if (/^venv$|^virtualenv$/u.test(first.text)) yield doesMore;
}

const configured = (words: readonly Word[], use: Use): readonly Effect[] =>
  (use.name !== "bundle" &&
    use.words.some(({ text }) =>
      /^(?:set|unset|--add|--set|--append|--prepend|edit|add|remove)$/u.test(text),
    )) ||
  words.some(({ text }) =>
    /^scripts\.|mirror|repositor|registry|source|url|http-basic|token|credential|allow-plugins|secure-http|certificates|index|plugins/u.test(
      text,
    ),
  )
    ? changesSettings
    : [];

function* ran(words: readonly Word[], use: Use): Iterable<Effect> {
  const verb = use.operands[0]?.text;
  const inner = after(use, words, { ...form, short: "pnC", stopAtOperand: true });
  if (verb === "tool" || use.name === "pipx") {
    yield* runsTool(words, use);
    return;
  }
  if (use.name === "flatpak" || use.name === "snap") {
    yield danger(
      use.words.some(({ text }) =>
        /^--(?:filesystem=(?:host|home|~|\/)|socket=|device=all|devel)/u.test(text),
      )
        ? "high"
        : "medium",
      "it runs an installed program",
    );
    return;
  }
  if (inner.has("with", "with-editable", "with-requirements"))
    yield* [...installing, ...packagesIn(inner.values("with", "with-editable"))];
  const [first] = inner.operands;
  if (inner.has("m", "module")) yield runs([literal("python"), literal("-m"), ...inner.operands]);
  else if (!first) return;
  else if (use.name === "mix")
    yield* [
      ...words.filter(({ text }) => /\.exs?$/u.test(text)).map((path) => loads(path)),
      ...interpretsAll(
        "other",
        words
          .slice(words.findIndex(({ text }) => text === "-e") + 1)
          .filter(({ text }) => !text.startsWith("-") && !/\.exs?$/u.test(text)),
      ),
    ];
  else if (/^(?:composer|dart|flutter|gem)$/u.test(use.name) && verb === "run") return;
  else if (/^https?:/u.test(first.text)) yield danger("critical", "it runs code from the network");
  else if (first.text === "-") yield { type: "interprets-input", language: "python" };
  else if (first.text.endsWith(".py")) yield loads(first, "python");
  else if (/^(?:conda|mamba|micromamba)$/u.test(use.name)) yield runs(inner.operands);
  else
    yield* runsLocal(
      inner.operands,
      /^(?:bundle|cabal|stack|opam|luarocks|composer)$/u.test(use.name) ? "vendor/bin" : ".venv/bin",
    );
}

function* runsTool(words: readonly Word[], use: Use): Iterable<Effect> {
  const inner = after(use, words, {
    short: "wpif",
    long: namesIn("python with from spec index-url index"),
    stopAtOperand: true,
  });
  const [spec, ...rest] = inner.operands;
  yield* runsPackage;
  yield* fromRegistries(inner.values("i", "index-url", "index"));
  yield* packagesIn([...(spec ? [spec] : []), ...inner.values("from", "with", "spec")]);
  if (spec && !/[/:]/u.test(spec.text))
    yield* runsLocal([withText(spec, spec.text.replace(/[@=<>[].*$/su, "")), ...rest], ".venv/bin");
}

const goForm: OptionForm = {
  oneDash: true,
  long: namesIn(`o p exec toolexec overlay modfile tags ldflags gcflags asmflags mod buildmode coverprofile cpuprofile
    memprofile blockprofile mutexprofile trace outputdir run bench count timeout parallel cpu covermode coverpkg C f vettool fuzz`),
};

function* go(operands: readonly Word[], use: Use): Iterable<Effect> {
  const [verb, ...words] = operands;
  const inner = after(use, words, verb?.text === "run" ? { ...goForm, stopAtOperand: true } : goForm);
  const said = `${verb?.text} ${words[0]?.text ?? ""}`;
  for (const command of inner.values("exec", "toolexec", "vettool")) yield* runsInstead("-exec", command);
  yield* inner.values("overlay", "modfile").map((path) => loads(path));
  yield* replaces(
    inner.values(
      "o",
      "coverprofile",
      "cpuprofile",
      "memprofile",
      "blockprofile",
      "mutexprofile",
      "trace",
      "outputdir",
    ),
  );
  const [target] = inner.operands;
  const isVersioned = inner.operands.some(({ text }) => /^[\w-]+(?:\.[\w-]+)+\/.*@/u.test(text));
  if (verb?.text === "run" && target)
    yield* isVersioned
      ? runsPackage
      : !/^[\w-]+\.[\w.-]+\//u.test(target.text) || target.text.endsWith(".go")
        ? [loads(target)]
        : [];
  else if (verb?.text === "get" || /^(?:mod (?:tidy|download|vendor)|work (?:sync|vendor))/u.test(said))
    yield* installing;
  else if (isVersioned) yield* installsTools;
  else if (verb?.text === "clean" && inner.has("modcache", "cache")) yield* removing;
  else if (
    verb?.text === "env" &&
    inner.has("w", "u") &&
    inner.operands.some(({ text }) => !/^(?:GOOS|GOARCH|CGO_ENABLED|GO111MODULE)\b/u.test(text))
  )
    yield* changesSettings;
}

const cargoForm: OptionForm = {
  short: "pjFZCxswi",
  long: namesIn(`package exclude bin example test bench jobs features target target-dir manifest-path message-format color
    config profile git branch tag rev path version registry index root exec shell watch delay ignore out-dir artifact-dir edition name`),
};

const cargoSettings = (settings: readonly Word[]): Effect[] =>
  settings.flatMap((setting) =>
    /rustc|linker|runner|wrapper|rustdoc|credential|alias|\[env\]|^env\b/u.test(setting.text)
      ? runsInstead("--config", withText(setting, setting.text.replace(/^[^=]*=\s*["']?|["']$/gu, "")))
      : setting.text.includes("=")
        ? []
        : [loads(setting)],
  );

function* cargo(operands: readonly Word[], use: Use): Iterable<Effect> {
  const [verb, ...words] = operands[0]?.text.startsWith("+") ? operands.slice(1) : operands;
  if (!verb) return;
  const inner = after(use, words, cargoForm);
  yield* [
    ...cargoSettings(inner.values("config")),
    ...inner.values("manifest-path", "C").map((path) => loads(path)),
  ];
  yield* replaces(inner.values("target-dir", "out-dir", "artifact-dir"));
  if (verb.text === "clean")
    yield { type: "deletes", path: inner.value("target-dir") ?? literal("target"), deep: true };
  else if (verb.text === "watch") {
    for (const code of inner.values("x", "exec"))
      yield interprets("shell", withText(code, `cargo ${code.text}`));
    yield* [
      ...inner.values("s", "shell").map((code) => interprets("shell", code)),
      ...(inner.operands.length > 0 ? [runs(inner.operands)] : []),
    ];
  } else if (verb.text === "generate")
    yield* [...runsPackage, ...packagesIn([...inner.operands, ...inner.values("git")], { owner: true })];
  else if (/^(?:search|info)$/u.test(verb.text)) yield { type: "fetches", from: undefined };
  else if (/^(?:run|r)$/u.test(verb.text)) return;
  else {
    if (inner.has("git")) yield danger("high", "it installs code straight from an address");
    yield* fromRegistries(inner.values("index"));
    yield* packages([verb, ...inner.operands], inner);
  }
}

function* versionsOf([verb, ...rest]: readonly Word[], { name }: Use): Iterable<Effect> {
  const text = verb?.text ?? "";
  const then = rest[0]?.text ?? "";
  if (/^(?:exec|run)$/u.test(text)) {
    const words = rest.slice(/^(?:rustup|nvm)$/u.test(name) ? 1 : 0);
    let at = 0;
    while (words[at]?.text.startsWith("-") === true)
      at += /^--(?:using|node|npm|yarn|version|toolchain)$/u.test(words[at]?.text ?? "") ? 2 : 1;
    yield* runsLocal(words.slice(at), ".venv/bin");
  } else if (
    /^(?:uninstall|remove|rm|purge|prune|implode)$/u.test(text) ||
    /^(?:uninstall|remove)$/u.test(then)
  )
    yield* removing;
  else if (
    /^(?:list|show|versions|version|which|home|doc|current|ls|check|env)$/u.test(then) ||
    (name !== "volta" &&
      /^(?:global|local|use|default|pin|override|shell|self|list|ls)$/u.test(text) &&
      then !== "update")
  )
    return;
  else if (
    /^(?:install|update|upgrade|add|use|latest|lts|stable|default|fetch|pin|self|toolchain|component|target|up|i|u|\d.*|v\d.*|lts\/.*)$/u.test(
      text,
    )
  )
    yield* installsTools;
}

export const managing: Readonly<Record<string, WordsDo>> = {
  packages,
  cargo,
  go,
  nix,
  "cargo settings": cargoSettings,
  "packages by option": byOption,
  "runs a package": (_, use) => runsTool(use.words, use),
  "versions of programs": versionsOf,
  "package names": (words) => packagesIn(words),
  "other registries": (words) => fromRegistries(words.filter(({ text }) => text.includes("://"))),
  "python lists": (_, { name }) =>
    name === "pip-sync" ? installing : name.startsWith("pipdep") ? [] : [doesMore],
  "package macros": (words) =>
    words.flatMap((code) => (/%\(|%\{lua:/u.test(code.text) ? runsInstead("--eval", code) : [])),
  "package hooks": (words) =>
    words.flatMap((word) => {
      const [, command] =
        /(?:Invoke|Pre-Install-Pkgs|Post-Invoke|Proxy-Auto-Detect|Dir::Bin)[\w:-]*=(.*)$/isu.exec(
          word.text,
        ) ?? [];
      if (command !== undefined) return runsInstead("-o", withText(word, command));
      return /^APT::Get::AllowUnauthenticated=(?:1|true|yes)/iu.test(word.text)
        ? [danger("high", "it does not look whether packages are what they say")]
        : [];
    }),
  swift: ([verb, second], { has }) => {
    if (has("e")) return [doesMore];
    if (!verb) return [{ type: "interprets-input", language: "other" }];
    if (verb.text === "package")
      return /^(?:resolve|update|add-dependency)$/u.test(second?.text ?? "")
        ? [...installing, doesMore]
        : [doesMore];
    return [...(/[./]/u.test(verb.text) ? [loads(verb)] : []), doesMore];
  },
};
