import { describe, expect, it } from 'vitest'
import { givenApplication } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const service = useService()

describe('an authorization', () => {
  it('stores neither codes, tokens nor responses in the clear', async () => {
    const app = await givenApplication(service(), { refreshTokenGraceSeconds: 60 })
    const { code, verifier } = await app.code({ scope: 'openid offline_access' })
    const { body: first } = await app.redeem(code, verifier)
    expect(await app.userInfo(first.access_token)).toMatchObject({ status: 200 })
    expect((await app.introspect(first.access_token)).body.active).toBe(true)
    const { body: second } = await app.refresh(first.refresh_token)
    const system = service().database.system()

    const stored = JSON.stringify(
      await Promise.all([
        system.selectFrom('authorizationCodes').selectAll().execute(),
        system.selectFrom('tokenFamilies').selectAll().execute(),
        system.selectFrom('refreshAnswers').selectAll().execute(),
        system.selectFrom('auditLogs').selectAll().execute(),
      ]),
    )

    // 256 bits are 43 characters of base64url. A refresh token consists of its family's part and its own.
    expect(code).toMatch(/^[\w-]{43}$/)
    expect(first.refresh_token).toMatch(/^rt_[\w-]{86}$/)
    const selector = first.refresh_token.slice(0, 'rt_'.length + 43)
    for (const secret of [selector, code, verifier, first.access_token, first.refresh_token, second.access_token, second.refresh_token]) {
      expect(stored).not.toContain(secret)
    }
    const log = service().logLines.join('\n')
    for (const secret of [code, verifier, first.access_token, first.refresh_token, app.secret ?? '']) expect(log).not.toContain(secret)
  })
})
