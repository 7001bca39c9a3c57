import * as oauth from 'openid-client'

export interface Settings {
  gatehouseUrl: string
  clientId: string
  /** Shows the user where to go, and with which code. */
  show(code: { userCode: string; address: string; completeAddress: string }): void
}

export interface SignedIn {
  name: string
  accessToken: string
  /** Keep it where only this user reads it, such as in the key chain of the system. */
  refreshToken: string | undefined
}

/** @returns undefined when the user has denied it, or the code has expired */
export async function signIn({ gatehouseUrl, clientId, show }: Settings): Promise<SignedIn | undefined> {
  // http is for this machine alone.
  const execute = gatehouseUrl.startsWith('https:') ? [] : [oauth.allowInsecureRequests]
  const issuer = await oauth.discovery(new URL(gatehouseUrl), clientId, undefined, oauth.None(), { execute })
  const device = await oauth.initiateDeviceAuthorization(issuer, { scope: 'openid profile offline_access' })
  show({
    userCode: device.user_code,
    address: device.verification_uri,
    completeAddress: device.verification_uri_complete ?? device.verification_uri,
  })
  try {
    // It waits between its questions, and longer when it is told to.
    const tokens = await oauth.pollDeviceAuthorizationGrant(issuer, device)
    return { name: String(tokens.claims()?.name), accessToken: tokens.access_token, refreshToken: tokens.refresh_token }
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError && ['access_denied', 'expired_token'].includes(error.error)) return undefined
    throw error
  }
}
