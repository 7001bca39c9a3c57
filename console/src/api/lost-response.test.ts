import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { outcomeOf } from './lost-response.ts'

beforeAll(() => void vi.useFakeTimers())
afterAll(() => void vi.useRealTimers())

/** Determines the outcome without the pauses between readings. */
async function found(...asked: Parameters<typeof outcomeOf>) {
  const outcome = outcomeOf(...asked)
  await vi.runAllTimersAsync()
  return outcome
}

const since = new Date('2026-11-24T12:00:00Z')
const before = '2026-11-24T11:59:00.000Z'
const after = '2026-11-24T12:00:01.000Z'
const path = '/v1/admin/teams/team_1'

/** Returns the responses of the service one after another, and repeats the last one. */
const answering =
  (...bodies: Record<string, unknown>[]) =>
  async () => ({ status: 200, body: bodies.length > 1 ? (bodies.shift() ?? {}) : (bodies[0] ?? {}) })

const change = { method: 'PATCH', path, body: { name: ' Europe ' }, since, profile: undefined }
const create = { method: 'POST', path: '/v1/admin/teams', body: { name: 'Europe' }, since, profile: undefined }

describe('a change whose response was lost', () => {
  it('was saved where the record holds what was sent', async () => {
    expect(await found(change, answering({ name: ' Europe ', updatedAt: after }))).toBe('response-lost-saved')
  })

  it('is not called unsaved where the record has changed since, and holds what was sent in another form', async () => {
    expect(await found(change, answering({ name: 'Europe', updatedAt: after }))).toBe('response-lost-unknown')
  })

  it('was not saved where the record is as it was', async () => {
    expect(await found(change, answering({ name: 'Asia', updatedAt: before }))).toBe('response-lost-not-saved')
  })

  it('that undoes an audit entry was saved where another entry names that one', async () => {
    const profile = { id: 'usr_1', permissions: ['audit:read'] } as never
    const undo = { method: 'POST', path: '/v1/admin/audit-logs/aud_1/undo', since, profile }
    expect(await found(undo, answering({ data: [{ metadata: { undoOf: 'aud_1' } }] }))).toBe('response-lost-saved')
    expect(await found(undo, answering({ data: [{ metadata: { undoOf: 'aud_2' } }, { metadata: null }] }))).toBe('response-lost-not-saved')
  })

  it('creates something that is stored in another form than it was sent: this is found, or nothing is said of it', async () => {
    const invite = { ...create, path: '/v1/admin/invitations', body: { email: ' Anna.Shaw@Acme.test' } }
    expect(await found(invite, answering({ data: [{ email: 'anna.shaw@acme.test', createdAt: after }] }))).toBe('response-lost-saved')
    const add = { ...create, path: '/v1/admin/domains', body: { domain: 'bücher.example' } }
    expect(await found(add, answering({ data: [{ domain: 'xn--bcher-kva.example', createdAt: after }] }))).toBe('response-lost-unknown')
    expect(await found(add, answering({ data: [{ domain: 'acme.example', createdAt: before }] }))).toBe('response-lost-not-saved')
  })

  it('ends all sessions of a user: the list of those that are left says nothing of it, the audit log does', async () => {
    const end = { method: 'DELETE', path: '/v1/admin/users/usr_1/sessions', since, profile: undefined }
    expect(await found(end, answering({ data: [] }))).toBe('response-lost-unknown')
    const profile = { id: 'usr_1', permissions: ['audit:read'] } as never
    expect(await found({ ...end, profile }, answering({ data: [{ metadata: null }] }))).toBe('response-lost-saved')
    const asked = { ...end, path: '/v1/admin/users/usr_1/consents/cli_1' }
    expect(await found(asked, async () => ({ status: 404, body: { code: 'no-such-address' } }))).toBe('response-lost-unknown')
  })

  it('is looked for once more, since the service may still be at it', async () => {
    const nothing = { data: [] }
    expect(await found(create, answering(nothing, { data: [{ name: 'Europe', createdAt: after }] }))).toBe('response-lost-saved')
    expect(await found(create, answering(nothing))).toBe('response-lost-not-saved')
  })
})
