import * as client from 'openid-client'
import { describe, expect, it } from 'vitest'
import { documentClient, extensions, resourceForAll } from '../support/client-documents.ts'
import { freePort } from '../support/free-port.ts'
import { decideConsent } from '../support/oauth.ts'
import { useReceiver } from '../support/receiver.ts'
import { useService } from '../support/service.ts'

const receiver = await useReceiver()
const port = await freePort()
const issuer = `http://127.0.0.1:${port}`
const service = useService({
  environment: { PORT: String(port), PUBLIC_URL: issuer, OAUTH_EXTENSIONS: extensions },
  outgoing: { ca: receiver.ca },
})

describe('openid-client with a client ID metadata document', () => {
  it('signs a user in without having been registered, refreshes, revokes, and is refused at a resource that is not for it', async () => {
    const { owner, resource } = await resourceForAll(service())
    const { resource: closed } = await resourceForAll(service(), { fields: { allowsAutomaticClients: false } })
    const agent = documentClient(service(), receiver, { redirect_uris: ['http://localhost/callback'] })
    const callback = 'http://localhost:49152/callback'
    const insecure = { execute: [client.allowInsecureRequests] }
    const config = await client.discovery(new URL(issuer), agent.id, { id_token_signed_response_alg: 'RS256' }, client.None(), insecure)
    expect(config.serverMetadata()).toMatchObject({ client_id_metadata_document_supported: true })

    const verifier = client.randomPKCECodeVerifier()
    const state = client.randomState()
    const parameters = {
      redirect_uri: callback,
      scope: 'openid orders:read',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
    }
    const pathOf = ({ pathname, search }: URL) => pathname + search
    const asked = await owner.get(pathOf(client.buildAuthorizationUrl(config, { ...parameters, resource: resource.identifier })))
    const reference = new URL(asked.headers.get('location') ?? '', issuer).searchParams.get('request') ?? ''
    const back = await owner.get(await decideConsent(owner, reference, 'allow'))
    const tokens = await client.authorizationCodeGrant(
      config,
      new URL(back.headers.get('location') ?? ''),
      { pkceCodeVerifier: verifier, expectedState: state, idTokenExpected: true },
      { resource: resource.identifier },
    )
    expect(tokens.claims()).toMatchObject({ sub: owner.id, aud: agent.id })

    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', { resource: resource.identifier })
    await client.tokenRevocation(config, refreshed.refresh_token ?? '')
    await expect(client.refreshTokenGrant(config, refreshed.refresh_token ?? '')).rejects.toMatchObject({ error: 'invalid_grant' })

    const refused = await owner.get(pathOf(client.buildAuthorizationUrl(config, { ...parameters, resource: closed.identifier })))
    await expect(
      client.authorizationCodeGrant(config, new URL(refused.headers.get('location') ?? ''), {
        pkceCodeVerifier: verifier,
        expectedState: state,
      }),
    ).rejects.toMatchObject({ error: 'invalid_target' })
  })
})
