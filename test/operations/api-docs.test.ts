import { describe, expect, it } from 'vitest'
import { useService } from '../support/service.ts'

const service = useService({ environment: { API_DOCS: 'off' } })

describe('API_DOCS=off', () => {
  it('serves neither the page nor the description, but everything else', async () => {
    for (const path of ['/docs', '/docs/', '/docs/static/index.html', '/openapi.json'])
      expect([path, await service().anonymous.get(path)]).toMatchObject([path, { status: 404 }])
    const { owner } = await service().given.organisation()
    expect(await owner.get('/v1/admin/users')).toMatchObject({ status: 200 })
  })
})
