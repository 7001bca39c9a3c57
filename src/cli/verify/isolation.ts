import { access, constants, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { type IsolationReport, reportOf, signReport } from '../../isolation/report.ts'
import { isolationPage } from '../../isolation/report-page.ts'
import { verifyIsolation } from '../../isolation/verify.ts'
import type { Database } from '../../platform/database/database.ts'
import { formatNumber } from '../../platform/text.ts'
import type { CommonOptions } from '../add-command.ts'
import { show } from '../output.ts'
import { type Progress, showProgress } from '../progress.ts'
import { withServices } from '../with-services.ts'
import { unwritable, writeTo } from '../write-to.ts'

interface IsolationOptions extends CommonOptions {
  output: string
  report: boolean
}

export const proveIsolation = (options: IsolationOptions) =>
  withServices({ ...options, isBulk: true, isAlone: true }, async ({ config, services, engine, secretKey }) => {
    // Before the proof, which takes a minute.
    if (options.report) await prepareFolder(options.output)
    let progress: Progress | undefined
    const verification = await verifyIsolation({
      ...{ config, engine, secretKey },
      onProgress(done, total) {
        progress ??= showProgress('routes and tables', total)
        progress.at(done)
      },
    })
    progress?.end()
    const { database, signingKeys, issuer } = services
    const report = reportOf(verification, { issuer, database: { kind: kindOf(database), version: verification.version } })
    const files: string[] = []
    if (options.report) {
      await signingKeys.open()
      const signed = await signReport(signingKeys, report)
      const name = join(options.output, `isolation-${report.startedAt.replace(/\.\d+/, '').replaceAll(':', '-')}`)
      files.push(`${name}.json`, `${name}.html`)
      await writeTo(`${name}.json`, `${JSON.stringify(signed, null, 2)}\n`)
      await writeTo(`${name}.html`, isolationPage(signed))
    }
    show(options, { ...report, files }, textOf(report, files))
    if (report.result !== 'isolated') process.exitCode = 1
  })

/** @throws CommandFailure for a folder that no report can be written to */
async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
    .then(() => access(folder, constants.W_OK))
    .catch((error: unknown) => {
      throw unwritable(folder, error)
    })
}

function textOf({ iss, product, release, database, tried, leaks, brokenOff, seconds }: IsolationReport, files: readonly string[]): string {
  const rows: [number, string][] = [
    [
      tried.requests,
      `requests: ${formatNumber(tried.routes)} routes with the other's ids in ${formatNumber(tried.places)} places, by ${tried.callers.join(', ')}`,
    ],
    [tried.comparisons, 'requests to compare their answers with'],
    [tried.tables, `tables read without a filter, ${formatNumber(tried.rows)} rows seen`],
    [tried.writes, 'writes tried below the application'],
    [leaks.length, leaks.length === 1 ? 'leak' : 'leaks'],
  ]
  const width = Math.max(...rows.map(([number]) => formatNumber(number).length))
  return [
    `Isolation of organisations on ${iss}: ${product} ${release}, ${database.kind} ${database.version}, ${seconds} s`,
    '',
    ...rows.map(([number, what]) => `  ${formatNumber(number).padStart(width)}  ${what}`),
    ...(leaks.length > 0 ? ['', ...leaks.map(({ where, what }) => `LEAK  ${where}: ${what}`)] : []),
    ...(brokenOff === undefined ? [] : ['', `The proof was broken off: ${brokenOff}`]),
    ...(files.length > 0 ? ['', `Signed report: ${files.join(' and ')}`] : []),
  ].join('\n')
}

const kindOf = ({ isEmbedded }: Database) => (isEmbedded ? 'embedded PostgreSQL' : 'PostgreSQL')
