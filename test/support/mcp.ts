import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import type { OAuthClientInformationMixed, OAuthClientMetadata, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import type { SignedInUser } from './given.ts'
import { callbackOf, decideConsent } from './oauth.ts'

const redirectUri = 'http://127.0.0.1:49152/callback'

/** What an agent has stored, and a user in whose browser it signs in. It is all that the client of MCP leaves to its application. */
export class Agent implements OAuthClientProvider {
  readonly redirectUrl = redirectUri
  readonly clientMetadata: OAuthClientMetadata
  readonly clientMetadataUrl?: string
  /** The authorization requests that it has sent the browser to. */
  readonly asked: URL[] = []
  readonly #user: SignedInUser
  readonly #asksToStay: boolean
  #information: OAuthClientInformationMixed | undefined
  #tokens: OAuthTokens | undefined
  #verifier = ''

  constructor(
    user: SignedInUser,
    {
      clientId,
      clientMetadataUrl,
      grantTypes = ['authorization_code', 'refresh_token'],
      asksToStay = false,
    }: { clientId?: string; clientMetadataUrl?: string; grantTypes?: string[]; asksToStay?: boolean } = {},
  ) {
    this.#user = user
    this.#asksToStay = asksToStay
    this.#information = clientId === undefined ? undefined : { client_id: clientId }
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl
    this.clientMetadata = {
      client_name: 'Agent',
      redirect_uris: [redirectUri],
      grant_types: grantTypes,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
  }

  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.#information
  }

  saveClientInformation(information: OAuthClientInformationMixed): void {
    this.#information = information
  }

  tokens(): OAuthTokens | undefined {
    return this.#tokens
  }

  saveTokens(tokens: OAuthTokens): void {
    this.#tokens = tokens
  }

  codeVerifier(): string {
    return this.#verifier
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }

  redirectToAuthorization(url: URL): void {
    if (this.#asksToStay) url.searchParams.set('scope', `${url.searchParams.get('scope')} offline_access`)
    this.asked.push(url)
  }

  /** What the user's browser brings back from the last authorization request. */
  async callback(): Promise<URLSearchParams> {
    return (await signInAt(this.#user, this.asked.at(-1) ?? new URL('about:blank'))).searchParams
  }
}

/** Opens an authorization request in the user's browser, and allows what it is asked. @returns the address of the callback, with the code */
export async function signInAt(user: SignedInUser, { pathname, search }: URL): Promise<URL> {
  let answer = await user.get(pathname + search)
  const next = new URL(answer.headers.get('location') ?? '', user.origin)
  if (next.pathname === '/oauth2/consent')
    answer = await user.get(await decideConsent(user, next.searchParams.get('request') ?? '', 'allow'))
  if (!callbackOf(answer).has('code')) throw new Error(`No code came back: ${answer.status} ${next} ${JSON.stringify(answer.body)}`)
  return new URL(answer.headers.get('location') ?? '')
}
