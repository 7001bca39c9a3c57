import { describe, expect, it } from 'vitest'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import { type Arrival, arrive } from './arrive.ts'
import type { Todos } from './todo.ts'

/** A PNG of one pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const arrival: Arrival = {
  addresses: { from: 'https://old.test', here: 'https://new.test' },
  keyring: {} as Keyring,
  permissionIds: new Map(),
  rpId: undefined,
  todos: { add: () => undefined } as unknown as Todos,
  isTrusted: true,
  seen: {},
}
const rowOf = (name: string, row: Record<string, unknown>) => arrive({ name, key: [], columns: [] }, row, {}, arrival)

describe('a logo that arrives with an organisation', () => {
  it('is served from here, and one from elsewhere still from there', () => {
    const file = `/branding/${'a'.repeat(64)}.png`
    const branding = (logoUrl: unknown) => rowOf('organisations', { branding: { logoUrl, primaryColor: '#000' } })?.branding
    expect(branding(`https://old.test${file}`)).toEqual({ logoUrl: `https://new.test${file}`, primaryColor: '#000' })
    for (const other of [`https://cdn.test${file}`, 'https://old.test/other.png', null])
      expect(branding(other)).toMatchObject({ logoUrl: other })
    expect(rowOf('organisations', { branding: null })).toEqual({ branding: null })
  })

  it('is named by what it holds, whatever the file says', () => {
    const row = rowOf('organisation_logos', { contentBase64: pixel, hash: 'b'.repeat(64), mediaType: 'text/html' })
    expect(row).toMatchObject({ hash: expect.not.stringMatching('bbb'), mediaType: 'image/png' })
  })
})
