import { describe, expect, it } from 'vitest'
import { systemCaller } from '../../src/access/caller.ts'
import { transferOwnership } from '../../src/provisioning/transfer-ownership.ts'
import { createRole } from '../../src/roles/create-role.ts'
import { endSessionsOfUser } from '../../src/sessions/end-session.ts'
import { createTeam } from '../../src/teams/change-team.ts'
import { useService } from '../support/service.ts'

const service = useService()

describe("a program of the operator's", () => {
  it('calls the operations of administrators, without HTTP and with every permission, under its own name', async () => {
    const { id, owner } = await service().given.organisation()
    const { database } = service()
    const { body: permissions } = await owner.get('/v1/admin/permissions?limit=100')
    const permissionIds = permissions.data.map((permission: { id: string }) => permission.id)

    const caller = systemCaller(id, 'cli')
    const role = await createRole(database, caller, {
      name: 'Auditor',
      slug: 'auditor',
      description: '',
      isDefault: false,
      permissionIds,
    })
    const team = await createTeam(database, caller, { name: 'Sales', slug: 'sales', description: '' })
    const { body } = await owner.get('/v1/admin/audit-logs?actorId=cli')
    expect(body.data).toMatchObject([
      { action: 'team.created', actorType: 'system', actorName: null, ipAddress: null, targetId: team.id },
      { action: 'role.created', actorType: 'system', actorName: null, ipAddress: null, targetId: role.id },
    ])
  })

  it('has no session that could be the current one, and owns no organisation', async () => {
    const { id, owner } = await service().given.organisation()
    const { database, services } = service()
    const user = await service().given.userWith(owner, [])

    await expect(transferOwnership(services, systemCaller(id, 'cli'), user.id)).rejects.toMatchObject({ code: 'only-owner-transfers' })
    await endSessionsOfUser(database, systemCaller(id, 'cli'), user.id)
    expect(await user.get('/v1/me/profile')).toMatchObject({ status: 401 })
  })
})
