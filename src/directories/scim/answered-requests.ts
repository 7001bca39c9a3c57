import { channel } from 'node:diagnostics_channel'
import type { ScimRequest } from './context.ts'

/** The diagnostics channel that reports each answered request of SCIM, as `{ resource, result }`. */
export const answeredRequestsChannel = 'gatehouse.directory-requests'
const answered = channel(answeredRequestsChannel)

export const requestedResources = ['users', 'groups', 'other'] as const
export const requestResults = [
  'accepted',
  'refused',
  /** By us: a defect, or too much to do. */
  'failed',
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
export const isRefusal = (status: number): boolean => status >= 400 && status !== 404 && status !== 412 && !isFailure(status)

/** What fails because of us says nothing of how the directory works. What is not offered (501) is refused. */
const isFailure = (status: number): boolean => status >= 500 && status !== 501

/** Reports a request without saying whose it was: the number of series does not grow with directories. */
export function reportAnswered({ path }: Pick<ScimRequest, 'path'>, status: number): void {
  const [, endpoint] = path.split('/')
  const resource = endpoint === 'Users' ? 'users' : endpoint === 'Groups' ? 'groups' : 'other'
  answered.publish({ resource, result: resultOf(status) } satisfies AnsweredDirectoryRequest)
}

function resultOf(status: number): AnsweredDirectoryRequest['result'] {
  if (status === 401) return 'unauthenticated'
  if (status === 429) return 'limited'
  if (isFailure(status)) return 'failed'
  return isRefusal(status) ? 'refused' : 'accepted'
}
