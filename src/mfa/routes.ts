import { z } from 'zod'
import { csrfTokenOf } from '../access/csrf.ts'
import { self } from '../access/declarations.ts'
import { proofOfFactor, startProof } from '../passkeys/options.ts'
import { StartedRequest } from '../passkeys/schemas.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { Message } from '../platform/http/fields.ts'
import { languageOf } from '../platform/language.ts'
import { type CookieSettings, setSessionCookie } from '../sessions/session-cookie.ts'
import { enableMfa } from './enable.ts'
import { verifyEnrolment } from './enrol.ts'
import * as refusals from './refusals.ts'
import { BackupCodes, Code, EnrolmentProof, EnrolmentRequest, MfaState, StartedEnrolment, VerifiedEnrolment } from './schemas.ts'
import { type MfaDependencies, sendCode } from './send-code.ts'
import { showFactors } from './show-factors.ts'
import { checkCode, disableMfa, replaceCodes } from './use-code.ts'

export const mfaRoutes = defineRoutes({ prefix: '/v1/me/mfa', refusals }, async (app, dependencies: MfaDependencies & CookieSettings) => {
  const { database, secureCookie } = dependencies
  // These routes are open to sessions that still have to enrol.
  const access = self({ duringMfaEnrolment: true })

  app.get(
    '/',
    {
      config: { access },
      schema: {
        operationId: 'getOwnMfa',
        summary: 'Get your second factors',
        description: 'The factors in use, and how many backup codes are left.',
        response: { 200: MfaState },
      },
    },
    async ({ caller }) => showFactors(database, caller),
  )

  app.post(
    '/enable',
    {
      config: { access, mails: true, refuses: ['too-many-requests'] },
      schema: {
        operationId: 'startMfaEnrolment',
        summary: 'Start enrolling a second factor',
        description:
          'The response depends on the method: the secret of an authenticator app, a code by SMS, or the options for a passkey. A second request with the code or the response of the passkey completes the enrolment.',
        body: EnrolmentRequest,
        response: { 200: StartedEnrolment },
      },
    },
    async (request) => enableMfa(dependencies, request.caller, request.body, languageOf(request)),
  )

  app.post(
    '/code',
    {
      config: { access, refuses: ['too-many-requests'] },
      schema: {
        operationId: 'sendMfaCode',
        summary: 'Send a code to your phone',
        description: 'For users with a phone as second factor, before an operation that takes a code.',
        response: { 202: Message },
      },
    },
    async ({ caller }, reply) => {
      await sendCode(dependencies, caller.organisationId, caller.session.userId)
      return reply.code(202).send({ message: 'A code has been sent' })
    },
  )

  app.post(
    '/passkey/options',
    {
      config: { access },
      schema: {
        operationId: 'startFactorChangeByPasskey',
        summary: 'Start changing your second factors with a passkey',
        description: 'If passkeys are your second factor, use one instead of a code in requests that change them.',
        response: { 200: StartedRequest },
      },
    },
    ({ caller: { organisationId, session } }) => startProof(dependencies, { organisationId, userId: session.userId }, proofOfFactor),
  )

  app.post(
    '/verify',
    {
      config: { access, mails: true, refuses: ['too-many-requests'] },
      schema: {
        operationId: 'completeMfaEnrolment',
        summary: 'Complete an enrolment with a code',
        description: 'For a passkey, complete it with the passkey.',
        body: EnrolmentProof,
        response: { 200: VerifiedEnrolment },
      },
    },
    async (request, reply) => {
      const { backupCodes, session } = await verifyEnrolment(dependencies, request.caller, request.body, languageOf(request))
      if (session) setSessionCookie(reply, session, secureCookie)
      return {
        message: 'MFA has been enabled',
        backupCodes,
        warning: 'Keep these backup codes in a safe place: they are not shown again',
        ...(session && { csrfToken: csrfTokenOf(dependencies.keyring, session.token) }),
      }
    },
  )

  app.post(
    '/check',
    {
      config: { access, mails: true, refuses: ['too-many-requests'] },
      schema: {
        operationId: 'checkMfaCode',
        summary: 'Check a code',
        description: 'Says whether it would be accepted now. The code is not used up.',
        body: Code,
        response: { 200: z.object({ valid: z.boolean().meta({ description: 'Whether the code is right' }) }) },
      },
    },
    async (request) => ({ valid: await checkCode(dependencies, request.caller, request.body.token, languageOf(request)) }),
  )

  app.post(
    '/disable',
    {
      config: { access, mails: true, refuses: ['too-many-requests'] },
      schema: {
        operationId: 'disableMfa',
        summary: 'Disable MFA',
        description:
          'Takes a proof by one of them. If the organisation requires a second factor, the next sign-in begins with enrolling another.',
        body: EnrolmentProof,
        response: { 200: Message },
      },
    },
    async (request) => {
      await disableMfa(dependencies, request.caller, request.body, languageOf(request))
      return { message: 'MFA has been disabled' }
    },
  )

  app.post(
    '/backup-codes',
    {
      config: { access, mails: true, refuses: ['too-many-requests'] },
      schema: {
        operationId: 'replaceBackupCodes',
        summary: 'Replace your backup codes',
        description: 'The former ones stop working.',
        body: EnrolmentProof,
        response: {
          200: z.object({ backupCodes: BackupCodes, message: z.string().meta({ description: 'What was done', example: 'Done' }) }),
        },
      },
    },
    async (request) => ({
      backupCodes: await replaceCodes(dependencies, request.caller, request.body, languageOf(request)),
      message: 'Backup codes have been replaced; the old ones no longer work',
    }),
  )
})
