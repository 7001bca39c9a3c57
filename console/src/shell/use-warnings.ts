import { useStatistics } from '../api/statistics.ts'
import { shellTexts as t } from '../texts/shell.ts'

/** Short warnings next to entries of the navigation, by path. */
export function useWarnings(): Record<string, string> {
  const { invitations, apiKeys, webhooks } = useStatistics() ?? {}
  return {
    ...(invitations?.expired && { '/invitations': t.expiredCount(invitations.expired) }),
    ...(apiKeys?.expiringIn30Days && { '/api-keys': t.expiringCount(apiKeys.expiringIn30Days) }),
    ...(webhooks?.failing && { '/webhooks': t.failingCount(webhooks.failing) }),
  }
}
