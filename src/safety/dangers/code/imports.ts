/** Imports in code: records the names given to modules, and modules whose purpose is to start programs. */

import { noteModule } from "./modules.ts";
import { nameAt, type Reader, signAt } from "./reading.ts";
import { named } from "./value.ts";

/** Consumes an import if there is one at this position, and returns whether there was. */
export function readImport(reader: Reader): boolean {
  const word = nameAt(reader, reader.at);
  const { language } = reader.grammar;
  if (language === "python" && word === "import") return readPythonImport(reader);
  if (language === "python" && word === "from") return readPythonFrom(reader);
  if (language === "javascript" && word === "import" && signAt(reader, reader.at + 1) !== "(")
    return readModuleImport(reader);
  return false;
}

/** `import a.b as c, d`. */
function readPythonImport(reader: Reader): true {
  do {
    reader.at += 1;
    const module = readDotted(reader);
    if (module === "") return true;
    noteModule(reader, module);
    if (nameAt(reader, reader.at) !== "as") continue;
    reader.names.set(nameAt(reader, reader.at + 1), named(module));
    reader.at += 2;
  } while (signAt(reader, reader.at) === ",");
  return true;
}

/** `from a.b import c as d, e`. */
function readPythonFrom(reader: Reader): boolean {
  const start = reader.at;
  reader.at += 1;
  const module = readDotted(reader);
  if (nameAt(reader, reader.at) !== "import") {
    reader.at = start + 1;
    return true;
  }
  noteModule(reader, module);
  reader.at += 1;
  const inBrackets = signAt(reader, reader.at) === "(";
  for (; reader.at < reader.tokens.length; reader.at += 1) {
    const sign = signAt(reader, reader.at);
    if (sign === ";" || sign === ")" || (sign === "\n" && !inBrackets)) break;
    const name = nameAt(reader, reader.at);
    if (name === "" || name === "as") continue;
    noteModule(reader, `${module}.${name}`);
    const isRenamed = nameAt(reader, reader.at + 1) === "as";
    const local = isRenamed ? nameAt(reader, reader.at + 2) : name;
    reader.names.set(local, named(`${module}.${name}`));
    if (isRenamed) reader.at += 2;
  }
  return true;
}

function readDotted(reader: Reader): string {
  let path = "";
  for (; reader.at < reader.tokens.length; reader.at += 1) {
    const name = nameAt(reader, reader.at);
    if (name === "as" || name === "import") break;
    if (name === "" && signAt(reader, reader.at) !== ".") break;
    path += name === "" ? "." : name;
  }
  return path;
}

/** `import x, { a as b } from "m"`, `import * as x from "m"`, `import "m"`. */
function readModuleImport(reader: Reader): true {
  const names: { member: string; local: string }[] = [];
  let isInside = false;
  for (reader.at += 1; reader.at < reader.tokens.length; reader.at += 1) {
    const token = reader.tokens[reader.at];
    const sign = signAt(reader, reader.at);
    if (token?.type === "text") break;
    if (sign === ";" || sign === "(") return true;
    if (sign === "{" || sign === "}") isInside = sign === "{";
    const name = nameAt(reader, reader.at);
    const last = names.at(-1);
    if (name === "as" && last) {
      names[names.length - 1] = { ...last, local: nameAt(reader, reader.at + 1) };
      reader.at += 1;
    } else if (name === "as") {
      names.push({ member: "", local: nameAt(reader, reader.at + 1) });
      reader.at += 1;
    } else if (name !== "" && name !== "from" && name !== "type")
      names.push({ member: isInside ? name : "", local: name });
  }
  const token = reader.tokens[reader.at];
  const module =
    token?.type === "text" ? token.parts.filter((part) => typeof part === "string").join("") : "";
  const path = noteModule(reader, module);
  for (const { member, local } of names)
    reader.names.set(local, named(member === "" ? path : `${path}.${member}`));
  reader.at += 1;
  return true;
}
