import type { Look } from './look-at.ts'

/**
 * What is offered to those who may make a call, beside what every user is offered who may read everything: by page and tab (`*`:
 * on each of its tabs), the name of each control (`…`: any text) with the calls of which one is enough.
 */
const offered: Record<string, Record<string, string[]>> = {
  '/users': {
    'Create user': ['POST /v1/admin/users'],
    'Select …': [
      'PATCH /v1/admin/users/{id}',
      'POST /v1/admin/users/{id}/roles',
      'POST /v1/admin/teams/{id}/members',
      'POST /v1/admin/users/{id}/password-reset',
      'DELETE /v1/admin/users/{id}/sessions',
      'DELETE /v1/admin/users/{id}',
    ],
  },
  '/users/$id*': {
    Block: ['PATCH /v1/admin/users/{id}'],
    'Send a link that sets the password': ['POST /v1/admin/users/{id}/password-reset'],
    'End all sessions': ['DELETE /v1/admin/users/{id}/sessions'],
    'Delete user': ['DELETE /v1/admin/users/{id}'],
  },
  '/users/$id': { 'a form': ['PATCH /v1/admin/users/{id}'] },
  '/users/$id/access': {
    'Give a role': ['POST /v1/admin/users/{id}/roles'],
    'Take away: Support': ['DELETE /v1/admin/users/{id}/roles'],
    'Add to a team': ['POST /v1/admin/teams/{id}/members'],
    'Take away: Customer care': ['DELETE /v1/admin/teams/{id}/members'],
  },
  '/users/$id/applications': { 'End access': ['DELETE /v1/admin/users/{id}/consents/{clientId}'] },
  '/users/$id/sessions': { End: ['DELETE /v1/admin/users/{id}/sessions/{sessionId}'] },
  '/users/$id/identities': { 'Unlink: …': ['DELETE /v1/admin/users/{id}/identities/{identityId}'] },
  '/users/$id/passkeys': { 'Delete …': ['DELETE /v1/admin/users/{id}/passkeys/{passkeyId}'] },
  '/invitations': {
    Invite: ['POST /v1/admin/invitations'],
    'Send again': ['POST /v1/admin/invitations/{id}/resend'],
    'Cancel the invitation': ['DELETE /v1/admin/invitations/{id}'],
  },
  '/roles': { 'Create role': ['POST /v1/admin/roles'] },
  '/roles/matrix': { '… for …': ['PATCH /v1/admin/roles/{id}'] },
  '/roles/$id*': {
    'Make default': ['PATCH /v1/admin/roles/{id}'],
    Duplicate: ['POST /v1/admin/roles'],
    'Delete role': ['DELETE /v1/admin/roles/{id}'],
  },
  '/roles/$id': { 'a form': ['PATCH /v1/admin/roles/{id}'] },
  '/teams': { 'Create team': ['POST /v1/admin/teams'] },
  '/teams/$id*': { 'Delete team': ['DELETE /v1/admin/teams/{id}'] },
  '/teams/$id': {
    'Add to the team': ['POST /v1/admin/teams/{id}/members'],
    'Remove …': ['DELETE /v1/admin/teams/{id}/members'],
    'Select …': ['DELETE /v1/admin/teams/{id}/members'],
  },
  '/teams/$id/settings': { 'a form': ['PATCH /v1/admin/teams/{id}'] },
  '/applications': {
    'Create application': ['POST /v1/admin/clients'],
    Revoke: ['POST /v1/admin/clients/{id}/revoke'],
    Activate: ['POST /v1/admin/clients/{id}/activate'],
    Delete: ['DELETE /v1/admin/clients/{id}'],
  },
  '/applications/registration-tokens': {
    'Create a registration token': ['POST /v1/admin/registration-tokens'],
    'End …': ['DELETE /v1/admin/registration-tokens/{id}'],
  },
  '/applications/new': { 'a form': ['POST /v1/admin/clients'], Applications: ['POST /v1/admin/clients'] },
  '/applications/$id*': { Revoke: ['POST /v1/admin/clients/{id}/revoke'], Delete: ['DELETE /v1/admin/clients/{id}'] },
  '/applications/$id/settings': { 'a form': ['PATCH /v1/admin/clients/{id}'] },
  '/applications/$id/security': {
    'a form': ['PATCH /v1/admin/clients/{id}'],
    'Make a key': ['PATCH /v1/admin/clients/{id}'],
    'Add workload': ['PATCH /v1/admin/clients/{id}'],
    'Apply the profile': ['PATCH /v1/admin/clients/{id}'],
    'Rotate the secret': ['POST /v1/admin/clients/{id}/rotate-secret'],
  },
  '/applications/$id/users': { 'End access': ['DELETE /v1/admin/users/{id}/consents/{clientId}'] },
  '/applications/$id/logout': { 'Send a test': ['POST /v1/admin/clients/{id}/logout-deliveries/test'] },
  '/applications/$id/claims': { 'a form': ['PATCH /v1/admin/clients/{id}'] },
  '/api-keys': { 'Create API key': ['POST /v1/admin/api-keys'], 'Delete …': ['DELETE /v1/admin/api-keys/{id}'] },
  '/webhooks': { 'Create webhook': ['POST /v1/admin/webhooks'] },
  '/webhooks/$id*': {
    Deactivate: ['PATCH /v1/admin/webhooks/{id}'],
    'Send test': ['POST /v1/admin/webhooks/{id}/test'],
    'Replay deliveries of a period': ['POST /v1/admin/webhooks/{id}/replay'],
    'Rotate the secret': ['POST /v1/admin/webhooks/{id}/rotate-secret'],
    Delete: ['DELETE /v1/admin/webhooks/{id}'],
  },
  '/webhooks/$id/settings': { 'a form': ['PATCH /v1/admin/webhooks/{id}'] },
  '/webhooks/$id/deliveries/$id': {
    Replay: ['POST /v1/admin/webhooks/{id}/deliveries/{deliveryId}/replay'],
    // It holds the signatures, by which a delivery is replayed.
    'Copy as curl': ['POST /v1/admin/webhooks/{id}/deliveries/{deliveryId}/replay'],
  },
  // It opens with the first event.
  '/events': {
    Endpoint: ['POST /v1/admin/webhooks/test'],
    'Send the example': ['POST /v1/admin/webhooks/test'],
  },
  '/events?event=user.created': {
    Endpoint: ['POST /v1/admin/webhooks/test'],
    'Send the example': ['POST /v1/admin/webhooks/test'],
  },
  '/diagnostics/$reference': { 'Add exactly this redirect URI': ['PATCH /v1/admin/clients/{id}'] },
  // No application and no key of the scene is old enough.
  '/unused': { 'Select …': ['DELETE /v1/admin/roles/{id}'] },
  '/connections': { 'Connect a provider': ['POST /v1/admin/connections'], 'Set-up links': ['POST /v1/admin/connections'] },
  '/connections/$id*': {
    'Switch off': ['PATCH /v1/admin/connections/{id}'],
    'Replace the secret': ['POST /v1/admin/connections/{id}/rotate-secret'],
    Remove: ['DELETE /v1/admin/connections/{id}'],
  },
  '/connections/$id': {
    'a form': ['PATCH /v1/admin/connections/{id}'],
    'Check the provider': ['POST /v1/admin/connections/{id}/refresh'],
  },
  '/connections/$id/accounts': { 'a form': ['PATCH /v1/admin/connections/{id}'] },
  '/directories': { 'Connect a directory': ['POST /v1/admin/directories'], 'Set-up links': ['POST /v1/admin/directories'] },
  '/directories/new': { 'a form': ['POST /v1/admin/directories'], Directories: ['POST /v1/admin/directories'] },
  '/directories/new?directory=$id': {
    'Create token': ['POST /v1/admin/directories/{id}/tokens'],
    'End the token …': ['DELETE /v1/admin/directories/{id}/tokens/{tokenId}'],
  },
  '/directories/$id*': {
    'Switch off': ['PATCH /v1/admin/directories/{id}'],
    Delete: ['DELETE /v1/admin/directories/{id}'],
  },
  '/directories/$id': {
    'Create token': ['POST /v1/admin/directories/{id}/tokens'],
    'End the token …': ['DELETE /v1/admin/directories/{id}/tokens/{tokenId}'],
  },
  '/directories/$id/requests': { 'Try a request': ['POST /v1/admin/directories/{id}/requests/try'] },
  '/directories/$id/groups': { 'a form': ['PATCH /v1/admin/directories/{id}'] },
  '/directories/$id/settings': { 'a form': ['PATCH /v1/admin/directories/{id}'] },
  '/resources': { 'Register an API': ['POST /v1/admin/resource-servers'], 'Add an MCP server': ['POST /v1/admin/resource-servers'] },
  '/resources/new-mcp-server': { 'a form': ['POST /v1/admin/resource-servers'], APIs: ['POST /v1/admin/resource-servers'] },
  '/resources/$id*': {
    'Switch off': ['PATCH /v1/admin/resource-servers/{id}'],
    Delete: ['DELETE /v1/admin/resource-servers/{id}'],
  },
  '/resources/$id': { 'a form': ['PATCH /v1/admin/resource-servers/{id}'] },
  '/resources/$id/scopes': { 'a form': ['PATCH /v1/admin/resource-servers/{id}'] },
  '/resources/$id/claims': {
    'a form': ['PATCH /v1/admin/resource-servers/{id}'],
  },
  '/resources/$id/applications': {
    'Allow …': ['PATCH /v1/admin/clients/{id}'],
    'Let it introspect: …': ['PATCH /v1/admin/resource-servers/{id}'],
  },
  '/other-apis': { 'Register a company': ['POST /v1/admin/resource-authorization-servers'] },
  '/other-apis/$id*': {
    'Switch off': ['PATCH /v1/admin/resource-authorization-servers/{id}'],
    Delete: ['DELETE /v1/admin/resource-authorization-servers/{id}'],
  },
  '/other-apis/$id': { 'a form': ['PATCH /v1/admin/resource-authorization-servers/{id}'] },
  '/other-apis/$id/grants': {
    'Allow an application': ['PATCH /v1/admin/resource-authorization-servers/{id}'],
    'Change what … may do': ['PATCH /v1/admin/resource-authorization-servers/{id}'],
    'Take it away from …': ['PATCH /v1/admin/resource-authorization-servers/{id}'],
  },
  '/setup-links': {
    'Create a set-up link': ['POST /v1/admin/domains', 'POST /v1/admin/connections', 'POST /v1/admin/directories'],
  },
  '/setup-links/$id': { 'End the link': ['DELETE /v1/admin/domains/{id}'], 'Copy the id': ['DELETE /v1/admin/domains/{id}'] },
  '/domains': { 'Add domain': ['POST /v1/admin/domains'], 'Set-up links': ['POST /v1/admin/domains'] },
  '/domains/$id': {
    'a form': ['PATCH /v1/admin/domains/{id}'],
    'Check now': ['POST /v1/admin/domains/{id}/verify'],
    Remove: ['DELETE /v1/admin/domains/{id}'],
  },
  '/organisation/general': { 'a form': ['PATCH /v1/admin/organisation'] },
  '/organisation/sign-in': { 'a form': ['PATCH /v1/admin/organisation'] },
  '/organisation/tokens': { 'a form': ['PATCH /v1/admin/organisation'] },
  '/organisation/urls': { 'a form': ['PATCH /v1/admin/organisation'] },
  '/organisation/branding': { 'a form': ['PATCH /v1/admin/organisation'] },
}

/** Calls other than GET that no control of the list makes. */
const elsewhere: Record<string, string> = {
  'PATCH /v1/admin/api-keys/{id}': 'is in the drawer of a key, which opens for all who may read it',
  'POST /v1/admin/clients/{id}/claims/preview': 'changes nothing',
  'POST /v1/admin/clients/{id}/logout-deliveries/{deliveryId}/replay': 'is beside a delivery that is open',
  'POST /v1/admin/connections/{id}/rotate-keys': 'takes a connection with private_key_jwt',
  'POST /v1/admin/connections/{id}/test': 'changes nothing',
  'POST /v1/admin/resource-servers/check-mcp-server': 'changes nothing',
  'POST /v1/admin/setup-links': 'takes the permissions of its purposes, and is in the list under their calls',
  'DELETE /v1/admin/setup-links/{id}': 'takes the permission of its purpose, and is in the list under the call of that',
  'POST /v1/admin/setup-links/{id}/activate': 'takes a link that is finished',
  'POST /v1/admin/blocked-client-hosts': 'takes an application with a document',
  'DELETE /v1/admin/blocked-client-hosts/{id}': 'takes a host that is blocked',
  'POST /v1/admin/audit-logs/{id}/undo': 'is offered to all who may read the entry: the permission is that of the change',
  'POST /v1/admin/permission-checks': 'changes nothing',
  'POST /v1/admin/sign-in-checks': 'changes nothing',
  'POST /v1/admin/assertion-checks': 'changes nothing',
  'POST /v1/admin/roles/{id}/impact': 'changes nothing',
  'POST /v1/admin/directories/{id}/impact': 'changes nothing',
  'POST /v1/admin/organisation/impact': 'changes nothing',
  'POST /v1/admin/organisation/transfer-ownership': 'takes the owner, and no permission',
  'DELETE /v1/admin/organisation': 'takes the owner beside its permission',
  'POST /v1/admin/organisation/logo': 'is in the form of the branding',
  'DELETE /v1/admin/organisation/logo': 'is there, and takes a logo that was uploaded',
  'DELETE /v1/admin/users/{id}/lock': 'takes a user who is locked',
  'POST /v1/admin/users/{id}/restore': 'takes users who are deleted',
}

/** All calls of the list. */
export const knownCalls: ReadonlySet<string> = new Set([
  ...Object.values(offered).flatMap((controls) => Object.values(controls).flat()),
  ...Object.keys(elsewhere),
])

/** What an address offers, and the calls of which one is enough for it. */
export function offeredAt(address: string): [control: string, calls: string[]][] {
  const path = address
    .replace('/console', '')
    .replaceAll(/[a-z]{2,4}_[0-9a-z]{26}/g, '$id')
    .replace(/\w{4}-\w{4}-\w{4}$/, '$reference')
  return Object.entries(offered).flatMap(([at, controls]) => {
    const isHere = at.endsWith('*') ? `${path}/`.startsWith(`${at.slice(0, -1)}/`) && !path.includes('/deliveries/') : at === path
    return isHere ? Object.entries(controls) : []
  })
}

/** Compares what a page shows, beside what it shows to others, with what it offers to those who may make some calls. */
export function compareControls({ address, controls }: Look, others: readonly string[], isOffered: (calls: string[]) => boolean) {
  const here = offeredAt(address)
  const known = here.map(([control]) => ({ control, pattern: new RegExp(`^${control.split('…').map(RegExp.escape).join('.*')}$`) }))
  const nameOf = (name: string) => known.find(({ pattern }) => pattern.test(name))?.control ?? name
  const shown = new Set(controls.filter((name) => !others.includes(name)).map(nameOf))
  const due = new Set(here.filter(([, calls]) => isOffered(calls)).map(([control]) => control))
  return { missing: [...due.difference(shown)], surplus: [...shown.difference(due)] }
}
