import { readJwt } from '../../oauth/protocol/signed-by-client.ts'
import { isPlainText } from '../../platform/text.ts'
import { clientIdMax } from './inspection-schemas.ts'

/** The client that an assertion is of, by its own words. */
export function clientNamedBy(assertion: string): string | undefined {
  const named = readJwt(assertion)?.claims.client_id
  return typeof named === 'string' && named !== '' && named.length <= clientIdMax && isPlainText(named) ? named : undefined
}
