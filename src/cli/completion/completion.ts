/** `toolwright completion`: the script for a shell, and what the script asks for. */

import { realWorkspace } from "../../base/paths.ts";
import { visibleLine } from "../../base/visible-text.ts";
import { providersAtHand } from "../../runtime/models/at-hand.ts";
import { keyTakers } from "../../runtime/models/logging-in.ts";
import { isOfPeopleIn, openStore } from "../../runtime/runtime.ts";
import { type CliContext, exitCodes, usageError } from "../cli-context.ts";
import { shortId } from "../sessions/words.ts";
import { candidatesFor, type NamesHere } from "./candidates.ts";
import { splitLine, withoutBreaks } from "./line.ts";

/** The newest sessions that are offered. */
const mostSessions = 30;

export async function runCompletion(
  context: CliContext,
  { words }: { words: readonly string[] },
): Promise<number> {
  const { terminal } = context;
  const [what = "", ...rest] = words;
  if (what === "words") {
    const found = await candidatesFor(rest.slice(0, -1), rest.at(-1) ?? "", namesHere(context));
    terminal.print(found.map(({ word, help }) => `${visibleLine(word)}\t${visibleLine(help)}\n`).join(""));
    return exitCodes.done;
  }
  if (what === "line") {
    const [line = "", breaks = ""] = rest;
    const { before, current } = splitLine(line);
    const found = await candidatesFor(before.slice(1), current, namesHere(context));
    terminal.print(
      found.map(({ word }) => `${withoutBreaks(visibleLine(word), current, breaks)}\n`).join(""),
    );
    return exitCodes.done;
  }
  const script = Object.entries(completionScripts).find(([name]) => name === what && rest.length === 0)?.[1];
  if (script === undefined)
    return usageError(
      terminal,
      `Which shell? toolwright completion ${Object.keys(completionScripts).join("|")}`,
    );
  terminal.print(script);
  return exitCodes.done;
}

const namesHere = ({ settings, terminal: { env } }: CliContext): NamesHere => ({
  sessions: async () => {
    const all = await storedSessions(settings);
    const here = all.filter(isOfPeopleIn(await realWorkspace(settings.workspace)));
    return here.slice(0, mostSessions).map(({ id, title }) => ({ word: shortId(id), help: title }));
  },
  // No provider is asked over the network: only servers that run here.
  models: async () => {
    const { found } = await providersAtHand(settings, env);
    const own = Object.entries(settings.providers).map(([name, { models = [] }]) => ({
      name,
      title: name,
      models,
    }));
    const all = [...own, ...found].flatMap(({ name, title, models }) =>
      (models ?? [undefined]).map(
        (model) => [model === undefined ? name : `${name}/${model}`, title] as const,
      ),
    );
    return [...new Map(all)].map(([word, help]) => ({ word, help }));
  },
  providers: async () => keyTakers(settings).map(({ name, title }) => ({ word: name, help: title })),
});

async function storedSessions(settings: CliContext["settings"]) {
  const opened = await openStore(settings);
  if (!opened.ok) return [];
  try {
    return await opened.value.list();
  } finally {
    await opened.value.close();
  }
}

/** The scripts that make a shell ask this program what could come next. They know nothing else, so they never go stale. */
const completionScripts = {
  bash: `# Completion of toolwright in bash: eval "$(toolwright completion bash)" in ~/.bashrc
_toolwright() {
  local word
  COMPREPLY=()
  while IFS= read -r word; do
    COMPREPLY+=("$word")
  done < <("$1" completion line "\${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
}
complete -o bashdefault -o default -F _toolwright toolwright tw
`,
  zsh: `#compdef toolwright tw
# Completion of toolwright in zsh: eval "$(toolwright completion zsh)" behind compinit in ~/.zshrc
_toolwright() {
  local line
  local -a found
  for line in "\${(@f)$("\${(Q)words[1]}" completion words -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}"; do
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( \${#found} )); then
    _describe -V toolwright found
  else
    _files
  fi
}
compdef _toolwright toolwright tw
`,
  fish: `# Completion of toolwright in fish: toolwright completion fish | source in ~/.config/fish/config.fish
function __toolwright_words
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l found ($words[1] completion words -- $words[2..] "$current" 2>/dev/null)
    if set -q found[1]
        printf '%s\\n' $found
    else
        __fish_complete_path "$current"
    end
end
complete -c toolwright -f -a '(__toolwright_words)'
complete -c tw -f -a '(__toolwright_words)'
`,
} as const;
