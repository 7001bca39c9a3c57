import { expect } from 'vitest'
import { type TestOrganisation, unique } from './given.ts'
import type { HttpClient } from './http-client.ts'
import { PageVisitor } from './page-visitor.ts'
import type { TestService } from './service.ts'

const path = '/v1/admin/setup-links'

export interface CreatedLink {
  id: string
  token: string
}

export async function createSetupLink(admin: HttpClient, fields: Record<string, unknown> = {}): Promise<CreatedLink> {
  const { status, body } = await admin.post(path, { name: `Customer ${unique()}`, purposes: ['domain'], ...fields })
  if (status !== 201) throw new Error(`A set-up link was refused: ${status} ${JSON.stringify(body)}`)
  return { id: body.id, token: body.url.split('#')[1] }
}

/** The record of a link as its administrators see it. */
export async function setupLinkOf({ owner }: Pick<TestOrganisation, 'owner'>, id: string) {
  const { body } = await owner.get(path)
  return body.data.find((link: { id: string }) => link.id === id)
}

/** A browser without a session that has opened a link. The clock moves on, since an address may ask 30 times a minute. */
export async function openLink(service: TestService, { token }: CreatedLink): Promise<PageVisitor> {
  service.clock.advance({ minutes: 2 })
  const visitor = new PageVisitor(service.origin)
  const opened = await visitor.submit('/setup', { token })
  expect([opened.status, opened.headers.get('location')]).toEqual([303, '/setup'])
  return visitor
}
