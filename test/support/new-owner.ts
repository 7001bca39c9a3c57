import { expect } from 'vitest'
import { unique } from './given.ts'
import type { TestService } from './service.ts'

/** Creates an organisation, whose owner gets a welcome mail. */
export async function newOwner({ operator }: Pick<TestService, 'operator'>, name = `Globex ${unique()}`): Promise<string> {
  const slug = `org-${unique()}`
  const ownerEmail = `owner@${slug}.test`
  const fields = { name, slug, email: `it@${slug}.test`, ownerEmail, ownerFirstName: 'Zoë', ownerLastName: 'Ünal' }
  expect(await operator.post('/v1/organisations', fields)).toMatchObject({ status: 201 })
  return ownerEmail
}
