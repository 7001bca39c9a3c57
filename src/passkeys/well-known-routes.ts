/** /.well-known/webauthn and /.well-known/passkey-endpoints */
import { z } from 'zod'
import { publicAccess } from '../access/declarations.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { noRelatedOrigins } from './refusals.ts'
import type { RelyingParty } from './relying-party.ts'

const RelatedOrigins = z.object({
  origins: z
    .array(z.string())
    .meta({ description: 'Origins besides `PUBLIC_URL` that may use its passkeys', example: ['https://portal.example.org'] }),
})

const PasskeyEndpoints = z.object({
  enroll: z.string().meta({ description: 'Where a user registers a passkey', example: 'https://id.example.com/account/passkeys' }),
  manage: z.string().meta({ description: 'Where a user manages passkeys', example: 'https://id.example.com/account/passkeys' }),
})

interface PasskeySettings {
  relyingParty: RelyingParty
  publicUrl: string
}

export const wellKnownPasskeyRoutes = defineRoutes('/.well-known', async (app, { relyingParty, publicUrl }: PasskeySettings) => {
  app.get(
    '/webauthn',
    {
      config: { access: publicAccess(), refuses: ['not-found'] },
      schema: {
        operationId: 'getRelatedOrigins',
        summary: 'Related origins of passkeys',
        description: 'WebAuthn Level 3 §5.11; only where `PASSKEY_ORIGINS` is set.',
        response: { 200: RelatedOrigins },
      },
    },
    async () => {
      if (relyingParty.furtherOrigins.length === 0) throw noRelatedOrigins()
      return { origins: [...relyingParty.furtherOrigins] }
    },
  )

  app.get(
    '/passkey-endpoints',
    {
      config: { access: publicAccess() },
      schema: {
        operationId: 'getPasskeyEndpoints',
        summary: 'Pages for passkeys',
        description: 'W3C "A Well-Known URL for Relying Party Passkey Endpoints", for password managers.',
        response: { 200: PasskeyEndpoints },
      },
    },
    async () => {
      const page = `${publicUrl}/account/passkeys`
      return { enroll: page, manage: page }
    },
  )
})
