/** The sentences of the extension that can be translated, and those that were forgotten, read from its sources. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript-6";

type SourceSentences = {
  /** Those for a translator, in the order of the files. */
  translated: string[];
  /** With the file's name: what reads like a sentence and is never translated. */
  forgotten: string[];
};

/** Sentence → sentence, as a translator begins. */
export async function sourceStrings(folder: string): Promise<Record<string, string>> {
  const { translated } = await sentencesIn(folder);
  return Object.fromEntries(translated.map((text) => [text, text]));
}

export async function sentencesIn(folder: string): Promise<SourceSentences> {
  const names = await readdir(folder, { recursive: true });
  const sources = names.filter((name) => /\.tsx?$/u.test(name) && !/\.test\.|\btesting\//u.test(name));
  const read = sources.toSorted().map(async (name) => {
    const text = await readFile(join(folder, name), "utf8");
    return sentencesOf(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true));
  });
  const all = await Promise.all(read);
  return {
    translated: all.flatMap(({ translated }) => translated),
    forgotten: all.flatMap(({ forgotten }) => forgotten),
  };
}

/** What is said by these is English for programs, developers and models. */
const unspoken = /^(?:inEnglishOnly|(?:[\w#]+\.)*(?:log\.\w+|executeCommand))$/u;
/** What the editor's tools say is for models. */
const ofTools = /(?:^|[\\/])tools[\\/]/u;

function sentencesOf(source: ts.SourceFile): SourceSentences {
  const found: SourceSentences = { translated: [], forgotten: [] };
  const forget = (text: string): void => void found.forgotten.push(`${source.fileName}: ${text}`);
  const look = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isLiteralTypeNode(node)) return;
    if (ts.isCallExpression(node)) {
      const called = node.expression.getText(source);
      if (unspoken.test(called)) return;
      if (called === "t" || called.endsWith("l10n.t")) {
        const [sentence, ...values] = node.arguments;
        if (sentence && ts.isStringLiteral(sentence)) found.translated.push(sentence.text);
        else if (source.fileName !== "common/translate.ts") forget(`${called} without a sentence`);
        return values.forEach(look);
      }
    }
    const text = textOf(node);
    if (text !== undefined && isSentence(text) && !ofTools.test(source.fileName)) forget(text);
    ts.forEachChild(node, look);
  };
  look(source);
  return found;
}

/** A placeholder stands for what a template computes. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isJsxText(node)) return node.text.trim();
  if (!ts.isTemplateExpression(node)) return undefined;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("{}");
}

/** Two words, or one that begins like a sentence or a label; neither a name nor markup. */
function isSentence(text: string): boolean {
  if (/<|-src /u.test(text)) return false;
  const words = text.replaceAll(/Toolwright|VS Code|Bearer \{\}/gu, "");
  return /\p{L}{2}[,.:;]? \p{L}|^\p{Lu}\p{Ll}+(?:…$|$|[,.:;]? \{)/u.test(words);
}
