import { answerOf, api } from '../../api/client.ts'
import type { components } from '../../api/schema.d.ts'

export type PermissionCheck = components['schemas']['PermissionCheck']

/** Checks the permission of several users in one request, at most 100. */
export async function checkPermission(checks: { userId: string; permission: string }[], signal: AbortSignal): Promise<PermissionCheck[]> {
  const answer = await answerOf(api.POST('/v1/admin/permission-checks', { body: { checks }, signal }))
  return 'data' in answer ? answer.data : [answer]
}
