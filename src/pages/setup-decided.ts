import { type Html, html } from '../platform/http/html.ts'
import type { SetupLink } from '../setup-links/present-setup-link.ts'
import { connects } from '../setup-links/rules.ts'
import { details } from './error-page.ts'
import type { View } from './view.ts'

/** What the creator of a link has decided: its visitor sees it, and cannot change it. */
export function decidedBy({ texts: { setup } }: View, { purposes, settings }: Pick<SetupLink, 'purposes' | 'settings'>): Html | undefined {
  const { decided } = setup
  const { roleMappings, teamMappings, groupMappings } = settings
  const claims = [...roleMappings, ...teamMappings].map(({ claim, value }) => `${claim} = ${value}`)
  const groups = groupMappings.map(({ group }) => group.displayName ?? group.externalId ?? '')
  const entries = {
    ...(connects(purposes) && {
      [decided.provisioning]: decided.provisionings[settings.provisioning],
      [decided.linking]: decided.linkings[settings.linking ?? 'default'],
      ...(settings.allowedDomains?.length && { [decided.allowedDomains]: settings.allowedDomains.join(', ') }),
      ...(purposes.includes('domain') && { [decided.sso]: decided.ssos[settings.sso] }),
    }),
    ...(purposes.includes('scim') && {
      [decided.deletes]: decided.deletions[settings.deletes],
      [decided.groups]: decided.groupings[settings.groups],
    }),
    ...(claims.length + groups.length > 0 && { [decided.mappings]: [...new Set([...claims, ...groups])].join(', ') }),
  }
  if (Object.keys(entries).length === 0) return undefined
  return html`<h2>${decided.title}</h2><p class="lead">${decided.lead}</p>${details(entries)}`
}
