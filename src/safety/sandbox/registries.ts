/** Package registry hosts: the public ones, and those named in the user's own settings. */

import { join } from "node:path";
import { kib } from "../../base/bound.ts";
import { fileText } from "../on-disk.ts";

/** A file that names package registries, in characters. */
const mostRegistries = 256 * kib;

export const publicRegistries: readonly string[] = [
  // JavaScript
  "registry.npmjs.org",
  "registry.yarnpkg.com",
  "repo.yarnpkg.com",
  "npm.jsr.io",
  "jsr.io",
  "deno.land",
  "nodejs.org",
  "cdn.playwright.dev",
  "binaries.prisma.sh",
  "downloads.sentry-cdn.com",
  // Python
  "pypi.org",
  "files.pythonhosted.org",
  "conda.anaconda.org",
  "repo.anaconda.com",
  "download.pytorch.org",
  // Rust
  "index.crates.io",
  "static.crates.io",
  "crates.io",
  "static.rust-lang.org",
  // Go
  "proxy.golang.org",
  "sum.golang.org",
  "index.golang.org",
  "go.dev",
  "dl.google.com",
  // JVM
  "repo.maven.apache.org",
  "repo1.maven.org",
  "plugins.gradle.org",
  "plugins-artifacts.gradle.org",
  "services.gradle.org",
  "downloads.gradle.org",
  "maven.google.com",
  "repo.clojars.org",
  // Others
  "rubygems.org",
  "index.rubygems.org",
  "repo.packagist.org",
  "packagist.org",
  "api.nuget.org",
  "globalcdn.nuget.org",
  "repo.hex.pm",
  "hex.pm",
  "builds.hex.pm",
  "pub.dev",
  "hackage.haskell.org",
  "cdn.cocoapods.org",
  "cran.r-project.org",
  "cpan.metacpan.org",
  "luarocks.org",
  "opam.ocaml.org",
];

const settingsFiles = [
  "~/.npmrc",
  "~/.yarnrc",
  "~/.yarnrc.yml",
  "~/.config/pip/pip.conf",
  "~/.pip/pip.conf",
  "/etc/pip.conf",
  "~/.cargo/config.toml",
  "~/.cargo/config",
  "~/.config/uv/uv.toml",
  "~/.bundle/config",
  "~/.condarc",
  "~/.m2/settings.xml",
  "~/.nuget/NuGet/NuGet.Config",
  "~/.bunfig.toml",
];

const registryVariable =
  /^(?:npm_config_(?:.*:)?registry|yarn_npm_registry_server|(?:pip|uv|poetry)_.*(?:index|url|repositories).*|goproxy|gosumdb|cargo_registries_.*_index|bundle_mirror__.*|nuget_.*source.*)$/i;

/** As "host" or "host:port". Workspace settings are ignored: a command may have written them. */
export function usersRegistries(home: string, env: Readonly<Record<string, string>>): string[] {
  const texts = settingsFiles.map((path) =>
    fileText(path.startsWith("~/") ? join(home, path.slice(2)) : path).slice(0, mostRegistries),
  );
  const lines = texts.flatMap((text) => text.split("\n")).filter((line) => !/^\s*(?:#|;)|proxy/i.test(line));
  const variables = Object.entries(env).flatMap(([name, value]) =>
    registryVariable.test(name) ? [value] : [],
  );
  return [...new Set([...lines, ...variables].flatMap(hostsIn))];
}

/** The hosts of all URLs in a text. */
function hostsIn(text: string): string[] {
  const addresses = text.match(/https?:\/\/[^\s"'<>,|]+/g) ?? [];
  return addresses.flatMap((address) => {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (url === undefined || url.hostname === "") return [];
    const usual = url.protocol === "http:" ? "80" : "443";
    return [`${url.hostname}:${url.port === "" ? usual : url.port}`];
  });
}
