import type { Phrased } from '../../../shared/checks/phrases.ts'
import type { Origin } from '../../activity/actor.ts'
import { type DiagnosisStore, storeRefusal } from '../../oauth/protocol/diagnostics.ts'
import type { StoredCheck } from '../../platform/database/column-types.ts'
import type { Problem } from '../../platform/http/problem.ts'
import { storableText } from '../../platform/text.ts'
import type { Check } from '../upstream/checks.ts'
import type { ConnectionToUse } from './queries.ts'

/**
 * Stores the reason why a sign-in or token of an identity provider was refused, or the result of a test, with every check.
 *
 * @returns the reference by which an administrator finds it; undefined when nothing was stored
 */
export async function storeChecks(
  dependencies: DiagnosisStore,
  { ipAddress, signInId }: Origin,
  {
    endpoint = 'federation',
    connection,
    checks,
    refusal,
  }: {
    endpoint?: 'federation' | 'federation_test'
    connection: ConnectionToUse
    checks: readonly Check[]
    refusal: Pick<Problem, 'code' | 'detail'>
  },
): Promise<string | undefined> {
  const { id, organisationId } = connection
  const failed = checks.find(({ passed }) => !passed)
  return storeRefusal(dependencies, ipAddress ?? '', {
    endpoint,
    error: refusal.code,
    description: refusal.detail,
    check: { name: failed?.name ?? 'sign-in', expected: failed?.expected, received: failed?.received },
    client: undefined,
    parameters: undefined,
    signInId,
    connection: { id, organisationId, checks: checks.map(storableCheck) },
  })
}

const textMax = 500
const storableCheck = ({ code, name, expected, received, phrases, passed }: Check): StoredCheck => ({
  code,
  name,
  expected: storableText(expected, textMax),
  received: storableText(received, textMax),
  phrases: { expected: storablePhrase(phrases.expected), received: storablePhrase(phrases.received) },
  passed,
})

const storablePhrase = (phrased: Phrased | null) =>
  phrased && { phrase: phrased.phrase, values: phrased.values.map((value) => storableText(value, textMax)) }
