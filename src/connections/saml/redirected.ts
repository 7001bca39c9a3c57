import type { LogoutMessageReceived } from './check-logout.ts'

/**
 * A request that came by the Redirect binding. What its signature covers are three parameters as their sender has encoded them (Bindings
 * §3.4.4.1), so they are taken from the query as it came, each from its first place.
 *
 * @param query without the question mark
 */
export function redirectedRequestOf(query: string): LogoutMessageReceived {
  const parameters = new Map<string, string>()
  for (const pair of query.split('&')) {
    const [name = ''] = pair.split('=', 1)
    if (!parameters.has(name)) parameters.set(name, pair)
  }
  const parameterOf = (name: string) => decoded(parameters.get(name)?.slice(name.length + 1) ?? '')
  return {
    binding: 'redirect',
    message: parameterOf('SAMLRequest'),
    signed: ['SAMLRequest', 'RelayState', 'SigAlg'].flatMap((name) => parameters.get(name) ?? []).join('&'),
    algorithm: parameterOf('SigAlg'),
    signature: parameterOf('Signature'),
  }
}

/** What cannot be decoded is nothing. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return ''
  }
}
