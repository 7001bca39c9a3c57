/** /v1/system/doctor */
import { z } from 'zod'
import { publicAccess, system } from '../access/declarations.ts'
import type { Keyring } from '../platform/crypto/keyring.ts'
import type { Database } from '../platform/database/database.ts'
import { callerAddress, canonicalAddress } from '../platform/http/addresses.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { timestamp } from '../platform/http/fields.ts'
import { noSuchAddress } from '../platform/http/refusals.ts'
import { groups, states } from './check.ts'
import { type Echo, echoCookie, isEchoToken } from './echo.ts'
import type { Examination } from './examine.ts'

const State = z.enum(states)
const Examined = z
  .object({
    state: State.meta({ description: 'The worst of all checks' }),
    version: z.string().meta({ description: 'The release that looked', example: '1.4.0' }),
    examinedAt: timestamp().meta({ description: 'When it looked' }),
    checks: z
      .array(
        z.object({
          name: z.string().meta({ description: 'Stable, for programs', example: 'clock' }),
          group: z.enum(groups).meta({ description: 'What it is about' }),
          title: z.string().meta({
            description: 'What is right if the state is `ok`',
            example: 'The clocks of this machine and of the database agree',
          }),
          state: State.meta({ description: 'What became of it' }),
          code: z.string().meta({ description: 'What was found: stable, for programs', example: 'clocks-apart' }),
          values: z.record(z.string(), z.unknown()).meta({
            description:
              'What the sentences name: a time in ISO 8601, a length in the unit of its name. Of very many records `first` has the first five, and `more` how many there are besides',
            example: { aheadSeconds: -9.8 },
          }),
          seen: z.string().meta({ description: 'What was seen', example: 'The database is 9.8 s behind' }),
          why: z.string().nullable().meta({
            description: 'Why it matters; null if nothing is wrong',
            example: 'Codes, links and tokens expire too early or too late',
          }),
          remedy: z.string().nullable().meta({
            description: 'How to fix it; null if nothing is wrong',
            example: 'timedatectl set-ntp true',
          }),
        }),
      )
      .meta({ description: 'Every check that was made, by group' }),
    leftOut: z
      .array(z.string())
      .meta({ description: 'Checks that could not be made because of the failure of another', example: ['proxy-cookies'] }),
  })
  .meta({ component: 'Examination' })

interface DoctorNeeds {
  database: Database
  keyring: Keyring
  /** Loads the doctor and runs it. */
  examine(): Promise<Examination>
  isTrustedProxy: ((address: string) => boolean) | undefined
}

export const doctorRoutes = defineRoutes('/v1/system/doctor', async (app, needs: DoctorNeeds) => {
  const { database, keyring, examine, isTrustedProxy } = needs
  app.get(
    '/',
    {
      config: { access: system() },
      schema: {
        operationId: 'examineInstallation',
        summary: 'Examine the installation',
        description:
          'Checks the installation: configuration, `PUBLIC_URL` and its proxy, database, mail, webhooks, keys. Each check says what was seen, why it matters and how to fix it. Changes nothing; may take some seconds.',
        response: { 200: Examined },
      },
    },
    async () => examine(),
  )

  app.get(
    '/echo',
    {
      config: { access: publicAccess() },
      // For the doctor alone. A stranger gets the response of a path that does not exist.
      schema: { hide: true },
    },
    async (request, reply) => {
      const { token } = request.query as { token?: unknown }
      if (typeof token !== 'string' || !isEchoToken(keyring, token, database.clock.now())) throw noSuchAddress()
      const { remoteAddress = '' } = request.socket
      const header = request.headers['x-forwarded-for']
      const echo: Echo = {
        peer: canonicalAddress(remoteAddress) ?? remoteAddress,
        address: callerAddress(request),
        forwardedFor: Array.isArray(header) ? header.join(', ') : (header ?? null),
        isPeerTrusted: isTrustedProxy?.(remoteAddress) ?? false,
        cookie: request.cookies[echoCookie] ?? null,
      }
      // Always `Secure`, whatever PUBLIC_URL is, so that the doctor sees whether a proxy removes the attribute.
      reply.header('set-cookie', `${echoCookie}=seen; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax`)
      return reply.header('cache-control', 'no-store').send(echo)
    },
  )
})
