/** /v1/service */
import { z } from 'zod'
import { session } from '../access/declarations.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { languages } from '../platform/language.ts'
import { version } from '../platform/version.ts'

const ServiceSettings = z
  .object({
    version: z.string().meta({ description: 'The release that runs', example: '1.4.0' }),
    environment: z.enum(['production', 'development']).meta({ description: 'Which `NODE_ENV` it runs with; a test is a development' }),
    publicUrl: z.string().meta({ description: 'Origin of every link, without a trailing slash', example: 'https://id.example.com' }),
    issuer: z.string().meta({ description: 'Issuer in tokens and in the discovery document', example: 'https://id.example.com' }),
    languages: z
      .array(z.enum(languages))
      .meta({ description: 'Languages of the hosted pages and the mails, as BCP 47 tags', example: [...languages] }),
    mail: z
      .object({
        delivers: z.boolean().meta({ description: 'Whether a mail server sends the mails; without one they are written to files' }),
        inbox: z.string().nullable().meta({
          description: 'Path where a development service shows these files, only on its own machine; null when there is none',
          example: '/dev/mail',
        }),
      })
      .meta({ description: 'What becomes of mails' }),
    sms: z.boolean().meta({ description: 'Whether text messages are sent: otherwise SMS cannot be a second factor' }),
    pkcePlain: z.boolean().meta({ description: 'Whether clients may be allowed the PKCE method `plain`' }),
    trialMaxUsers: z.number().int().meta({ description: 'How many users a trial organisation may have', example: 100 }),
    defaultIdTokenAlg: z.enum(['EdDSA', 'RS256']).meta({ description: 'What signs the ID tokens of clients that name no algorithm' }),
  })
  .meta({ component: 'ServiceSettings' })
type ServiceSettings = z.infer<typeof ServiceSettings>

interface OperatorSettings extends Pick<ServiceSettings, 'environment' | 'publicUrl' | 'issuer' | 'mail' | 'trialMaxUsers'> {
  pkcePlain: 'allow' | 'deny'
  idTokenSigningAlg: ServiceSettings['defaultIdTokenAlg']
  smsSender: object | undefined
}

export const serviceRoutes = defineRoutes('/v1/service', async (app, settings: OperatorSettings) => {
  const { environment, publicUrl, issuer, mail, trialMaxUsers } = settings
  const shown: ServiceSettings = {
    version,
    environment,
    publicUrl,
    issuer,
    languages: [...languages],
    mail,
    sms: settings.smsSender !== undefined,
    pkcePlain: settings.pkcePlain === 'allow',
    trialMaxUsers,
    defaultIdTokenAlg: settings.idTokenSigningAlg,
  }
  app.get(
    '/',
    {
      config: { access: session() },
      schema: {
        operationId: 'getServiceSettings',
        summary: 'Get what the operator has set up',
        description:
          'What a program that guides a user needs to know about the service: where mail goes, the issuer, what is allowed. No secrets.',
        response: { 200: ServiceSettings },
      },
    },
    async () => shown,
  )
})
