/** Errors that several steps of the protocol make. */
import { type Said, say } from '../../../shared/checks/said.ts'
import type { CheckName } from './checks.ts'
import { AuthorizationPageError, type ConcernedClient, type FailedCheck, OAuthError } from './errors.ts'

export const organisationSuspended = () =>
  new OAuthError('access_denied', 'the organisation is suspended', {
    name: 'organisation',
    expected: say('active'),
    received: say('suspended'),
  })

export const notAllowed = () =>
  new OAuthError('access_denied', 'the user did not allow it', { name: 'consent', expected: 'allow', received: 'cancel' })

/** @param expected what the browser names, and what is not there any more */
export const requestOver = (name: CheckName, expected: Said) =>
  new AuthorizationPageError('request-expired', 'It was completed already, or took too long. Go back to the application and start again.', {
    name,
    expected,
    received: say('none'),
  })

export const unknownClient = (check: FailedCheck, client?: ConcernedClient) =>
  new AuthorizationPageError('unknown-client', 'The client_id is missing, unknown or has been revoked.', check, client)
