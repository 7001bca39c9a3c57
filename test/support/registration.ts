import { expect } from 'vitest'
import type { TestOrganisation } from './given.ts'
import type { Answer, HttpClient } from './http-client.ts'

export const registerPath = '/oauth2/register'

export const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

export const newMetadata = (metadata: Record<string, unknown> = {}) => ({
  client_name: 'Preview',
  redirect_uris: ['https://preview.example.test/callback'],
  ...metadata,
})

/** Creates a registration token as an administrator would. */
export async function registrationToken({ owner }: TestOrganisation, allowed: Record<string, unknown> = {}) {
  const created = await owner.post('/v1/admin/registration-tokens', allowed)
  expect(created).toMatchObject({ status: 201 })
  return created.body as { id: string; token: string }
}

/** A client that registers itself, with its registration. */
export async function registered(http: HttpClient, token: string, metadata: Record<string, unknown> = {}) {
  const answer = await http.post(registerPath, newMetadata(metadata), bearer(token))
  expect(answer).toMatchObject({ status: 201 })
  const { registration_access_token: accessToken, client_id: id } = answer.body as Record<string, string>
  const path = `${registerPath}/${id}`
  const as = bearer(accessToken ?? '')
  return {
    id: id ?? '',
    body: answer.body,
    accessToken: accessToken ?? '',
    path,
    read: (): Promise<Answer> => http.get(path, as),
    replace: (body: unknown): Promise<Answer> => http.request('PUT', path, { body, ...as }),
    remove: (): Promise<Answer> => http.delete(path, undefined, as),
  }
}
