import { Argument, type Command } from 'commander'
import { addCommand } from '../add-command.ts'
import { print } from '../print.ts'

/** `gatehouse completion` */
export function register(program: Command): void {
  addCommand(program, 'completion', {
    summary: 'Prints a script that completes commands and options in a shell',
    examples: [
      'source <(gatehouse completion bash)',
      'gatehouse completion zsh > ~/.zfunc/_gatehouse',
      'gatehouse completion fish > ~/.config/fish/completions/gatehouse.fish',
    ],
    json: false,
  })
    .addArgument(new Argument('<shell>', 'which one').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      print((await import('./script.ts')).completionScript(shell, program))
    })
}
