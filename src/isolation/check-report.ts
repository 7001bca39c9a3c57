/** Checks whether a report is what an installation has signed, for the recipients of a report. */
import { isDeepStrictEqual } from 'node:util'
import { decodeProtectedHeader } from 'jose/decode/protected_header'
import { compactVerify } from 'jose/jws/compact/verify'
import { importJWK } from 'jose/key/import'
import packageJson from '../../package.json' with { type: 'json' }
import { parseJsonObject } from '../platform/json-object.ts'
import type { IsolationReport } from './report.ts'
import { isolationPage } from './report-page.ts'

class InvalidReport extends Error {}

/**
 * Checks a file that was written as JSON or HTML.
 *
 * @param keysOf reads the JWK set of an issuer
 * @throws InvalidReport
 */
export async function checkReport(
  text: string,
  keysOf: (issuer: string) => Promise<{ keys: { kid?: string }[] }>,
): Promise<{ report: IsolationReport; keyId: string }> {
  const isPage = text.trimStart().startsWith('<')
  const jws = isPage ? /<pre id="jws">([\w.-]+)<\/pre>/.exec(text)?.[1] : parseJsonObject(text)?.jws
  if (typeof jws !== 'string') throw new InvalidReport('It is not a report of `gatehouse verify isolation`')
  const report = payloadOf(jws)
  const { kid, typ } = decodeProtectedHeader(jws)
  if (typ !== 'isolation-report+jwt' || kid === undefined) throw new InvalidReport('It is signed as something else than a report')
  const { keys } = await keysOf(report.iss)
  const key = keys.find((one) => one.kid === kid)
  if (!key) throw new InvalidReport(`${report.iss} does not publish the key ${kid} that it names`)
  try {
    await compactVerify(jws, await importJWK(key, 'EdDSA'), { algorithms: ['EdDSA'] })
  } catch {
    throw new InvalidReport('The signature is wrong: it has been changed, or another installation has made it')
  }
  // The readable part must equal the signed part.
  const isSigned = isPage ? isolationPage({ report, jws }).trim() === text.trim() : isDeepStrictEqual(parseJsonObject(text)?.report, report)
  if (!isSigned && (!isPage || report.release === packageJson.version)) throw new InvalidReport('What it says is not what was signed')
  if (!isSigned) throw new InvalidReport(`Release ${report.release} has written this page: check it with that release, or check the JSON`)
  return { report, keyId: kid }
}

function payloadOf(jws: string): IsolationReport {
  try {
    return JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString())
  } catch {
    throw new InvalidReport('It is not a report of `gatehouse verify isolation`')
  }
}
