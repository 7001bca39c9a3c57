import { describe, expect, it } from 'vitest'
import { type Arrival, arrive } from './arrive.ts'
import type { ExportedTable } from './tables.ts'
import { createTodos } from './todo.ts'

const credential = { name: 'Deployment', issuer: 'https://ci.acme.test', subject: 'repo:acme/app:main', claims: {} }
const row = { id: 'x', name: 'Jobs', deletedAt: null, federatedCredentials: [credential] }

function arrived(name: string, fields: object, isTrusted = true) {
  const todos = createTodos()
  const of = arrive({ name, columns: [] } as unknown as ExportedTable, { ...row, ...fields }, {}, {
    todos,
    isTrusted,
  } as unknown as Arrival)
  return { row: of, todos: JSON.stringify(todos.list()) }
}

describe('a row with federated credentials that is imported', () => {
  it('leaves them behind, and says so', () => {
    for (const table of ['clients', 'api_keys']) {
      const { row: left, todos } = arrived(table, { tokenEndpointAuthMethod: 'client_secret_basic', secretHash: 'hash' })
      expect(left).toMatchObject({ name: 'Jobs', secretHash: 'hash', federatedCredentials: null })
      expect(todos).toContain('take no tokens of platforms here')
    }
  })

  it('is a client with a secret that is shown nowhere, if it had no other way to authenticate', () => {
    const { row: left } = arrived('clients', { tokenEndpointAuthMethod: 'private_key_jwt', jwks: null, jwksUri: null, secretHash: null })
    expect(left).toMatchObject({ tokenEndpointAuthMethod: 'client_secret_basic', secretHash: expect.stringMatching(/^[\w-]{43}$/) })
    const keys = { keys: [{ kty: 'OKP' }] }
    const { row: keyed } = arrived('clients', { tokenEndpointAuthMethod: 'private_key_jwt', jwks: keys, jwksUri: null, secretHash: null })
    expect(keyed).toMatchObject({ tokenEndpointAuthMethod: 'private_key_jwt', jwks: keys, secretHash: null })
  })
})
