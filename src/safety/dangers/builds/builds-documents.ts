/** Tools that produce documents, sites and pictures. */

import { isUnknown, type Word, withText } from "../../command-line/word.ts";
import { danger, interprets, reads, replaces } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { publishes } from "../packages/installing.ts";
import type { Program, Use } from "../program.ts";
import { tool } from "./building.ts";

export const documentTools: readonly Program[] = [
  tool(
    `doxygen sphinx-apidoc sphinx-autogen sphinx-quickstart pdoc pdoc3 lazydocs yard rdoc dartdoc
      haddock jazzy gomarkdoc godoc pkgsite`,
    { short: "wgx", writes: "o output-dir output-directory op" },
  ),
  tool("sphinx-build sphinx-autobuild", {
    short: "bDAtdjwW",
    loads: "c",
    more: ({ operands }) => replaces(operands.slice(1, 2)),
  }),
  tool("mkdocs zensical properdocs", {
    loads: "f config-file theme-dir",
    writes: "d site-dir",
    short: "a",
    long: "dev-addr",
    more: ({ operands }) => (operands[0]?.text === "gh-deploy" ? publishes : []),
    verbs: 2,
  }),
  tool(
    `hugo jekyll zola gatsby-cli hexo pelican nikola middleman bridgetown cobalt gutenberg mdbook-toc
      gitbook antora slate nanoc lektor quarto bookdown`,
    {
      loads: "config c s source plugins themesDir theme-dir",
      writes: "d destination o output-dir cacheDir",
      short: "btpP",
      long: "baseURL environment port bind host",
      verbs: 2,
      more: ({ operands, name }) =>
        (name === "hugo" || name === "hexo" || name === "quarto") &&
        /^(?:deploy|publish|d)$/u.test(operands[0]?.text ?? "")
          ? publishes
          : [],
    },
  ),
  tool("pandoc", {
    short: "frtTVM",
    long: `from to read write variable metadata toc-depth highlight-style columns wrap
      top-level-division number-offset mathjax resource-path default-image-extension
      shift-heading-level-by metadata-file`,
    loads: `F filter L lua-filter d defaults template data-dir H include-in-header B include-before-body A
        include-after-body`,
    writes: "o output extract-media log",
    runs: "pdf-engine-opt",
    more: ({ operands }) => readsPlain(operands),
  }),
  tool(
    `pdflatex latex xelatex lualatex tex pdftex etex luatex xetex context texexec platex uplatex
      tectonic arara lualatex-dev`,
    {
      oneDash: true,
      long: "interaction jobname fmt progname",
      loads: "cnf-line",
      writes: "output-directory aux-directory outdir",
      more: typesets,
    },
  ),
  tool("latexmk", {
    oneDash: true,
    loads: "r",
    long: "jobname",
    writes: "outdir output-directory auxdir aux-directory",
    more: (use) => [
      ...typesets(use),
      ...use.options.flatMap(({ name }, at) => (name === "e" ? [...codeBehind(use, at)] : [])),
    ],
  }),
  tool(
    `bibtex biber makeindex makeglossaries texindex dvips dvipdf dvipdfm dvipdfmx pdfcrop kpsewhich
      texcount chktex lacheck latexindent latexdiff mktexlsr texhash fmtutil epstopdf ps2pdf pdf2ps
      texi2pdf texi2any makeinfo help2man pod2man pod2text asciidoctor asciidoc asciidoctor-pdf a2x
      rst2html rst2pdf typst marp slidev reveal-md groff-pdf weasyprint wkhtmltopdf wkhtmltoimage prince
      mutool qpdf pdftk`,
    {
      writes: "o output out out-file outdir D destination-dir",
      loads: "r require l local",
      short: "abtsT",
      more: ({ operands, name }) =>
        /^(?:wkhtmlto|weasyprint|epstopdf|ps2pdf|pdf2ps|qpdf)/u.test(name)
          ? lastIsWritten(operands)
          : readsPlain(operands),
    },
  ),
  tool("gs ghostscript ps2ascii gsx", { oneDash: true, long: "sOutputFile o I", more: ghostscript }),
  tool(
    `dot neato fdp sfdp twopi circo osage graphviz plantuml mmdc d2 blockdiag seqdiag erd dbml-renderer
      structurizr`,
    {
      short: "TKGNEit",
      writes: "o output",
      loads: "C configFile puppeteerConfigFile",
      more: ({ operands }) => readsPlain(operands),
    },
  ),
  tool("ffmpeg", {
    oneDash: true,
    long: `i f c vf af filter_complex r s b t ss to codec vcodec acodec map metadata pix_fmt crf preset
      ar ac loop framerate vframes frames q threads loglevel filter_script`,
    more: ({ operands, values }) => [
      ...reads(values("i")),
      ...replaces(operands.filter(({ text }) => text !== "-" && !text.startsWith("pipe:"))),
    ],
  }),
  tool(
    `ffprobe mediainfo exiv2 identify soxi mkvinfo pdfinfo pdffonts pdfimages pngcheck jpeginfo webpinfo
      otfinfo fc-list fc-match fc-cache`,
    {
      oneDash: true,
      long: "i v show_entries of print_format select_streams format",
      more: ({ operands }) => readsPlain(operands),
    },
  ),
  tool(
    `convert magick montage composite sox rsvg-convert cwebp dwebp gif2webp avifenc heif-convert
      pdftotext pdftoppm pdftocairo inkscape potrace lame flac oggenc opusenc handbrakecli handbrake`,
    {
      oneDash: true,
      writes: "o output export-filename out-file",
      long: `resize quality density geometry crop rotate f w h i format r font pointsize fill annotate
        background gravity extent colors depth size`,
      more: ({ operands }) => [
        ...readsPlain(operands.slice(0, -1)),
        ...lastIsWritten(operands.slice(-2)),
        ...(operands.some(({ text }) => /^(?:msl|mvg|ephemeral|epi|pipe|text:@|label:@):?|^\|/iu.test(text))
          ? [danger("high", "it obeys a script, or does more than convert")]
          : []),
      ],
    },
  ),
  tool("optipng pngquant jpegoptim mogrify oxipng pngcrush gifsicle advpng zopflipng exiftool", {
    oneDash: true,
    writes: "o output out dir d path",
    long: "quality resize m format b",
    more: ({ operands, words }) =>
      words.some(({ text }) => text.startsWith("-if") || text.startsWith("-config"))
        ? [danger("high", "an option of it runs code")]
        : operands
            .filter((word) => !isUnknown(word))
            .map((path): Effect => ({ type: "writes", path, how: "edits" })),
  }),
  tool("say espeak tts remind when", {}),
];

const readsPlain = (operands: readonly Word[]): Effect[] =>
  reads(operands.filter(({ text }) => text !== "-" && !/^https?:/u.test(text)));

const lastIsWritten = (operands: readonly Word[]): Effect[] =>
  operands.length < 2
    ? []
    : replaces(
        operands
          .slice(-1)
          .map((word) => withText(word, word.text.replace(/^[a-z]+:(?!\/)/iu, "")))
          .filter(({ text }) => text !== "-"),
      );

/** Documents may run commands only if an option allows it. */
function* typesets({ options, operands }: Use): Iterable<Effect> {
  if (options.some(({ name }) => /^(?:shell-escape|enable-write18|Z=?shell-escape)$/u.test(name)))
    yield danger("high", "it lets documents run commands");
  for (const word of operands)
    if (/\\(?:immediate\s*)?\\?write18|\\directlua|\\ShellEscape|^\\/u.test(word.text))
      yield danger("high", "it runs code that is given as a document");
}

function* codeBehind({ words, options }: Use, at: number): Generator<Effect> {
  const code = options[at]?.value ?? words[words.findIndex(({ text }) => text === "-e") + 1];
  yield danger("high", "its option -e runs code");
  if (code) yield interprets("perl", code);
}

/** Without safe mode, PostScript code has full access to files. */
function* ghostscript({ values, words, operands }: Use): Iterable<Effect> {
  yield* replaces(values("sOutputFile", "o").filter(({ text }) => text !== "-" && !text.startsWith("%")));
  for (const { text } of values("sOutputFile", "o"))
    if (text.startsWith("%pipe%")) yield danger("high", "its output goes to a command");
  if (words.some(({ text }) => /^-d?(?:NOSAFER|DELAYSAFER)$/u.test(text)))
    yield danger("high", "it lets documents read and write any file");
  yield* readsPlain(operands);
}
