import * as oauth from 'openid-client'

export interface CallerSettings {
  gatehouseUrl: string
  clientId: string
  clientSecret: string
  apiUrl: string
  /** Milliseconds since 1970. Tests have one that they move. */
  clock?: () => number
}

export interface Stock {
  organisation: string
  screws: number
}

/** A token that is about to end may have ended when it arrives. */
const reserveMilliseconds = 30_000

export function createCaller({ gatehouseUrl, clientId, clientSecret, apiUrl, clock = Date.now }: CallerSettings) {
  let issuer: oauth.Configuration | undefined
  let kept: { token: string; endsAt: number } | undefined

  async function token(): Promise<string> {
    if (kept && clock() < kept.endsAt - reserveMilliseconds) return kept.token
    // http is for this machine alone.
    const execute = gatehouseUrl.startsWith('https:') ? [] : [oauth.allowInsecureRequests]
    issuer ??= await oauth.discovery(new URL(gatehouseUrl), clientId, undefined, oauth.ClientSecretBasic(clientSecret), { execute })
    const { access_token, expires_in = 0 } = await oauth.clientCredentialsGrant(issuer, { scope: 'stock:read' })
    kept = { token: access_token, endsAt: clock() + expires_in * 1_000 }
    return access_token
  }

  const call = async () => fetch(`${apiUrl}/stock`, { headers: { authorization: `Bearer ${await token()}` } })

  return {
    /** @throws Error when the API or Gatehouse refuses it */
    async stock(): Promise<Stock> {
      let response = await call()
      if (response.status === 401) {
        // It was revoked, or the clocks differ: once more, with another one.
        kept = undefined
        response = await call()
      }
      if (!response.ok) throw new Error(`The API has responded with ${response.status}`)
      return (await response.json()) as Stock
    },
  }
}
