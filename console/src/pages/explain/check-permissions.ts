import { answerOf, api } from '../../api/client.ts'
import type { components } from '../../api/schema.d.ts'

export type PermissionCheck = components['schemas']['PermissionCheck']

/** Asks about several people by one request, at most 100. */
export async function checkPermission(checks: { userId: string; permission: string }[], signal: AbortSignal): Promise<PermissionCheck[]> {
  const answer = await answerOf(api.POST('/v1/admin/permission-checks', { body: { checks }, signal }))
  return 'data' in answer ? answer.data : [answer]
}
