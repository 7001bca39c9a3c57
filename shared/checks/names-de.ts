import { type ConnectionCheck, namesOfChecks } from './names.ts'

/** The names of checks in German. The names of parameters, claims and addresses are the same in every language. */
export const germanNames: Readonly<Record<ConnectionCheck, string>> = {
  ...namesOfChecks,
  discovery_issuer: 'Aussteller in Discovery',
  keys: 'Schlüssel',
  response_issuer: 'iss der Antwort',
  response: 'Antwort',
  token_endpoint: 'Token-Endpunkt',
  signature: 'Signatur',
  user_info_subject: 'sub aus UserInfo',
  subject: 'Kennung',
  hosted_domain: 'Workspace-Domain',
  tenant: 'Mandant',
  address: 'Adresse',
  groups: 'Gruppen',
  user: 'Benutzer',
  sub_or_sid: 'sub oder sid',
}
