import { expect } from 'vitest'
import { type SignedInUser, unique } from './given.ts'
import type { TestService } from './service.ts'

/** An invitation that has been mailed, with the token of its link. */
export async function invite(service: TestService, owner: SignedInUser, fields: Record<string, unknown> = {}) {
  const role = fields.roleId ? undefined : await service.given.role(owner)
  const email = `invited-${unique()}@example.test`
  const sent = await owner.post('/v1/admin/invitations', { email, roleId: role?.id, ...fields })
  expect(sent).toMatchObject({ status: 201 })
  const { id, email: address, roleId } = sent.body as { id: string; email: string; roleId: string }
  return { id, email: address, roleId, token: await service.mailbox.tokenTo(address) }
}

/** Invites as many strangers as an organisation on trial may mail in a day. */
export async function mailAsMuchAsAllowed({ given }: TestService, owner: SignedInUser): Promise<void> {
  const { id: roleId } = await given.role(owner)
  const statuses = new Set<number>()
  while (!statuses.has(429)) {
    const invitations = Array.from({ length: 20 }, () =>
      owner.post('/v1/admin/invitations', { email: `invited-${unique()}@example.test`, roleId }),
    )
    for (const { status } of await Promise.all(invitations)) statuses.add(status)
  }
  expect(statuses).toEqual(new Set([201, 429]))
}

export const acceptance = (token: string, fields: Record<string, unknown> = {}) => ({
  token,
  firstName: 'Carol',
  lastName: 'Shaw',
  password: 'a long enough secret',
  ...fields,
})
