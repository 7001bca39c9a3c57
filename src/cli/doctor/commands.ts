import type { Command } from 'commander'
import { addCommand } from '../add-command.ts'

/** `gatehouse doctor` */
export function register(program: Command): void {
  addCommand(program, 'doctor', {
    summary: 'Checks configuration, address, proxy, database, mail, webhooks and keys, and says what mends what is wrong',
    examples: ['gatehouse doctor', 'gatehouse doctor --json --strict'],
  })
    .option('--strict', 'exit status 1 with a warning, too; else with a failure alone')
    .action(async (options) => (await import('./doctor.ts')).doctor(options))
}
