import type { Check } from './check.ts'
import { addressChecks } from './check-address.ts'
import { automaticClientChecks } from './check-automatic-clients.ts'
import { configurationChecks } from './check-configuration.ts'
import { databaseChecks } from './check-database.ts'
import { directoryChecks } from './check-directories.ts'
import { federatedCredentialChecks } from './check-federated-credentials.ts'
import { keyChecks } from './check-keys.ts'
import { logoutChecks } from './check-logouts.ts'
import { mailChecks } from './check-mail.ts'
import { organisationChecks } from './check-organisations.ts'
import { setupLinkChecks } from './check-setup-links.ts'
import { storageChecks } from './check-storage.ts'
import { webhookChecks } from './check-webhooks.ts'

export const checks: readonly Check[] = [
  ...configurationChecks,
  ...addressChecks,
  ...databaseChecks,
  ...storageChecks,
  ...mailChecks,
  ...webhookChecks,
  ...logoutChecks,
  ...keyChecks,
  ...federatedCredentialChecks,
  ...organisationChecks,
  ...directoryChecks,
  ...automaticClientChecks,
  ...setupLinkChecks,
]
