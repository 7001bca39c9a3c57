/** The report of a proof, for an operator to give to a customer, signed with the issuer's key. */
import packageJson from '../../package.json' with { type: 'json' }
import { signJwt } from '../tokens/jwt.ts'
import type { SigningKeys } from '../tokens/signing-keys.ts'
import { type Leak, sharedByDesign } from './attempts.ts'
import { callerNames } from './organisation.ts'
import type { Verification } from './verify.ts'

/** The signed contents. */
export interface IsolationReport {
  /** The issuer, whose published keys verify the report. */
  iss: string
  product: string
  release: string
  startedAt: string
  seconds: number
  database: { kind: 'PostgreSQL' | 'embedded PostgreSQL'; version: string }
  result: 'isolated' | 'leaks' | 'broken off'
  brokenOff?: string
  tried: {
    routes: number
    /** Places of routes that take the id of a record. */
    places: number
    callers: readonly string[]
    /** Requests that use something of the other organisation. */
    requests: number
    comparisons: number
    tables: number
    rows: number
    writes: number
  }
  areas: { name: string; routes: number; requests: number; leaks: number }[]
  leaks: Leak[]
  /** Requests whose response does not depend on whether a record exists, not even one's own: they prove less. */
  undecided: string[]
  /** Places that seem to take an id, of a kind that this release does not know. */
  unknownPlaces: string[]
  /** Responses that report a failure of the service. */
  failures: string[]
  /** Facts that anyone may learn without an account. */
  sharedByDesign: { where: string; because: string }[]
}

export function reportOf(
  { requests, rows, writes, leaks, ...run }: Verification,
  { issuer, database }: { issuer: string; database: IsolationReport['database'] },
): IsolationReport {
  return {
    iss: issuer,
    product: 'Gatehouse',
    release: packageJson.version,
    startedAt: run.startedAt.toISOString(),
    seconds: Math.round(run.seconds * 10) / 10,
    database,
    result: leaks.length > 0 ? 'leaks' : run.brokenOff === undefined ? 'isolated' : 'broken off',
    ...(run.brokenOff !== undefined && { brokenOff: run.brokenOff }),
    tried: {
      ...{
        routes: requests.routes,
        places: requests.places,
        callers: callerNames,
        requests: requests.attempts,
        comparisons: requests.comparisons,
      },
      ...{ tables: rows.tables, rows: rows.rows, writes: writes.writes },
    },
    areas: requests.areas,
    leaks,
    undecided: [...requests.undecided, ...writes.undecided],
    unknownPlaces: requests.unknown,
    failures: requests.failures,
    sharedByDesign: Object.entries(sharedByDesign).map(([where, { because }]) => ({ where, because })),
  }
}

/** A report with its signature, as it is written: the report to read, the JWS (RFC 7515 §3.1) to verify. */
export interface SignedReport {
  report: IsolationReport
  /** Its payload is the same report. */
  jws: string
}

/** Signs a report. Its type prevents it from being accepted as a token, and it has no audience, subject or expiry. */
export async function signReport(signingKeys: Pick<SigningKeys, 'signer'>, report: IsolationReport): Promise<SignedReport> {
  return { report, jws: await signJwt(await signingKeys.signer('EdDSA'), 'isolation-report+jwt', report) }
}
