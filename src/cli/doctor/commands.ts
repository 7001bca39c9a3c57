import type { Command } from 'commander'
import { addCommand } from '../add-command.ts'

/** `gatehouse doctor` */
export function register(program: Command): void {
  addCommand(program, 'doctor', {
    summary: 'Checks configuration, address, proxy, database, mail, webhooks and keys, and says how to fix problems',
    examples: ['gatehouse doctor', 'gatehouse doctor --json --strict'],
  })
    .option('--strict', 'exit with 1 on warnings, too, not only on failures')
    .action(async (options) => (await import('./doctor.ts')).doctor(options))
}
