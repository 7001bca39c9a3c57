/** What the registration of an application tells of it. Every page of one needs this, and few need the code of the frameworks. */
import type { Kind } from './framework.ts'

/** The kind of a registered application, as far as its registration tells. */
export function kindOf({
  clientType,
  grantTypes,
  redirectUris,
  profile,
}: {
  clientType: 'confidential' | 'public'
  grantTypes: readonly string[]
  redirectUris: readonly string[]
  profile: 'fapi2' | null
}): Kind {
  if (profile === 'fapi2' && grantTypes.includes('authorization_code')) return 'highAssurance'
  if (!grantTypes.includes('authorization_code')) return 'service'
  if (clientType === 'confidential') return 'web'
  return redirectUris.some((uri) => /^https:|^http:\/\/localhost\b/.test(uri)) ? 'browser' : 'native'
}

export interface Registered {
  clientType: 'confidential' | 'public'
  grantTypes: readonly string[]
  tokenEndpointAuthMethod: string
}

/** How an application proves which one it is. */
export const proofOf = ({ tokenEndpointAuthMethod: method }: Pick<Registered, 'tokenEndpointAuthMethod'>) => {
  if (method === 'none') return 'nothing'
  if (method === 'private_key_jwt') return 'signature'
  return method.startsWith('client_secret_') ? 'secret' : 'certificate'
}

/** Whether its users sign in elsewhere, by a code that it shows. */
export const isDevice = ({ grantTypes }: Pick<Registered, 'grantTypes'>): boolean =>
  grantTypes.includes('urn:ietf:params:oauth:grant-type:device_code') &&
  !grantTypes.some((grant) => grant === 'authorization_code' || grant === 'client_credentials')
