import type { Command } from 'commander'
import { addCommand, addGroup } from '../add-command.ts'

/** `gatehouse config …` */
export function register(program: Command): void {
  const config = addGroup(program, 'config', 'The configuration, as the environment gives it; the database is not asked')

  addCommand(config, 'check', {
    summary: 'Says what would stop a start, with 1, and what contradicts itself or has no effect',
    examples: ['gatehouse config check'],
  }).action(async (options) => (await import('./check.ts')).check(options))

  addCommand(config, 'print', {
    summary: 'Prints every variable with its value, where that comes from, and the default; secrets are masked',
    examples: ['gatehouse config print', 'gatehouse config print --given'],
  })
    .option('--given', 'only those that the environment sets')
    .action(async (options) => (await import('./print.ts')).print(options))
}
