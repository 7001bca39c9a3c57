/** /v1/auth: login, csrf, logout */
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { originOf } from '../access/caller.ts'
import { csrfTokenOf } from '../access/csrf.ts'
import { publicAccess, self, session } from '../access/declarations.ts'
import { sessionTokenOf } from '../access/session-token.ts'
import { requiredConnection, requiredConnectionOrCode } from '../domains/schemas.ts'
import { EmailCodeProof, EmailCodeRequest, StartedEmailCode } from '../email-codes/schemas.ts'
import { startSignIn } from '../passkeys/options.ts'
import { PasskeyProof, StartedRequest } from '../passkeys/schemas.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { Message } from '../platform/http/fields.ts'
import { languageOf } from '../platform/language.ts'
import { type CookieSettings, clearSessionCookie, setSessionCookie } from '../sessions/session-cookie.ts'
import { signOut } from '../sessions/sign-out.ts'
import { askForEmailCode } from './ask-for-email-code.ts'
import { completeSignIn, sendSignInCode, startSecondFactor } from './complete-sign-in.ts'
import type { SignInOutcome } from './outcome.ts'
import { presentOutcome } from './present-outcome.ts'
import {
  Credentials,
  CsrfToken,
  expiredPassword,
  SecondFactor,
  SecondFactorOptions,
  SignedIn,
  StartedSignIn,
  unknownPasskey,
} from './schemas.ts'
import { type SignInDependencies, signIn } from './sign-in.ts'
import { signInByEmailCode } from './sign-in-by-email-code.ts'
import { signInByPasskey } from './sign-in-by-passkey.ts'

export const signInRoutes = defineRoutes('/v1/auth', async (app, dependencies: SignInDependencies & CookieSettings) => {
  const { database, keyring, secureCookie } = dependencies

  const answer = (reply: FastifyReply, outcome: SignInOutcome): SignedIn => {
    const presented = presentOutcome(keyring, outcome)
    if ('session' in outcome) setSessionCookie(reply, outcome.session, secureCookie)
    return presented
  }

  app.post(
    '/login',
    {
      config: { access: publicAccess(), mails: true, refuses: ['unauthorized', 'forbidden', 'too-many-requests'] },
      schema: {
        operationId: 'signIn',
        summary: 'Sign in with e-mail and password',
        description: 'The response says what comes next: a session cookie with its CSRF token, or a second factor, with a token for it.',
        body: Credentials,
        response: { 200: SignedIn, ...expiredPassword },
      },
    },
    async (request, reply) => {
      const { body, afterRandomDelay } = request
      return answer(reply, await signIn(dependencies, originOf(request), body, languageOf(request), afterRandomDelay))
    },
  )

  app.post(
    '/login/mfa',
    {
      config: { access: publicAccess(), mails: true, refuses: ['unauthorized', 'forbidden', 'too-many-requests'] },
      schema: {
        operationId: 'completeSignIn',
        summary: 'Complete a sign-in with a second factor',
        description: 'Takes the token of the sign-in with a code or the response of a passkey. A right one starts the session.',
        body: SecondFactor,
        response: { 200: SignedIn, ...expiredPassword },
      },
    },
    async (request, reply) => answer(reply, await completeSignIn(dependencies, originOf(request), request.body, languageOf(request))),
  )

  app.post(
    '/login/mfa/passkey/options',
    {
      config: { access: publicAccess(), refuses: ['unauthorized'] },
      schema: {
        operationId: 'startSecondFactorByPasskey',
        summary: 'Get the options for a passkey as second factor',
        description: 'For `navigator.credentials.get`. Send its response to `POST /v1/auth/login/mfa`.',
        body: StartedSignIn,
        response: { 200: SecondFactorOptions },
      },
    },
    async ({ body }) => {
      const { options } = await startSecondFactor(dependencies, body.mfaToken)
      return { options }
    },
  )

  app.post(
    '/passkey/options',
    {
      config: { access: publicAccess() },
      schema: {
        operationId: 'startPasskeySignIn',
        summary: 'Start signing in with a passkey',
        description: 'The same for every caller: the passkey says who the user is.',
        response: { 200: StartedRequest },
      },
    },
    async () => startSignIn(dependencies),
  )

  app.post(
    '/passkey',
    {
      config: { access: publicAccess(), mails: true, refuses: ['unauthorized', 'forbidden', 'too-many-requests'] },
      schema: {
        operationId: 'signInByPasskey',
        summary: 'Sign in with a passkey',
        description:
          'A 401 has `unknownCredential: true` only when no such passkey is known here at all: tell the device to forget it then.',
        body: PasskeyProof,
        response: { 200: SignedIn, ...unknownPasskey, ...requiredConnection },
      },
    },
    async (request, reply) => {
      const { body, afterRandomDelay } = request
      return answer(reply, await signInByPasskey(dependencies, originOf(request), body, languageOf(request), afterRandomDelay))
    },
  )

  app.post(
    '/email-code',
    {
      config: { access: publicAccess(), mails: true, refuses: ['forbidden', 'too-many-requests'] },
      schema: {
        operationId: 'requestEmailCode',
        summary: 'Request a sign-in code by mail',
        description:
          'The same response for every address, but for those of a domain that requires single sign-on, which are refused: its owner and those who may sign in otherwise are mailed a code even so, for the `flowToken` of the refusal. A code is mailed where the organisation allows it (`signInPolicy.emailCode`); the one before stops working.',
        body: EmailCodeRequest,
        response: { 202: StartedEmailCode, ...requiredConnectionOrCode },
      },
    },
    async (request, reply) => {
      const flowToken = await askForEmailCode(dependencies, request, originOf(request), request.body.email, languageOf(request))
      return reply.code(202).send({ flowToken })
    },
  )

  app.post(
    '/email-code/verify',
    {
      config: { access: publicAccess(), refuses: ['forbidden', 'too-many-requests'] },
      schema: {
        operationId: 'signInByEmailCode',
        summary: 'Sign in with a mailed code',
        description: 'A code works once, for ten minutes, and is refused after five tries.',
        body: EmailCodeProof,
        response: { 200: SignedIn, ...requiredConnection },
      },
    },
    async (request, reply) =>
      answer(reply, await signInByEmailCode(dependencies, originOf(request), request.body, request.afterRandomDelay)),
  )

  app.post(
    '/login/mfa/code',
    {
      config: { access: publicAccess(), refuses: ['unauthorized', 'too-many-requests'] },
      schema: {
        operationId: 'sendSignInCode',
        summary: "Send a code to the user's phone",
        description: 'For a user whose second factor is a phone. The code goes to `POST /v1/auth/login/mfa`.',
        body: StartedSignIn,
        response: { 202: Message },
      },
    },
    async (request, reply) => {
      await sendSignInCode(dependencies, request.body.mfaToken)
      return reply.code(202).send({ message: 'A code has been sent' })
    },
  )

  app.get(
    '/csrf',
    {
      config: { access: session() },
      schema: {
        operationId: 'getCsrfToken',
        summary: 'Get the CSRF token of the session',
        description: 'Every request of the session that changes something sends it as `X-CSRF-Token`.',
        response: { 200: CsrfToken },
      },
    },
    async (request) => ({ csrfToken: csrfTokenOf(keyring, sessionTokenOf(request) ?? '') }),
  )

  app.post(
    '/logout',
    {
      config: { access: self({ duringMfaEnrolment: true }) },
      schema: {
        operationId: 'signOut',
        summary: 'Sign out',
        description: 'Ends the session at once, and removes its cookie.',
        response: { 204: z.null() },
      },
    },
    async ({ caller }, reply) => {
      await signOut(database, caller)
      clearSessionCookie(reply, secureCookie)
      return reply.code(204).send(null)
    },
  )
})
