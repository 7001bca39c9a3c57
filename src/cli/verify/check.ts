import type { Command } from 'commander'
import { checkReport } from '../../isolation/check-report.ts'
import { counted } from '../../platform/text.ts'
import { type CommonOptions, wrongUse } from '../add-command.ts'
import { CommandFailure } from '../failures.ts'
import { show } from '../output.ts'
import { publishedKeys } from '../published-keys.ts'
import { readNamedFile } from '../read-named-file.ts'

interface CheckOptions extends CommonOptions {
  check: string
  issuer?: string
  jwks?: string
}

/** `gatehouse verify isolation --check`: for recipients of a report. It needs no database and no configuration. */
export async function checkIsolationReport(options: CheckOptions, command: Command): Promise<void> {
  const expected = options.issuer?.replace(/\/$/, '')
  if (expected !== undefined && !URL.canParse(expected)) wrongUse(command, '--issuer is not a URL such as https://id.example.com')
  const text = await readNamedFile(options.check)
  const { report, keyId } = await checkReport(text, async (issuer) => {
    if (expected !== undefined && issuer !== expected) throw new CommandFailure(`The report is of ${issuer}, not of ${expected}`)
    return publishedKeys(issuer, options.jwks)
  })
  const outcome = { isolated: 'no leaks', leaks: counted(report.leaks.length, 'leak'), 'broken off': 'broken off' }[report.result]
  const who = `${report.iss} (${report.product} ${report.release})`
  show(options, { valid: true, keyId, report }, `Valid: signed by ${who} with its key ${keyId}, of ${report.startedAt}: ${outcome}`)
}
