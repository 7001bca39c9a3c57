import type { SetupLink } from '../../api/setup-links.ts'
import { setupLinksTexts as t } from '../../texts/setup-links.ts'

/** What was decided for what a link makes, in words. */
export function decidedSettings({ purposes, settings, activate }: SetupLink): { term: string; value: string }[] {
  const connects = purposes.includes('oidc') || purposes.includes('saml')
  const provisions = purposes.includes('scim')
  const claims = [...settings.roleMappings, ...settings.teamMappings].map(({ claim, value }) => `${claim}: ${value}`)
  const groups = settings.groupMappings.map(({ group }) => ('displayName' in group ? group.displayName : group.externalId))
  const mapped = [...new Set([...claims, ...groups])]
  return [
    ...(connects
      ? [
          { term: t.provisioning, value: t.provisionings[settings.provisioning] },
          { term: t.linking, value: t.linkings[settings.linking ?? 'default'] },
          ...(settings.allowedDomains?.length ? [{ term: t.allowedDomains, value: settings.allowedDomains.join(', ') }] : []),
        ]
      : []),
    ...(connects && purposes.includes('domain') ? [{ term: t.sso, value: t.ssos[settings.sso] }] : []),
    ...(provisions
      ? [
          { term: t.deletes, value: t.deletions[settings.deletes] },
          { term: t.groups, value: t.groupings[settings.groups] },
        ]
      : []),
    ...(mapped.length > 0 ? [{ term: t.mappings, value: mapped.join(', ') }] : []),
    { term: t.activate, value: activate ? t.yes : t.no },
  ]
}
