/** /v1/auth/password and /v1/auth/email: the operations of mailed links */
import { originOf } from '../access/caller.ts'
import { publicAccess } from '../access/declarations.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { Message, presentTime } from '../platform/http/fields.ts'
import { languageOf } from '../platform/language.ts'
import { askForLink } from './ask-for-link.ts'
import { inspectPasswordLink } from './inspect-link.ts'
import * as refusals from './refusals.ts'
import type { PasswordReplacement } from './replace-password.ts'
import { ForgottenPassword, LinkToken, PasswordLink } from './schemas.ts'
import { verifyEmail } from './verify-email.ts'

export const passwordRoutes = defineRoutes({ prefix: '/v1/auth', refusals }, async (app, dependencies: PasswordReplacement) => {
  const { database } = dependencies

  app.post(
    '/password/forgot',
    {
      config: { access: publicAccess(), mails: true, refuses: ['too-many-requests'] },
      schema: {
        operationId: 'requestPasswordReset',
        summary: 'Request a password reset link',
        description: 'The response is the same whether or not there is such an account. The link is mailed if there is one.',
        body: ForgottenPassword,
        response: { 202: Message },
      },
    },
    async (request, reply) => {
      await askForLink(dependencies, request, request.body.email, languageOf(request))
      return reply.code(202).send({ message: 'If there is an account with this address, a link has been sent to it' })
    },
  )

  app.get(
    '/password/reset',
    {
      config: { access: publicAccess() },
      schema: {
        operationId: 'checkPasswordResetLink',
        summary: 'Check a password reset link',
        description: 'Says whether a link can still be used and which passwords are accepted, before the user types one.',
        querystring: LinkToken,
        response: { 200: PasswordLink },
      },
    },
    async ({ query }) => {
      const { expiresAt, ...link } = await inspectPasswordLink(database, query.token)
      return { ...link, expiresAt: presentTime(expiresAt) }
    },
  )

  app.post(
    '/email/verify',
    {
      config: { access: publicAccess() },
      schema: {
        operationId: 'verifyEmail',
        summary: 'Verify an e-mail address',
        description: 'Takes the token from the mailed link, which works once.',
        body: LinkToken,
        response: { 200: Message },
      },
    },
    async (request) => {
      await verifyEmail(database, originOf(request), request.body.token)
      return { message: 'Email address has been verified' }
    },
  )
})
