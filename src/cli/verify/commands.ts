import type { Command } from 'commander'
import { addCommand, addGroup } from '../add-command.ts'

/** `gatehouse verify …` */
export function register(program: Command): void {
  const verify = addGroup(program, 'verify', 'Proofs that an operator can hand to others')

  addCommand(verify, 'isolation', {
    summary: 'Proves that organisations cannot reach each other, and writes a signed report',
    examples: [
      'gatehouse verify isolation --output reports',
      'gatehouse verify isolation --check reports/isolation-2026-11-23T02-40-12Z.html',
    ],
  })
    .option('--output <folder>', 'where the report is written, as JSON and as a page', '.')
    .option('--no-report', 'writes no report')
    .option('--check <file>', 'checks the signature of a report instead, with no database')
    .option('--issuer <url>', 'with --check: the installation that must have signed it; else the one that it names')
    .option('--jwks <file>', 'with --check: its published keys, where they cannot be fetched')
    .action(async (options, command) => {
      if (options.check === undefined) return (await import('./isolation.ts')).proveIsolation(options)
      return (await import('./check.ts')).checkIsolationReport(options, command)
    })
}
