import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { SignedInUser } from '../support/given.ts'
import { picture } from '../support/pictures.ts'
import { useService } from '../support/service.ts'

const service = useService()
const path = '/v1/admin/organisation/logo'

describe('the logo of an organisation', () => {
  it('is stored, named in the branding, and served from this service by what it holds', async () => {
    const { given, anonymous } = service()
    const { owner } = await given.organisation()
    await owner.patch('/v1/admin/organisation', { branding: { primaryColor: '#0a7cff' } })
    const content = picture()
    const hash = createHash('sha256').update(Buffer.from(content, 'base64')).digest('hex')
    const logoUrl = `${service().services.publicUrl}/branding/${hash}.png`
    expect(await owner.post(path, { content })).toMatchObject({ status: 200, body: { branding: { primaryColor: '#0a7cff', logoUrl } } })
    const { body: audit } = await owner.get('/v1/admin/audit-logs?action=organisation.updated&limit=1')
    expect(audit.data[0].changes.branding.to).toEqual({ primaryColor: '#0a7cff', logoUrl })

    const served = await fetch(`${anonymous.origin}/branding/${hash}.png`)
    expect(served.status).toBe(200)
    expect(Object.fromEntries(served.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(Buffer.from(await served.arrayBuffer()).toString('base64')).toBe(content)
    for (const wrong of [`${hash}.jpg.png`, `${hash.replace(/^./, 'x')}.png`, `${'0'.repeat(64)}.png`, '..%2f..%2fetc'])
      expect(await anonymous.get(`/branding/${wrong}`)).toMatchObject({ status: 404 })
  })

  it('is replaced by the next one, and removed with its address', async () => {
    const { given, anonymous } = service()
    const { owner } = await given.organisation()
    const [first, second] = [picture({ grey: 1 }), picture({ grey: 2 })]
    const addressOf = async (content: string) => new URL((await owner.post(path, { content })).body.branding.logoUrl).pathname
    const former = await addressOf(first)
    const latest = await addressOf(second)
    expect(await anonymous.get(former)).toMatchObject({ status: 404 })
    expect(await anonymous.get(latest)).toMatchObject({ status: 200 })
    const entries = async () => (await owner.audit({ action: 'organisation.updated' })).length
    const before = await entries()
    expect(await addressOf(second)).toBe(latest)
    expect(await entries()).toBe(before)

    expect(await owner.delete(path)).toMatchObject({ status: 204 })
    expect(await anonymous.get(latest)).toMatchObject({ status: 404 })
    expect((await owner.get('/v1/admin/organisation')).body.branding.logoUrl).toBeNull()
    expect(await entries()).toBe(before + 1)
    expect(await owner.delete(path)).toMatchObject({ status: 204 })
    expect(await entries()).toBe(before + 1)
  })

  it('is of one organisation: another that has the same picture keeps its own', async () => {
    const { given, anonymous } = service()
    const [one, other] = [await given.organisation(), await given.organisation()]
    const content = picture({ grey: 7 })
    const { body } = await one.owner.post(path, { content })
    await other.owner.post(path, { content })
    await one.owner.delete(path)
    expect(await anonymous.get(new URL(body.branding.logoUrl).pathname)).toMatchObject({ status: 200 })
    expect((await other.owner.get('/v1/admin/organisation')).body.branding.logoUrl).toBe(body.branding.logoUrl)
  })

  it.each([
    ['a text', Buffer.from('no picture').toString('base64'), 'logo-not-readable'],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>').toString('base64'), 'logo-not-readable'],
    ['what only begins as a PNG', Buffer.from('89504e470d0a1a0a', 'hex').toString('base64'), 'logo-not-readable'],
    ['no side', picture({ width: 0 }), 'logo-not-readable'],
    ['more than 256 KiB', picture({ moreBytes: 256 * 1024 }), 'logo-too-large'],
    ['more than 2,048 pixels', picture({ width: 2_049, height: 1 }), 'logo-too-wide'],
    ['nothing', '', 'too-short'],
  ])('is refused with %s, naming the field', async (_, content, reason) => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { status, body } = await owner.post(path, { content })
    expect([status, body.errors[0].path]).toEqual([400, ['content']])
    if (reason !== 'too-short') expect(body.code).toBe(reason)
    expect((await owner.get('/v1/admin/organisation')).body.branding?.logoUrl ?? null).toBeNull()
  })

  it('is not replaced by those who may not', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const reader = await given.userWith(owner, ['organisation:read'])
    expect(await reader.post(path, { content: picture() })).toMatchObject({ status: 403 })
  })
})

/** Undoes the last change of the settings. */
async function undoLast(owner: SignedInUser, targetId: string) {
  const [entry] = await owner.audit({ action: 'organisation.updated', targetId, limit: 1 })
  return owner.post(`/v1/admin/audit-logs/${entry.id}/undo`)
}

describe('the address of an uploaded logo', () => {
  const secure = useService({ environment: { PUBLIC_URL: 'https://id.example.test' } })
  const path = '/v1/admin/organisation'

  it('is taken, and comes back by an undo, only while that logo is stored', async () => {
    const { owner, id } = await secure().given.organisation()
    const upload = async (grey: number) => (await owner.post(`${path}/logo`, { content: picture({ grey }) })).body.branding
    const first = await upload(1)
    const second = await upload(2)
    const gone = { status: 409, body: { code: 'undo-record-gone' } }

    expect(await undoLast(owner, id)).toMatchObject(gone)
    expect(await owner.patch(path, { branding: first })).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['branding', 'logoUrl'], reason: 'logo-not-stored' }] },
    })
    expect((await owner.patch(path, { branding: { ...second, primaryColor: '#0a7cff' } })).status).toBe(200)
    await owner.patch(path, { branding: { ...second, logoUrl: null } })
    expect(await undoLast(owner, id)).toMatchObject({ status: 200 })
    expect((await owner.get(path)).body.branding.logoUrl).toBe(second.logoUrl)
    await owner.delete(`${path}/logo`)
    expect(await undoLast(owner, id)).toMatchObject(gone)
    expect((await owner.get(path)).body.branding.logoUrl).toBeNull()
  })
})
