/** /v1/me/password and /v1/me/email: the caller's own */
import { z } from 'zod'
import { self } from '../access/declarations.ts'
import { recentSignIn } from '../access/schemas.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { Message } from '../platform/http/fields.ts'
import { languageOf } from '../platform/language.ts'
import { changePassword } from './change-password.ts'
import { type PasswordRemoval, removePassword } from './remove-password.ts'
import type { PasswordReplacement } from './replace-password.ts'
import { PasswordChange } from './schemas.ts'
import { resendVerification } from './verify-email.ts'

export const ownPasswordRoutes = defineRoutes('/v1/me', async (app, dependencies: PasswordReplacement & PasswordRemoval) => {
  app.post(
    '/password',
    {
      config: { access: self(), mails: true, refuses: ['too-many-requests'] },
      schema: {
        operationId: 'changeOwnPassword',
        summary: 'Change your password',
        description: 'Takes the current password, and ends your other sessions.',
        body: PasswordChange,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await changePassword(dependencies, request.caller, request.body, languageOf(request))
      return reply.code(204).send(null)
    },
  )

  app.delete(
    '/password',
    {
      config: { access: self(), mails: true },
      schema: {
        operationId: 'removeOwnPassword',
        summary: 'Remove your password',
        description: 'Needs a passkey that signs in, and a sign-in with a passkey within the last fifteen minutes. You get a mail.',
        response: { 204: z.null(), ...recentSignIn },
      },
    },
    async (request, reply) => {
      await removePassword(dependencies, request.caller, languageOf(request))
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/email/verification',
    {
      config: { access: self(), mails: true, refuses: ['too-many-requests'] },
      schema: {
        operationId: 'resendVerificationMail',
        summary: 'Resend the verification mail',
        description: 'A link to confirm your address, if it is not confirmed yet.',
        response: { 202: Message },
      },
    },
    async (request, reply) => {
      const outcome = await resendVerification(dependencies, request.caller, languageOf(request))
      const message = outcome === 'sent' ? 'A link has been sent to your address' : 'Your address is verified already'
      return reply.code(202).send({ message })
    },
  )
})
