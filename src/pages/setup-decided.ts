import { type Html, html } from '../platform/http/html.ts'
import type { SetupLink } from '../setup-links/present-setup-link.ts'
import { connects } from '../setup-links/rules.ts'
import type { SetupSettings } from '../setup-links/schemas.ts'
import { details } from './error-page.ts'
import type { View } from './view.ts'

/** The term of a setting and its value; false for one that the link has no use for. */
type Decided = false | readonly [term: string, value: string]

/**
 * What the creator of a link has decided: its visitor sees it, and cannot change it.
 *
 * @param names of roles and teams by their ids
 */
export function decidedBy(
  { texts: { setup } }: View,
  { purposes, settings }: Pick<SetupLink, 'purposes' | 'settings'>,
  names: ReadonlyMap<string, string>,
): Html | undefined {
  const { decided } = setup
  const [ofConnection, ofDirectory] = [connects(purposes), purposes.includes('scim')]
  const { allowedDomains, emailTrust, mapping = {}, roleMappings, teamMappings, groupMappings } = settings
  const claims = Object.entries(mapping).flatMap(([field, claim]) =>
    claim ? [`${decided.fields[field as keyof typeof mapping]}: ${claim}`] : [],
  )
  const named = (ids: readonly string[]) => ids.map((id) => names.get(id) ?? id).join(', ')
  const given = (mappings: readonly { claim: string; value: string }[], idOf: (at: number) => string) =>
    mappings.map(({ claim, value }, at) => `${claim} = ${value}: ${named([idOf(at)])}`).join('; ')

  // Each setting stands here, so that none which carries trust is left out.
  const all: Record<keyof SetupSettings, Decided> = {
    provisioning: ofConnection && [decided.provisioning, decided.provisionings[settings.provisioning]],
    allowedDomains: ofConnection && !!allowedDomains?.length && [decided.allowedDomains, allowedDomains.join(', ')],
    linking: ofConnection && [decided.linking, decided.linkings[settings.linking ?? 'default']],
    emailTrust: ofConnection && !!emailTrust && [decided.emailTrust, decided.emailTrusts[emailTrust]],
    sso: ofConnection && purposes.includes('domain') && [decided.sso, decided.ssos[settings.sso]],
    trustsMfa: ofConnection && [decided.trustsMfa, settings.trustsMfa ? decided.yes : decided.no],
    mapping: ofConnection && claims.length > 0 && [decided.mapping, claims.join('; ')],
    roleMappings: ofConnection &&
      roleMappings.length > 0 && [decided.roleMappings, given(roleMappings, (at) => roleMappings[at]?.roleId ?? '')],
    teamMappings: ofConnection &&
      teamMappings.length > 0 && [decided.teamMappings, given(teamMappings, (at) => teamMappings[at]?.teamId ?? '')],
    syncOn: ofConnection && [decided.syncOn, decided.syncs[settings.syncOn]],
    deletes: ofDirectory && [decided.deletes, decided.deletions[settings.deletes]],
    emailChanges: ofDirectory && [decided.emailChanges, decided.changes[settings.emailChanges]],
    groups: ofDirectory && [decided.groups, decided.groupings[settings.groups]],
    groupMappings: ofDirectory &&
      groupMappings.length > 0 && [
        decided.groupMappings,
        groupMappings
          .map(({ group, roleIds, teamIds }) => `${group.displayName ?? group.externalId}: ${named([...roleIds, ...teamIds])}`)
          .join('; '),
      ],
  }
  const entries = Object.values(all).filter((one) => one !== false)
  if (entries.length === 0) return undefined
  return html`<h2>${decided.title}</h2><p class="lead">${decided.lead}</p>${details(Object.fromEntries(entries))}`
}
