/**
 * Modules whose calls the tables tell. Any other may write files by itself, as every library of databases does, or
 * belong to the workspace: code that loads it does not only read, whatever else it says.
 */

import type { Language } from "../effect.ts";
import { namesIn } from "../listed.ts";

/** By language; a module's first name, except in Perl and PHP, whose names are whole. */
const told: Readonly<Partial<Record<Language, ReadonlySet<string>>>> = {
  python: new Set(
    namesIn(`abc argparse array ast asyncio base64 binascii bisect builtins bz2 calendar cmath codecs collections colorsys
      concurrent configparser contextlib copy csv ctypes dataclasses datetime decimal difflib dis email encodings enum errno
      filecmp fileinput fnmatch fractions functools gc getpass gettext glob gzip hashlib heapq hmac html http importlib inspect
      io ipaddress itertools json keyword linecache locale lzma math mimetypes multiprocessing numbers operator os pathlib
      pickle pkgutil platform plistlib pprint queue random re reprlib resource secrets select shlex shutil signal site smtplib
      socket ssl stat statistics string struct subprocess symtable sys sysconfig tarfile tempfile textwrap threading time timeit
      token tokenize tomllib traceback types typing unicodedata urllib uuid warnings weakref zipfile zlib zoneinfo __future__
      attr attrs bs4 cryptography dateutil httpx jinja2 markdown packaging pkg_resources psutil pydantic pytz requests rich six
      tabulate toml tqdm yaml`),
  ),
  javascript: new Set(
    namesIn(`assert async_hooks buffer child_process console constants crypto dgram dns domain events fs http http2 https module
      net os path perf_hooks process punycode querystring readline stream string_decoder timers tls tty url util vm zlib`),
  ),
  ruby: new Set(
    namesIn(`abbrev base64 benchmark bigdecimal bundler cgi csv date delegate digest English erb etc fileutils find forwardable
      io json matrix monitor net observer open-uri open3 openssl optparse ostruct pathname pp prettyprint prime psych rational
      rbconfig ripper rubygems securerandom set shellwords singleton socket stringio strscan tempfile time timeout tmpdir tsort
      uri yaml zlib`),
  ),
  perl: new Set(
    namesIn(`autodie bigint bignum charnames constant Carp Cwd Data::Dumper diagnostics Digest::MD5 Digest::SHA Encode English
      Env feature Fcntl File::Basename File::Copy File::Find File::Glob File::Path File::Spec File::Spec::Functions File::Temp
      Getopt::Long HTTP::Tiny IO::File IO::Handle IO::Socket IPC::Open2 IPC::Open3 integer JSON JSON::PP JSON::XS lib List::Util
      locale LWP::Simple LWP::UserAgent Math::BigInt Math::Trig MIME::Base64 open overload parent POSIX re Scalar::Util Socket
      strict sort Storable Term::ANSIColor Text::Wrap Time::HiRes Time::Local Time::Piece utf8 vars version warnings`),
  ),
  php: new Set(
    namesIn(`ArrayIterator ArrayObject Closure DateInterval DatePeriod DateTime DateTimeImmutable DateTimeZone DirectoryIterator
      ErrorException Exception FilesystemIterator GlobIterator NumberFormatter RecursiveDirectoryIterator
      RecursiveIteratorIterator ReflectionClass ReflectionFunction ReflectionMethod SimpleXMLElement SplStack SplQueue class
      stdClass`),
  ),
};

export function isTold(language: Language, module: string): boolean {
  const name = language === "perl" || language === "php" ? module : module.replace(/[./].*$/su, "");
  return told[language]?.has(name) ?? true;
}

/** In Perl and PHP no call loads a library: a word in front of its name does. */
const loading: Readonly<Partial<Record<Language, RegExp>>> = {
  perl: /\b(?:use|require)\s+([A-Za-z][\w:]*)/gu,
  php: /\bnew\s+\\?(\w+)|\b(?:sqlite|dba|mysqli|pg|oci|odbc)_\w+/giu,
};

/** Whether code loads what is not told by a word of the language; also true of such a word in a text. */
export const loadsUntold = (language: Language, code: string): boolean =>
  [...code.matchAll(loading[language] ?? /(?!)/gu)].some(([, name = "untold"]) =>
    /^v?\d/u.test(name) ? false : !isTold(language, name),
  );
