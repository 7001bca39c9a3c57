import { ofField, refusal } from '../platform/http/problem.ts'

export const blockedHostNotFound = refusal('blocked-client-host-not-found', 'not-found', 'Blocked host not found')
export const hostAlreadyBlocked = refusal('client-host-already-blocked', 'conflict', 'Host is already blocked', ofField('host'))
export const tooManyBlockedHosts = refusal('too-many-blocked-client-hosts', 'conflict', 'Too many hosts are blocked: 1000 at most')
