/** Imports in code: binds the names that are given to modules and their members. */

import { noteModule } from "./notes.ts";
import { type Reader, nameAt, signAt, valueNamed } from "./value.ts";

/** Consumes an import if there is one here, and returns whether there was. */
export function readImport(reader: Reader): boolean {
  const word = nameAt(reader);
  if (reader.language === "python" && (word === "import" || word === "from"))
    return word === "import" ? readPythonImport(reader) : readPythonFrom(reader);
  return reader.language === "javascript" && word === "import" && readModuleImport(reader);
}

/** `import a.b as c, d`. */
function readPythonImport(reader: Reader): true {
  do {
    reader.at += 1;
    const module = readDotted(reader);
    if (module === "") return true;
    noteModule(reader.language, reader.notes, module);
    if (nameAt(reader) !== "as") continue;
    reader.names.set(nameAt(reader, reader.at + 1), valueNamed(module));
    reader.at += 2;
  } while (signAt(reader) === ",");
  return true;
}

/** `from a.b import c as d, e`. */
function readPythonFrom(reader: Reader): true {
  reader.at += 1;
  const module = readDotted(reader);
  if (nameAt(reader) !== "import") return true; // `yield from x`
  noteModule(reader.language, reader.notes, module);
  const close = signAt(reader, reader.at + 1) === "(" ? /^[);]$/u : /^[;\n]$/u;
  for (reader.at += 1; reader.at < reader.tokens.length && !close.test(signAt(reader)); reader.at += 1) {
    const name = nameAt(reader);
    if (name === "") continue;
    noteModule(reader.language, reader.notes, `${module}.${name}`);
    const isRenamed = nameAt(reader, reader.at + 1) === "as";
    reader.names.set(isRenamed ? nameAt(reader, reader.at + 2) : name, valueNamed(`${module}.${name}`));
    reader.at += isRenamed ? 2 : 0;
  }
  return true;
}

function readDotted(reader: Reader): string {
  let path = "";
  for (; ; reader.at += 1) {
    const name = nameAt(reader);
    if (name === "as" || name === "import" || (name === "" && signAt(reader) !== ".")) return path;
    path += name || ".";
  }
}

/** `import x, { a as b } from "m"`, `import * as x from "m"`, `import "m"`; false for `import("m")`. */
function readModuleImport(reader: Reader): boolean {
  const start = reader.at;
  const names: { member: string; local: string }[] = [];
  let isInside = false;
  for (reader.at += 1; reader.at < reader.tokens.length; reader.at += 1) {
    const token = reader.tokens[reader.at];
    const sign = signAt(reader);
    const name = nameAt(reader);
    if (token?.type === "text" || sign === ";" || sign === "(") break;
    if (sign === "{" || sign === "}") isInside = sign === "{";
    if (name === "as") {
      names.push({
        member: isInside ? (names.pop()?.member ?? "") : "",
        local: nameAt(reader, reader.at + 1),
      });
      reader.at += 1;
    } else if (name !== "" && name !== "from") names.push({ member: isInside ? name : "", local: name });
  }
  const token = reader.tokens[reader.at];
  if (token?.type !== "text") {
    reader.at = start;
    return false;
  }
  const module = token.parts.filter((part) => typeof part === "string").join("");
  const path = noteModule(reader.language, reader.notes, module);
  for (const { member, local } of names)
    reader.names.set(local, valueNamed(member === "" ? path : `${path}.${member}`));
  reader.at += 1;
  return true;
}
