/** Functions of `packages.yaml`: what the verbs of all package managers say. */

import { isUnknown, literal, type Word, withText } from "../../command-line/word.ts";
import { compiled } from "../../commands/compiled.ts";
import { tasksThatReachOut } from "../builds/tools.ts";
import { danger, doesMore, reads, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { runsInstead, scriptOrInput } from "../interpreting.ts";
import { namesIn } from "../parts.ts";
import type { Use, WordsDo } from "../program.ts";
import { asksRegistry, installing, packagesIn, publishes, runsLocal, runsPackage } from "./installing.ts";

const ofNode = /^(?:c?npm|pnpm|yarn(?:pkg)?|lerna|n[irl]|nlx|bunx?|[np]npx|npx|yarnx|cargo-generate)$/u;

const installs: WordsDo = (_, { words, name }) => [
  ...installing,
  ...packagesIn(words, { owner: ofNode.test(name) }),
];
const isTried = ({ words }: Use): boolean =>
  words.some(({ text }) => /^(?:--dry-run|-n|--list|-l)$/u.test(text));
/** Settings that decide which code is fetched and run. */
const decisive =
  /^(?:scripts|bin|main|exports|workspaces|\w*[dD]ependencies|overrides|resolutions)\b|script|prefix|init-|Path|mirror|repositor|registry|source|url|http-basic|token|credential|allow-plugins|secure|certificates|index|plugin|channel|remote|[A-Z]+(?:FLAGS|PROXY|SUMDB)|\0/u;
const changesSettings: WordsDo = (_, { words }) =>
  words.some(({ text }) => decisive.test(text)) && !words.some(({ text }) => /^(?:get|list|ls)$/u.test(text))
    ? [danger("high", "it changes settings that decide which code is fetched and run")]
    : [];

const meanings: readonly (readonly [verbs: string, does: WordsDo])[] = [
  [
    `install, i, in, ins, inst, add, ci, clean-install, ic, install-clean, install-test, it, cit, update, upgrade, up, dup,
    get, fetch, sync, lock, download, wheel, reinstall, build-dep, dist-upgrade, full-upgrade, require, inject, bundle,
    tap, refresh, satisfy, localinstall, groupinstall, self-update, selfupdate, bootstrap, vendor, binstall, link, ln,
    setup, downgrade, switch, pin, rebuild, rb, dedupe, import, create-project, generate-lockfile, patch-commit,
    module install, self update, self upgrade, tool install, tool upgrade, tool update, tool restore, tool uninstall,
    python install, python upgrade, python uninstall, plugin add, plugin install, env create, env remove, audit fix,
    global add, global remove, global require, global update, global upgrade, mod tidy, mod download, mod vendor,
    work sync, work vendor, pip install, pip uninstall, pip sync, pip compile, pip download, pub get, pub upgrade,
    pub add, pub remove, package resolve, package update, package add, package remove, add package, remove package,
    new install, workload install, workload update, workload restore, deps.get, deps.update, deps.compile, deps.clean,
    local.hex, local.rebar, archive.install, escript.install, remove, uninstall, rm, r, un, unlink, purge, autoremove,
    del, delete, erase, cleanup, prune, untap, zap, uninject, self remove, implode, restore, use, toolchain install,
    component add, target add, default, lts, latest, stable, profile install, profile add, set version, upgrade-interactive`,
    installs,
  ],
  [
    `publish, unpublish, deprecate, undeprecate, upload, push, yank, unyank, owner, release, register, access, team, org,
    hook, stage, trust, dist-tag add, dist-tag rm, tag add, tag rm, npm publish, npm tag, npm unpublish, npm deprecate,
    npm login, npm logout, login, logout, signin, signout, adduser, add-user, signup, token, auth, user,
    hex.publish, hex.owner, hex.retire, hex.user, pub publish, pub token, trunk push, trunk delete, nuget push,
    nuget delete, nuget sign`,
    (_, use) => (isTried(use) ? [] : publishes),
  ],
  [
    `config set, config delete, config edit, config rm, config unset, config --add, config --set, config --append,
    config --prepend, c set, c delete, c edit, set, set-script, pkg set, plugin import, repo add, repository, remote add,
    remote-add, addrepo, ar, source add, sources add, bucket add, tap-new, config-manager, hex.repo, channel add,
    feature enable, add-repository, nuget add, nuget update, nuget enable, user-secrets set, registry add, registry pin`,
    changesSettings,
  ],
  [
    `view, info, show, v, search, s, se, find, outdated, ping, whoami, doctor, audit, npm info, npm whoami, npm audit,
    dist-tag ls, dist-tags, owner ls, docs, repo, bugs, home, index, package search`,
    () => [asksRegistry],
  ],
  [
    "ecto.drop, ecto.reset, ecto.rollback, ash.reset, sqlx database drop, sqlx database reset",
    () => [danger("high", "it deletes data of a database")],
  ],
];

const byVerb = new Map(
  meanings.flatMap(([verbs, does]) => verbs.split(/,\s+/u).map((verb): [string, WordsDo] => [verb, does])),
);

/** The meaning of the first two words, or of the first. */
const packages: WordsDo = (operands, use) => {
  const [first, second] = operands[0]?.text.startsWith("+") ? operands.slice(1) : operands;
  if (!first) return [];
  if (/^(?:v?\d[\d.]*|lts\/.*)$/u.test(first.text)) return installing;
  if (isUnknown(first)) return [danger("high", "what it does is only known when it runs")];
  const does = byVerb.get(`${first.text} ${second?.text ?? ""}`) ?? byVerb.get(first.text);
  return does ? does(operands, use) : [];
};

const ofProject = (name: string): string =>
  /^(?:npm|npx|p?npx|pnpm|pnpx|yarn\w*|nlx|n[ir]|lerna|bunx?)$/u.test(name)
    ? "node_modules/.bin"
    : /^(?:bundler?|cabal|stack|opam|luarocks|composer)$/u.test(name)
      ? "vendor/bin"
      : ".venv/bin";

/** `poetry run pytest`, `yarn exec eslint`: what the project has installed. */
function* runsInstalled(words: readonly Word[], use: Use): Iterable<Effect> {
  const [first] = words;
  yield* packagesIn(use.values("with", "with-editable"), {});
  if (use.has("with", "with-editable", "with-requirements")) yield* installing;
  if (use.has("m", "module")) yield runs([literal("python"), literal("-m"), ...words]);
  else if (first && /^https?:/u.test(first.text)) yield danger("critical", "it runs code from the network");
  else if (first?.text === "-") yield { type: "interprets-input", language: "python" };
  else yield* runsLocal(words, ofProject(use.name));
}

/** The names under which programs that build or check a project are installed with it. */
const toolsOfTrade: ReadonlySet<string> = new Set([
  ...compiled.filter(({ kind }) => kind === "builds").flatMap(({ programs }) => namesIn(programs)),
  ..."node tsx ts-node vite-node deno".split(" "),
]);

/** `npx`, `pnpm dlx`, `uvx`: known tools run from the project; any other, or an explicit version, is downloaded first. */
function* runsFetched(words: readonly Word[], use: Use): Iterable<Effect> {
  const [spec, ...rest] = words;
  const packagesNamed = use.values("p", "package", "from", "with", "spec");
  const isAsked = packagesNamed.length > 0 || use.has("y", "yes", "ignore-existing");
  const isLocal = use.has("no-install", "no", "offline");
  const isOwn = isLocal || (!isAsked && ofNode.test(use.name) && toolsOfTrade.has(spec?.text ?? ""));
  yield* packagesIn([...packagesNamed, ...use.values("registry", "i", "index", "index-url")], {
    owner: true,
  });
  if (!spec) return;
  if (!isOwn) yield* runsPackage;
  if (!isLocal) yield* packagesIn([spec], { owner: ofNode.test(use.name) });
  if (/^[^/:]*$|^@/u.test(spec.text))
    yield* runsLocal(
      [withText(spec, spec.text.replace(/^@[^/]*\//u, "").replace(/[@=<>[].*$/su, "")), ...rest],
      ofProject(use.name),
    );
}

/** `yarn eslint src` runs the project's eslint, but a project script may have any name. */
function* tasksOrTools(operands: readonly Word[], use: Use): Iterable<Effect> {
  const [first] = operands;
  if (!first) return;
  if (use.name === "bun" && /[./]|^-$|\0/u.test(first.text)) yield* scriptOrInput(operands, "javascript");
  else if (toolsOfTrade.has(first.text)) yield* runsLocal(operands, ofProject(use.name));
  else yield* [...packages(operands, use), ...tasksThatReachOut([first])];
}

/** Modules that name their version are fetched and built: `go run example.org/x@latest`. */
const installsVersions: WordsDo = (words, use) =>
  words.some(({ text }) => /^[\w-]+(?:\.[\w-]+)+\/.*@/u.test(text)) ? installs(words, use) : [];

export const managing: Readonly<Record<string, WordsDo>> = {
  packages,
  "installs packages": installs,
  "runs what is installed": runsInstalled,
  "runs what it fetches": runsFetched,
  "tasks or tools": tasksOrTools,
  "versioned modules": installsVersions,
  tasks: (words) => tasksThatReachOut(words.slice(0, 1)),
  publishes: (_, use) => (isTried(use) ? [] : publishes),
  "changes settings": changesSettings,
  "starts a project": (words) => (words.length > 0 ? [...runsPackage, ...packagesIn(words)] : []),
  "package hooks": (words) =>
    words.flatMap((word) => {
      const [, command] =
        /(?:Invoke|Pre-Install-Pkgs|Proxy-Auto-Detect|Dir::Bin)[\w:-]*=(.*)$/isu.exec(word.text) ?? [];
      return command === undefined ? [] : runsInstead("-o", withText(word, command));
    }),
  "paths in code": (words) =>
    words.flatMap((code) => [
      doesMore,
      ...reads(
        [...code.text.matchAll(/\bread(?:File|Dir)\s+"?([^\s";)]+)/gu)].map(([, path = ""]) => literal(path)),
      ),
    ]),
};
