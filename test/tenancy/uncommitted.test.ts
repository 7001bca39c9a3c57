import { describe, expect, it } from 'vitest'
import { createDatabase, type Database } from '../../src/platform/database/database.ts'
import { neverCommitted, type UncommittedEngine } from '../../src/platform/database/uncommitted.ts'
import { newId } from '../../src/platform/ids.ts'
import { useService } from '../support/service.ts'

const service = useService()

describe('a run that is never committed', () => {
  const rehearse = <T>(work: (database: Database, engine: UncommittedEngine) => Promise<T>) =>
    neverCommitted(service().engine, (engine) => work(createDatabase(engine, service().clock), engine))
  const addRole = (database: Database, organisationId: string, slug: string) => {
    const { now } = database.tenant(organisationId)
    const role = { id: newId('rol', now), name: slug, slug, createdAt: now, updatedAt: now }
    return database.transaction(organisationId, (tenant) => tenant.insertInto('roles').values(role).execute())
  }
  const slugsOf = async (database: Database, organisationId: string) =>
    (
      await database.tenant(organisationId).selectFrom('roles').select('slug').where('slug', 'like', 'added%').orderBy('slug').execute()
    ).map(({ slug }) => slug)

  it('sees what it has written, by the door of that organisation alone, and leaves nothing', async () => {
    const [{ id }, other] = await Promise.all([service().given.organisation(), service().given.organisation()])

    await rehearse(async (database) => {
      await addRole(database, id, 'added')
      expect(await slugsOf(database, id)).toEqual(['added'])
      expect(await slugsOf(database, other.id)).toEqual([])
      const [everywhere] = await database
        .system()
        .selectFrom('roles')
        .select('slug')
        .where('organisationId', '=', id)
        .where('slug', '=', 'added')
        .execute()
      expect(everywhere).toEqual({ slug: 'added' })
    })
    expect(await slugsOf(service().database, id)).toEqual([])
  })

  it('leaves nothing when it fails', async () => {
    const { id } = await service().given.organisation()
    const failing = rehearse(async (database) => {
      await addRole(database, id, 'added')
      throw new Error('in the middle')
    })
    await expect(failing).rejects.toThrow('in the middle')
    expect(await slugsOf(service().database, id)).toEqual([])
  })

  it('undoes a transaction that fails, and what was written since it was told to keep it', async () => {
    const { id } = await service().given.organisation()
    await rehearse(async (database, engine) => {
      await addRole(database, id, 'added-first')
      await engine.keep()
      await expect(addRole(database, id, 'added-first')).rejects.toThrow(/unique/)
      await addRole(database, id, 'added-second')
      expect(engine.hasWritten()).toBe(true)
      expect(await slugsOf(database, id)).toEqual(['added-first', 'added-second'])
      await engine.undo()
      expect(engine.hasWritten()).toBe(false)
      expect(await slugsOf(database, id)).toEqual(['added-first'])
    })
  })

  it('checks at the end of each transaction what a commit would', async () => {
    const [{ id }, other] = await Promise.all([service().given.organisation(), service().given.organisation()])
    const stranger = await service().given.user(other.owner)
    await rehearse(async (database) => {
      const takeOver = database.transaction(id, (tenant) => tenant.updateTable('organisations').set({ ownerId: stranger.id }).execute())
      await expect(takeOver).rejects.toThrow(/organisations_owner_fkey/)
    })
  })

  it('writes into no other organisation', async () => {
    const [{ id }, other] = await Promise.all([service().given.organisation(), service().given.organisation()])
    await rehearse(async (database) => {
      const { now } = database.tenant(id)
      const role = { id: newId('rol', now), organisationId: other.id, name: 'R', slug: 'added', createdAt: now, updatedAt: now }
      await expect(database.tenant(id).insertInto('roles').values(role).execute()).rejects.toThrow(/row-level security/)
      await addRole(database, other.id, 'added')
      expect(await slugsOf(database, id)).toEqual([])
    })
  })
})
