import { describe, expect, it } from 'vitest'
import { createDirectory, loggedRequest } from '../support/directories.ts'
import { useService } from '../support/service.ts'

const service = useService()

async function logged() {
  const { owner, id: organisationId } = await service().given.organisation()
  const { id: directoryId } = await createDirectory(owner)
  const other = await createDirectory(owner)
  const log = (fields = {}, of = directoryId) => loggedRequest(service(), { organisationId, directoryId: of }, fields)
  const [read, created, refused] = [
    await log({ at: new Date('2026-01-01T10:00:00Z') }),
    await log({ method: 'POST', status: 201, at: new Date('2026-01-02T10:00:00Z') }),
    await log({ method: 'PATCH', status: 400, scimType: 'invalidPath', detail: 'No such attribute', at: new Date('2026-01-03T10:00:00Z') }),
  ]
  await log({}, other.id)
  const path = `/v1/admin/directories/${directoryId}/requests`
  const idsOf = async (query: string) => (await owner.get(`${path}?${query}`)).body.data.map(({ id }: { id: string }) => id)
  return { owner, path, idsOf, read, created, refused }
}

describe('the requests of a directory', () => {
  it('are listed newest first, page by page', async () => {
    const { owner, path, read, created, refused } = await logged()

    const { body: first } = await owner.get(`${path}?limit=2`)
    const { body: second } = await owner.get(`${path}?limit=2&cursor=${encodeURIComponent(first.nextCursor)}`)

    expect(first.data).toMatchObject([
      { id: refused, method: 'PATCH', path: '/Users', status: 400, scimType: 'invalidPath', detail: 'No such attribute' },
      { id: created, method: 'POST', status: 201, scimType: null, createdAt: '2026-01-02T10:00:00.000Z' },
    ])
    expect(second).toMatchObject({ data: [{ id: read }], nextCursor: null })
  })

  it('are found by outcome, method and time', async () => {
    const { idsOf, read, created, refused } = await logged()

    expect(await idsOf('outcome=refused')).toEqual([refused])
    expect(await idsOf('outcome=accepted')).toEqual([created, read])
    expect(await idsOf('method=POST')).toEqual([created])
    expect(await idsOf('since=2026-01-02T00:00:00Z')).toEqual([refused, created])
    expect(await idsOf('since=2026-01-02T00:00:00Z&outcome=accepted')).toEqual([created])
  })
})
