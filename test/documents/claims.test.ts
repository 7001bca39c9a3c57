import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { callbackOf, claimsOf, givenApplication } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const service = useService({ environment: { OAUTH_EXTENSIONS: 'claims_parameter' } })
const page = await readFile('docs/claims.md', 'utf8')
const examples = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => JSON.parse(json))

describe('the examples of docs/claims.md', () => {
  it('are accepted, and their claims are in the tokens and in the preview', async () => {
    expect(examples).toHaveLength(4)
    const [user, client, , preview] = examples
    const app = await givenApplication(service())
    const { owner } = app.organisation
    const path = `/v1/admin/clients/${app.id}`
    expect(await owner.patch(`/v1/admin/users/${owner.id}`, user)).toMatchObject({ status: 200, body: user })
    expect(await owner.patch(path, client)).toMatchObject({ status: 200, body: client })

    const { access_token, id_token } = await app.signIn({ scope: preview.scope })

    expect(claimsOf(access_token)).toMatchObject({ department: 'Sales', cost_centre: '4711' })
    expect(claimsOf(id_token)).toMatchObject({ department: 'Sales' })
    expect((await app.userInfo(access_token)).body).toMatchObject({ teams: [] })
    expect((await app.introspect(access_token)).body).toMatchObject({ 'https://acme.test/region': 'emea' })
    const { status, body } = await owner.post(`${path}/claims/preview`, { ...preview, userId: owner.id })
    expect({ status, body }).toMatchObject({ status: 200, body: { accessToken: { department: 'Sales', cost_centre: '4711' } } })
    for (const name of Object.keys(body)) expect(page).toContain(`\`${name}\``)
  })

  it('are accepted as claims by their names, of which an essential acr has to be met', async () => {
    const { acr, ...idToken } = examples[2].id_token
    const app = await givenApplication(service(), { requirePkce: false })
    const ask = async (claims: object) => callbackOf(await app.authorize({ scope: 'openid', claims: JSON.stringify(claims) }))
    expect(acr.essential).toBe(true)
    expect((await ask(examples[2])).get('error')).toBe('unmet_authentication_requirements')
    expect((await ask({ ...examples[2], id_token: idToken })).has('code')).toBe(true)
  })
})
