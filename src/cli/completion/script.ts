import type { Command } from 'commander'

/** The words or options that may follow the words of a command. */
interface CompletionPoint {
  words: string
  next: { name: string; summary: string }[]
}

export type Shell = 'bash' | 'zsh' | 'fish' | 'powershell'

/** The script that completes the commands of a program in a shell. It contains them all, so it starts no process. */
export function completionScript(shell: Shell, program: Command): string {
  return { bash, zsh, fish, powershell }[shell](placesOf(program, ''))
}

function placesOf(command: Command, words: string): CompletionPoint[] {
  const subcommands = command.commands.map((one) => ({ name: one.name(), summary: one.description() }))
  const options = command
    .createHelp()
    .visibleOptions(command)
    .map(({ long, short, description }) => ({ name: long ?? short ?? '', summary: description }))
  const below = command.commands.flatMap((one) => placesOf(one, `${words} ${one.name()}`.trim()))
  return [{ words, next: [...subcommands, ...options] }, ...below]
}

/** Finds the longest command that has been typed, in the variable `place`, ignoring arguments and options. */
const findPlace = (places: readonly CompletionPoint[], words: string) => `  local place= word
  for word in ${words}; do
    case "\${place:+$place }$word" in
      ${places.flatMap((place) => (place.words ? [`'${place.words}'`] : [])).join('|')}) place="\${place:+$place }$word" ;;
    esac
  done`

const bash = (places: readonly CompletionPoint[]) => `# Completion of gatehouse in bash: source <(gatehouse completion bash)
_gatehouse() {
${findPlace(places, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}
  local next=
  case "$place" in
${places.map(({ words, next }) => `    '${words}') next='${next.map(({ name }) => name).join(' ')}' ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$next" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _gatehouse gatehouse
`

const zsh = (places: readonly CompletionPoint[]) => `#compdef gatehouse
# Completion of gatehouse in zsh: gatehouse completion zsh > ~/.zfunc/_gatehouse
_gatehouse() {
${findPlace(places, `"\${(@)words[2,CURRENT-1]}"`)}
  local -a next
  case "$place" in
${places.map(({ words, next }) => `    '${words}') next=(${next.map(({ name, summary }) => quoted(`${name}:${summary}`)).join(' ')}) ;;`).join('\n')}
  esac
  _describe 'gatehouse' next || _files
}
# Loaded by its name, the file is the function and is called at once; else it is sourced.
if [ "\${funcstack[1]}" = _gatehouse ]; then _gatehouse; else compdef _gatehouse gatehouse; fi
`

const fish = (
  places: readonly CompletionPoint[],
) => `# Completion of gatehouse in fish: gatehouse completion fish > ~/.config/fish/completions/gatehouse.fish
function __gatehouse_at
  set -l place
  for word in (commandline -opc)[2..]
    contains -- (string join ' ' $place $word) ${places.flatMap((place) => (place.words ? [`'${place.words}'`] : [])).join(' ')}
      and set place $place $word
  end
  test (string join ' ' $place) = "$argv[1]"
end
complete -c gatehouse -f
${places
  .flatMap(({ words, next }) =>
    next.map(({ name, summary }) => {
      const what = name.startsWith('--') ? `-l ${name.slice(2)}` : `-a ${name}`
      return `complete -c gatehouse -n "__gatehouse_at '${words}'" ${what} -d ${quoted(summary)}`
    }),
  )
  .join('\n')}
`

const powershell = (
  places: readonly CompletionPoint[],
) => `# Completion of gatehouse in PowerShell: gatehouse completion powershell > gatehouse.ps1, and \`. ./gatehouse.ps1\` in $PROFILE
Register-ArgumentCompleter -Native -CommandName gatehouse -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $places = @{
${places
  .map(({ words, next }) => {
    const entries = next.map(({ name, summary }) => `      '${name}' = ${quotedForPowershell(summary)}`)
    return `    '${words}' = [ordered]@{\n${entries.join('\n')}\n    }`
  })
  .join('\n')}
  }
  $place = ''
  foreach ($element in $commandAst.CommandElements | Select-Object -Skip 1) {
    $longer = "$place $element".Trim()
    if ($element.Extent.EndOffset -lt $cursorPosition -and $places.ContainsKey($longer)) { $place = $longer }
  }
  foreach ($next in $places[$place].GetEnumerator()) {
    if ($next.Key.StartsWith($wordToComplete)) {
      [System.Management.Automation.CompletionResult]::new($next.Key, $next.Key, 'ParameterValue', $next.Value)
    }
  }
}
`

/** PowerShell also treats typographic quotes as quotes. */
const quotedForPowershell = (text: string) => `'${text.replaceAll(/['\u2018-\u201b]/g, '$&$&')}'`

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
