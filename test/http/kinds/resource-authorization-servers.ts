import { newResourceAuthorizationServer } from '../../support/resource-authorization-servers.ts'
import type { OrdinaryKind } from '../ordinary.ts'
import { client } from '../world.ts'

export const kind: OrdinaryKind = {
  name: 'resource_authorization_server',
  create: async (world) => newResourceAuthorizationServer(await client(world)),
  change: { name: 'Other books' },
  unique: { field: 'issuer', canChange: false },
}
