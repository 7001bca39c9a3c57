import type { SetupLink } from '../../api/setup-links.ts'
import { useNames } from '../../parts/use-names.ts'
import { connectionsTexts } from '../../texts/connections.ts'
import { directoriesTexts } from '../../texts/directories.ts'
import { setupLinksTexts as t } from '../../texts/setup-links.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Facts } from '../../ui/definition-list.tsx'

type Settings = SetupLink['settings']
type Fact = { term: string; value: string }

/** What the form does not ask for, as the service then decides it. */
export const unaskedSettings = { syncOn: 'creation', trustsMfa: false, emailChanges: 'verified_domains' } as const

/** What was decided for what a link makes, in words. */
export function DecidedSettings({ purposes, settings, activate }: Pick<SetupLink, 'purposes' | 'activate' | 'settings'>) {
  const { allowedDomains, emailTrust, mapping = {}, roleMappings, teamMappings, groupMappings } = settings
  const roles = useNames('roles', [...roleMappings.map(({ roleId }) => roleId), ...groupMappings.flatMap(({ roleIds }) => roleIds)])
  const teams = useNames('teams', [...teamMappings.map(({ teamId }) => teamId), ...groupMappings.flatMap(({ teamIds }) => teamIds)])
  const roleOf = (id: string) => roles.itemOf(id).label
  const teamOf = (id: string) => teams.itemOf(id).label

  const connects = purposes.includes('oidc') || purposes.includes('saml')
  const provisions = purposes.includes('scim')
  const fields = Object.entries(mapping) as [keyof typeof mapping, string | null][]
  const claims = fields.flatMap(([field, claim]) => (claim ? [`${connectionsTexts.fields[`mapping.${field}`]}: ${claim}`] : []))
  const { fields: ofConnection, choices } = connectionsTexts

  // Each setting stands here, so that none which carries trust is left out.
  const all: Record<keyof Settings, Fact | false> = {
    provisioning: connects && { term: t.provisioning, value: t.provisionings[settings.provisioning] },
    allowedDomains: connects && !!allowedDomains?.length && { term: t.allowedDomains, value: allowedDomains.join(', ') },
    linking: connects && { term: t.linking, value: t.linkings[settings.linking ?? 'default'] },
    emailTrust: connects && !!emailTrust && { term: ofConnection.emailTrust, value: choices['configuration.emailTrust'][emailTrust] },
    sso: connects && purposes.includes('domain') && { term: t.sso, value: t.ssos[settings.sso] },
    trustsMfa: connects && { term: ofConnection.trustsMfa, value: settings.trustsMfa ? shellTexts.yes : shellTexts.no },
    mapping: connects && claims.length > 0 && { term: connectionsTexts.claims, value: claims.join(', ') },
    roleMappings: connects &&
      roleMappings.length > 0 && {
        term: ofConnection.roleMappings,
        value: roleMappings.map(({ claim, value, roleId }) => `${claim}: ${value} → ${roleOf(roleId)}`).join(', '),
      },
    teamMappings: connects &&
      teamMappings.length > 0 && {
        term: ofConnection.teamMappings,
        value: teamMappings.map(({ claim, value, teamId }) => `${claim}: ${value} → ${teamOf(teamId)}`).join(', '),
      },
    syncOn: connects && { term: ofConnection.syncOn, value: choices.syncOn[settings.syncOn] },
    deletes: provisions && { term: t.deletes, value: t.deletions[settings.deletes] },
    emailChanges: provisions && {
      term: directoriesTexts.fields.emailChanges,
      value: directoriesTexts.choices.emailChanges[settings.emailChanges],
    },
    groups: provisions && { term: t.groups, value: t.groupings[settings.groups] },
    groupMappings: provisions &&
      groupMappings.length > 0 && {
        term: directoriesTexts.fields.groupMappings,
        value: groupMappings
          .map(({ group, roleIds, teamIds }) => `${nameOf(group)} → ${[...roleIds.map(roleOf), ...teamIds.map(teamOf)].join(' + ')}`)
          .join(', '),
      },
  }
  const facts = Object.values(all).filter((fact) => fact !== false)
  return <Facts items={[...facts, { term: t.activate, value: activate ? t.yes : t.no }]} />
}

const nameOf = (group: Settings['groupMappings'][number]['group']) => ('displayName' in group ? group.displayName : group.externalId) ?? ''
