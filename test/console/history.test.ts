import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { undoChanges } from '../../console/src/parts/time-travel.ts'
import { useConsole } from '../support/console.ts'
import type { Given, SignedInUser } from '../support/given.ts'

const { service, openConsole } = useConsole()

interface RecordHistory {
  begin: (owner: SignedInUser, given: Given) => Promise<{ path: string; id: string }>
  /** What may be sent as one change. */
  changes: fc.Arbitrary<object>
}

const admin = '/v1/admin'
const changesOf = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> =>
  fc.record(fields, { requiredKeys: [] }) as fc.Arbitrary<object>
const word = fc.constantFrom('Anna', 'Dorothea', 'Küche 7')
const urls = fc.uniqueArray(fc.constantFrom('https://a.test/in', 'https://b.test/in', 'com.example.app:/in'), { minLength: 1 })
const created = async (owner: SignedInUser, path: string, body: object) => {
  const { id } = (await owner.post(`${admin}/${path}`, body)).body
  return { path: `${admin}/${path}/${id}`, id }
}

const histories: [string, RecordHistory][] = [
  [
    'a user',
    {
      begin: async (owner, given) => {
        const { id } = await given.user(owner, { firstName: 'Dora', lastName: 'Tanaka' })
        return { path: `${admin}/users/${id}`, id }
      },
      changes: fc.oneof(
        changesOf({ firstName: word, lastName: word, phone: fc.constantFrom('+442079460000', null) }),
        fc.constant({ blockedAt: '2026-01-31T09:30:00.000Z', blockedReason: 'Lost laptop' }),
        fc.constant({ blockedAt: null }),
      ),
    },
  ],
  [
    'a role',
    {
      begin: (owner) => created(owner, 'roles', { name: 'Support', slug: 'support', permissionIds: ['users:read'] }),
      changes: changesOf({
        name: word,
        description: fc.constantFrom('Help desk', ''),
        isDefault: fc.boolean(),
        permissionIds: fc.subarray(['users:read', 'users:update', 'teams:read']),
      }),
    },
  ],
  [
    'a team',
    {
      begin: (owner) => created(owner, 'teams', { name: 'Kitchen', slug: 'kitchen' }),
      changes: changesOf({ name: word, description: fc.constantFrom('Cooks', '') }),
    },
  ],
  [
    'an application',
    {
      begin: (owner) => created(owner, 'clients', { name: 'Portal', clientType: 'confidential', redirectUris: ['https://a.test/in'] }),
      changes: changesOf({
        name: word,
        description: fc.constantFrom('Orders', null),
        redirectUris: urls,
        scopes: fc.subarray(['orders:read', 'orders:write']),
        requireConsent: fc.boolean(),
        initiateLoginUri: fc.constantFrom('https://a.test/login', null),
        accessTokenLifetime: fc.constantFrom(600, null),
      }),
    },
  ],
  [
    'a webhook',
    {
      begin: (owner) => created(owner, 'webhooks', { url: 'https://a.test/hook', events: ['*'] }),
      changes: changesOf({
        url: fc.constantFrom('https://a.test/hook', 'https://b.test/hook'),
        events: fc.subarray(['user.created', 'user.deleted', '*'], { minLength: 1 }),
        variant: fc.constantFrom('A', 'B'),
        isActive: fc.boolean(),
      }),
    },
  ],
  [
    'the organisation',
    {
      begin: async (owner) => ({ path: `${admin}/organisation`, id: (await owner.get(`${admin}/organisation`)).body.id }),
      changes: changesOf({
        phone: fc.constantFrom('+442079460000', null),
        website: fc.constantFrom('https://a.test', null),
        allowedOrigins: fc.subarray(['https://a.test', 'https://b.test']),
        allowedCallbackUrls: urls,
        sessionLifetime: fc.constantFrom(3_600, 7_200),
        requireMfa: fc.boolean(),
        passwordPolicy: fc.constantFrom({ minLength: 12 }, { minLength: 10, requireNumbers: true }, null),
        branding: fc.constantFrom({ primaryColor: '#0a7cff' }, { logoUrl: 'https://a.test/logo.svg' }, null),
        metadata: fc.constantFrom({ plan: 'gold' }, {}),
      }),
    },
  ],
]

interface Restorable {
  begin: (owner: SignedInUser, given: Given) => Promise<{ path: string; page: string }>
  field: string
  /** Its next two values. */
  to: [string, string]
}

/** A record that the API and the console call by the same path, unless another page is given. */
const of =
  (kind: string, body: object, page = kind): Restorable['begin'] =>
  async (owner) => {
    const { path, id } = await created(owner, kind, body)
    return { path, page: `/console/${page}/${id}/history` }
  }

const restorable: [string, Restorable][] = [
  [
    'a user',
    {
      begin: async (owner, given) => {
        const { id } = await given.user(owner, { firstName: 'Dora' })
        return { path: `${admin}/users/${id}`, page: `/console/users/${id}/history` }
      },
      field: 'firstName',
      to: ['Dorothea', 'Doreen'],
    },
  ],
  ['a team', { begin: of('teams', { name: 'Kitchen', slug: 'kitchen' }), field: 'name', to: ['Küche', 'Canteen'] }],
  [
    'a role',
    { begin: of('roles', { name: 'Support', slug: 'support', permissionIds: [] }), field: 'name', to: ['Help desk', 'Front desk'] },
  ],
  [
    'an application',
    {
      begin: of('clients', { name: 'Portal', clientType: 'public', redirectUris: ['https://a.test/in'] }, 'applications'),
      field: 'name',
      to: ['Shop', 'Market'],
    },
  ],
  [
    'a webhook',
    {
      begin: of('webhooks', { url: 'https://a.test/hook', events: ['*'] }),
      field: 'url',
      to: ['https://b.test/hook', 'https://c.test/hook'],
    },
  ],
  [
    'a connection',
    {
      begin: of('connections', {
        name: 'Google',
        slug: 'google',
        provider: 'oidc',
        configuration: { issuer: 'https://login.northwind.test', clientId: 'gatehouse' },
        secret: 'a-secret-of-the-provider',
      }),
      field: 'name',
      to: ['Workspace', 'Mail'],
    },
  ],
  ['a directory', { begin: of('directories', { name: 'Okta', provider: 'okta' }), field: 'name', to: ['Staff', 'People'] }],
  [
    'an API',
    {
      begin: of('resource-servers', { name: 'Orders', identifier: 'https://api.orders.test/' }, 'resources'),
      field: 'name',
      to: ['Shipping', 'Billing'],
    },
  ],
  [
    'the organisation',
    {
      begin: async () => ({ path: `${admin}/organisation`, page: '/console/organisation/general' }),
      field: 'name',
      to: ['Acme Limited', 'Acme Incorporated'],
    },
  ],
]

interface Entry {
  changes: Record<string, { from?: unknown; to?: unknown }> | null
}

const entriesAbout = async (owner: SignedInUser, id: string): Promise<Entry[]> =>
  (await owner.get(`${admin}/audit-logs?targetId=${id}&limit=100`)).body.data

/** Without what each change sets by itself. */
const withoutTimes = ({ updatedAt: _, ...record }: Record<string, unknown>) => record

describe('the history of a record', () => {
  it.each(histories)('leads back to the record as it was, by the entries of the real API, whatever happened to %s', async (_, history) => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { path, id } = await history.begin(owner, given)
    const untouched = (await owner.get(path)).body
    const since = (await entriesAbout(owner, id)).length
    await fc.assert(
      fc.asyncProperty(fc.array(history.changes, { minLength: 1, maxLength: 4 }), async (updates) => {
        for (const update of updates) expect(await owner.patch(path, update)).toMatchObject({ status: 200 })
        const now = (await owner.get(path)).body
        const entries = await entriesAbout(owner, id)
        const changes = entries.slice(0, entries.length - since).flatMap((entry) => (entry.changes ? [entry.changes] : []))
        expect(withoutTimes(undoChanges(now, changes))).toEqual(withoutTimes(untouched))
      }),
      { numRuns: 3 },
    )
  })

  it('shows what was different at a moment, and restores a field', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { id } = await given.user(owner, { firstName: 'Dora', lastName: 'Tanaka' })
    await owner.patch(`/v1/admin/users/${id}`, { firstName: 'Dorothea' })
    await owner.patch(`/v1/admin/users/${id}`, { lastName: 'Shaw' })
    const { page, faults } = await openConsole(owner, `/console/users/${id}/history`)

    await page.getByText('owner changed the user Dorothea Shaw').waitFor()
    await page.getByText('This is the record as it is now.').waitFor()
    const slider = page.getByRole('slider', { name: 'As of' })
    const then = page.getByRole('region', { name: /^Goes back through the changes/ })
    await slider.focus()
    await page.keyboard.press('ArrowLeft')
    await then.getByRole('row', { name: /^lastName Tanaka/ }).waitFor()
    await expect.poll(() => then.getByRole('row', { name: /^firstName Dora / }).count()).toBe(0)
    await page.keyboard.press('ArrowLeft')
    await then.getByRole('row', { name: /^firstName Dora / }).waitFor()
    const question = page.getByRole('alertdialog', { name: 'Restore firstName?' })
    await page.getByRole('button', { name: 'Restore firstName' }).click()
    await question.getByRole('row', { name: 'firstName Dorothea Dora' }).waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    expect((await owner.get(`/v1/admin/users/${id}`)).body).toMatchObject({ firstName: 'Dorothea' })
    await page.getByRole('button', { name: 'Restore firstName' }).click()
    await question.getByRole('button', { name: 'Restore firstName' }).click()
    await page.getByRole('heading', { level: 1, name: 'Dora Shaw' }).waitFor()
    await page.getByText('owner changed the user Dora Shaw').waitFor()

    expect((await owner.get(`/v1/admin/users/${id}`)).body).toMatchObject({ firstName: 'Dora', lastName: 'Shaw' })
    const { data } = (await owner.get(`/v1/admin/audit-logs?targetId=${id}&action=user.updated`)).body
    expect(data[0].changes.firstName).toEqual({ from: 'Dorothea', to: 'Dora' })
    expect(faults).toEqual([])
  })

  it('restores the address of a webhook and the name of the organisation', async () => {
    const { given } = service()
    const { owner, name } = await given.organisation()
    const { path, id } = await created(owner, 'webhooks', { url: 'https://a.test/hook', events: ['*'] })
    await owner.patch(path, { url: 'https://b.test/hook' })
    await owner.patch(`${admin}/organisation`, { name: `${name} Limited`, sessionLifetime: 7_200 })
    const { page, faults, goTo } = await openConsole(owner, `/console/webhooks/${id}/history`)
    const slider = page.getByRole('slider', { name: 'As of' })
    const then = page.getByRole('region', { name: /^Goes back through the changes/ })

    await slider.focus()
    await page.keyboard.press('ArrowLeft')
    await then.getByRole('row', { name: /^url https:\/\/a\.test\/hook/ }).waitFor()
    await page.getByRole('button', { name: 'Restore url' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Restore url' }).click()
    await page.getByRole('heading', { level: 1, name: 'a.test' }).waitFor()
    expect((await owner.get(path)).body).toMatchObject({ url: 'https://a.test/hook' })

    await goTo('/console/organisation/general')
    await slider.focus()
    await page.keyboard.press('ArrowLeft')
    await then.getByRole('row', { name: /^sessionLifetime/ }).waitFor()
    // It ends sessions, which the settings say before they are saved.
    expect(await page.getByRole('button', { name: 'Restore sessionLifetime' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Restore name' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Restore name' }).click()
    await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe(name)
    expect((await owner.get(`${admin}/organisation`)).body).toMatchObject({ name, sessionLifetime: 7_200 })
    expect(faults).toEqual([])
  })

  it.each(restorable)(
    'restores nothing over a change of %s that another user has made since it was shown',
    async (_, { begin, field, to }) => {
      const { given } = service()
      const { owner } = await given.organisation()
      const { path, page: address } = await begin(owner, given)
      const [second, third] = to.map((value) => ({ [field]: value })) as [object, object]
      expect(await owner.patch(path, second)).toMatchObject({ status: 200 })
      const { page, faults } = await openConsole(owner, address)
      await page.getByRole('slider', { name: 'As of' }).focus()
      await page.keyboard.press('ArrowLeft')
      await page.getByRole('button', { name: `Restore ${field}` }).click()
      const restore = page.getByRole('alertdialog', { name: `Restore ${field}?` }).getByRole('button', { name: `Restore ${field}` })
      await restore.waitFor()
      expect(await owner.patch(path, third)).toMatchObject({ status: 200 })
      await restore.click()
      await page.getByText('Another administrator has changed it meanwhile').first().waitFor()
      expect((await owner.get(path)).body).toMatchObject(third)
      // The page shows the record as it is now.
      const then = page.getByRole('region', { name: /^Goes back through the changes/ })
      await then.getByText(to[1], { exact: true }).waitFor()
      expect(faults.splice(0)).toEqual([expect.stringContaining('response: 412 PATCH')])
    },
  )

  it('offers nothing to restore to those who may not change the record, and speaks German', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { id } = await given.user(owner, { firstName: 'Dora', lastName: 'Tanaka' })
    await owner.patch(`/v1/admin/users/${id}`, { firstName: 'Dorothea' })
    const reader = await given.userWith(owner, ['users:read', 'audit:read'])
    const { page, faults } = await openConsole(reader, `/console/users/${id}/history`, { locale: 'de-DE' })
    await page.getByText('owner hat den Benutzer Dorothea Tanaka geändert').waitFor()
    await page.getByRole('slider', { name: 'Stand vom' }).focus()
    await page.keyboard.press('ArrowLeft')
    await page
      .getByRole('region', { name: /^Geht die Änderungen/ })
      .getByRole('row', { name: /^firstName Dora Dorothea/ })
      .waitFor()
    expect(await page.getByRole('button', { name: /wiederherstellen/ }).count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('is not asked for by those who may not read the audit log', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const reader = await given.userWith(owner, ['users:read'])
    const { page, faults } = await openConsole(reader, `/console/users/${owner.id}/history`)
    await page.getByRole('heading', { level: 1, name: 'owner' }).waitFor()
    expect(await page.getByRole('slider').count()).toBe(0)
    expect(faults).toEqual([])
  })
})
