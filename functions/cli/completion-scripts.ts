export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

// Each hands the words up to the cursor to the command that is typed, and offers what it answers:
// a candidate a line, behind a tab what is said of it. Nothing of it is evaluated.

const BASH = `# holdfast completion for bash: eval "$(holdfast completion bash)"
_holdfast() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <("\${COMP_WORDS[0]}" __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _holdfast holdfast
`;

const ZSH = `#compdef holdfast
# holdfast completion for zsh: eval "$(holdfast completion zsh)"
_holdfast() {
  local line
  local -a found about
  while IFS= read -r line; do
    found+=("\${line%%$'\\t'*}")
    about+=("\${line/$'\\t'/  -- }")
  done < <("\${words[1]}" __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)
  compadd -l -d about -a found
}
if [[ "\${funcstack[1]-}" == _holdfast ]]; then
  _holdfast
else
  compdef _holdfast holdfast
fi
`;

const FISH = `# holdfast completion for fish: holdfast completion fish | source
function __holdfast_complete
    set -l before (commandline -opc)
    $before[1] __complete $before[2..-1] (commandline -ct) 2>/dev/null
end
complete -c holdfast -f -a '(__holdfast_complete)'
`;

/** What a shell reads to complete the command. */
export const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
