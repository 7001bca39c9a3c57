import type { Command } from 'commander'
import { addCommand, addGroup } from '../add-command.ts'

/** `gatehouse config …` */
export function register(program: Command): void {
  const config = addGroup(program, 'config', 'The configuration in the environment, without the database')

  addCommand(config, 'check', {
    summary: 'Says what would make a start fail, and exits with 1 then, and which variables contradict each other or have no effect',
    examples: ['gatehouse config check'],
  }).action(async (options) => (await import('./check.ts')).check(options))

  addCommand(config, 'print', {
    summary: 'Prints every variable with its value, its source and the default; secrets are masked',
    examples: ['gatehouse config print', 'gatehouse config print --given'],
  })
    .option('--given', 'only those that the environment sets')
    .action(async (options) => (await import('./print.ts')).print(options))
}
