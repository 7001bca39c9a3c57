import { channel } from 'node:diagnostics_channel'
import type { ScimRequest } from './context.ts'

/** The diagnostics channel that reports each answered request of SCIM, as `{ resource, result }`. */
export const answeredRequestsChannel = 'gatehouse.directory-requests'
const answered = channel(answeredRequestsChannel)

export const requestedResources = ['users', 'groups', 'other'] as const
export const requestResults = [
  'accepted',
  'refused',
  /** Over the limit of the directory. */
  'limited',
  /** Without a valid token. */
  'unauthenticated',
] as const

export interface AnsweredDirectoryRequest {
  resource: (typeof requestedResources)[number]
  result: (typeof requestResults)[number]
}

/** Directories ask for what may not be there, or may have changed: that is no failure. */
export const isRefusal = (status: number): boolean => status >= 400 && status !== 404 && status !== 412

/** Reports a request without saying whose it was: the number of series does not grow with directories. */
export function reportAnswered({ path }: Pick<ScimRequest, 'path'>, status: number): void {
  const [, endpoint] = path.split('/')
  const resource = endpoint === 'Users' ? 'users' : endpoint === 'Groups' ? 'groups' : 'other'
  const result = status === 401 ? 'unauthenticated' : status === 429 ? 'limited' : isRefusal(status) ? 'refused' : 'accepted'
  answered.publish({ resource, result } satisfies AnsweredDirectoryRequest)
}
