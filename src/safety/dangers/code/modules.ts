/** The effects of importing a module. */

import { literal } from "../../command-line/word.ts";
import { danger, doesMore, loads } from "../effect-makers.ts";
import { namesIn } from "../listed.ts";
import { tell } from "./notes.ts";
import type { Reader } from "./reading.ts";

/** Records the import and returns the module's name as used in the tables. */
export function noteModule({ grammar, notes }: Pick<Reader, "grammar" | "notes">, module: string): string {
  if (grammar.language !== "python" && /^(?:\.{0,2}\/|~\/|file:)/u.test(module)) {
    tell(notes, loads(literal(module.replace(/^file:(?:\/\/)?/u, "")), grammar.language));
    return "";
  }
  if (/^https?:/u.test(module)) {
    tell(notes, danger("critical", "its code runs text from the network"));
    return "";
  }
  const path = module.replace(/^node:/u, "").replaceAll(/::|\//gu, ".");
  if (grammar.startingModules.includes(path)) notes.facts.add("starts");
  if (grammar.language === "python" && !ofEverybody.has(path.replace(/\..*$/su, ""))) tell(notes, doesMore);
  return path;
}

/**
 * Python's own modules and widely used packages. Any other may belong to the workspace, so importing it runs workspace
 * code.
 */
const ofEverybody: ReadonlySet<string> = new Set(
  namesIn(`abc argparse array ast asyncio base64 binascii bisect builtins bz2 calendar cmath codecs collections colorsys compileall
    concurrent configparser contextlib copy csv ctypes dataclasses datetime decimal difflib dis email encodings enum errno filecmp
    fileinput fnmatch fractions functools gc getpass gettext glob gzip hashlib heapq hmac html http importlib inspect io ipaddress
    itertools json keyword linecache locale logging lzma math mimetypes multiprocessing numbers operator os pathlib pickle pkgutil
    platform plistlib pprint queue random re reprlib resource secrets select shlex shutil signal site smtplib socket sqlite3 ssl stat
    statistics string struct subprocess symtable sys sysconfig tarfile tempfile textwrap threading time timeit token tokenize tomllib
    traceback types typing unicodedata unittest urllib uuid venv warnings weakref xml zipfile zlib zoneinfo __future__ attr attrs bs4
    cryptography dateutil django fastapi flask httpx jinja2 lxml markdown matplotlib numpy packaging pandas PIL pkg_resources polars
    psutil pydantic pytest pytz requests rich scipy setuptools six sklearn sqlalchemy tabulate tensorflow toml torch tqdm transformers
    yaml`),
);
