/** The scripts that make a shell ask this program what could come next. They know nothing else, so they never go stale. */

export const completionScripts = {
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
