import { Argument, type Command } from 'commander'
import { addCommand } from '../add-command.ts'
import { print } from '../print.ts'
import type { Shell } from './script.ts'

const shells: readonly Shell[] = ['bash', 'zsh', 'fish', 'powershell']

/** `gatehouse completion` */
export function register(program: Command): void {
  addCommand(program, 'completion', {
    summary: 'Prints a script that completes commands and options in a shell',
    examples: [
      'source <(gatehouse completion bash)',
      'gatehouse completion zsh > ~/.zfunc/_gatehouse',
      'gatehouse completion fish > ~/.config/fish/completions/gatehouse.fish',
      'gatehouse completion powershell > gatehouse.ps1',
    ],
    json: false,
  })
    .addArgument(new Argument('<shell>', 'which one').choices([...shells]))
    .action(async (shell: Shell) => {
      print((await import('./script.ts')).completionScript(shell, program))
    })
}
