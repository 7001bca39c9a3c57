import type { SetupLink } from '../../api/setup-links.ts'
import { setupLinksTexts as t } from '../../texts/setup-links.ts'

/** What was decided for what a link makes, in words. */
export function decidedSettings({ purposes, settings, activate }: SetupLink): { term: string; value: string }[] {
  const connects = purposes.includes('oidc') || purposes.includes('saml')
  const provisions = purposes.includes('scim')
  const mappings = settings.roleMappings.length + settings.teamMappings.length + settings.groupMappings.length
  return [
    ...(connects
      ? [
          { term: t.provisioning, value: t.provisionings[settings.provisioning] },
          { term: t.linking, value: t.linkings[settings.linking ?? 'default'] },
        ]
      : []),
    ...(connects && purposes.includes('domain') ? [{ term: t.sso, value: t.ssos[settings.sso] }] : []),
    ...(provisions
      ? [
          { term: t.deletes, value: t.deletions[settings.deletes] },
          { term: t.groups, value: t.groupings[settings.groups] },
        ]
      : []),
    ...(mappings > 0 ? [{ term: t.mappings, value: t.mappingCount(mappings) }] : []),
    { term: t.activate, value: activate ? t.yes : t.no },
  ]
}
