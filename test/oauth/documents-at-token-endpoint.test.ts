import { beforeEach, describe, expect, it } from 'vitest'
import { documentClient, extensions, forgetFetches, resourceForAll } from '../support/client-documents.ts'
import { pkce } from '../support/oauth.ts'
import { useReceiver } from '../support/receiver.ts'
import { useService } from '../support/service.ts'

const receiver = await useReceiver()
const service = useService({ environment: { OAUTH_EXTENSIONS: extensions }, outgoing: { ca: receiver.ca } })
beforeEach(() => forgetFetches(service(), receiver))
const agent = () => documentClient(service(), receiver)

describe('a client with a document is refused at the token endpoint', () => {
  const { verifier } = pkce()

  it.each<[string, Record<string, string>, string, string]>([
    ['without a grant', { code: 'unknown' }, 'invalid_request', 'grant_type is required'],
    ['without a code', { grant_type: 'authorization_code', code_verifier: verifier }, 'invalid_request', 'code is required'],
    ['with an empty code', { grant_type: 'authorization_code', code: '', code_verifier: verifier }, 'invalid_request', 'code is required'],
    ['without a refresh token', { grant_type: 'refresh_token' }, 'invalid_request', 'refresh_token is required'],
    ['with a code in its place', { grant_type: 'refresh_token', code: 'unknown' }, 'invalid_request', 'refresh_token is required'],
    ['for a grant that does not exist', { grant_type: 'password' }, 'unsupported_grant_type', 'the grant type is not supported'],
    ['for a grant without a user', { grant_type: 'client_credentials' }, 'unauthorized_client', 'may not use client_credentials'],
    ['with an unknown code', { grant_type: 'authorization_code', code: 'unknown' }, 'invalid_grant', 'has been issued to this client'],
    ['with an unknown refresh token', { grant_type: 'refresh_token', refresh_token: 'rt_x' }, 'invalid_grant', 'issued to this client'],
  ])('%s', async (_, form, error, description) => {
    const answer = await agent().token(form)
    expect(answer).toMatchObject({ status: 400, body: { error, error_description: expect.stringContaining(description) } })
  })

  it('with a refresh token beside an unknown code, since only the code is of the grant', async () => {
    const { owner, resource } = await resourceForAll(service())
    const client = agent()
    const { tokens } = await client.signIn(owner, resource)
    const form = { grant_type: 'authorization_code', code: 'unknown', refresh_token: tokens.refresh_token, code_verifier: verifier }
    const { status, body } = await client.token(form)
    expect([status, body.error_description]).toEqual([400, expect.stringContaining('nothing that was presented has been issued')])
    expect(await client.refresh(tokens.refresh_token)).toMatchObject({ status: 200 })
  })
})
