import type { Command } from 'commander'
import { addCommand, addGroup } from '../add-command.ts'

/** `gatehouse verify …` */
export function register(program: Command): void {
  const verify = addGroup(program, 'verify', 'Proofs that an operator can give to others')

  addCommand(verify, 'isolation', {
    summary: 'Proves that organisations cannot reach each other, and writes a signed report',
    examples: [
      'gatehouse verify isolation --output reports',
      'gatehouse verify isolation --check reports/isolation-2026-11-23T02-40-12Z.html',
    ],
  })
    .option('--output <folder>', 'where to write the report, as JSON and as a page', '.')
    .option('--no-report', 'writes no report')
    .option('--check <file>', 'checks the signature of a report instead, without a database')
    .option('--issuer <url>', 'with --check: the installation that must have signed it; by default the one that the report names')
    .option('--jwks <file>', 'with --check: its published keys, if they cannot be fetched')
    .action(async (options, command) => {
      if (options.check === undefined) return (await import('./isolation.ts')).proveIsolation(options)
      return (await import('./check.ts')).checkIsolationReport(options, command)
    })
}
