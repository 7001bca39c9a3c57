import type { FastifyRequest } from 'fastify'
import { deviceCodeSeconds, findDeviceRequest, type PendingDeviceRequest } from '../oauth/authorization/device-requests.ts'
import type { Database } from '../platform/database/database.ts'
import type { CookieSettings } from '../sessions/session-cookie.ts'
import { definePageCookie } from './page-cookie.ts'

/** The page at which a user decides on the request of a device. */
export const devicePath = '/device/confirm'

/**
 * Holds the reference of the request whose code was typed in this browser. Nothing but the form for the code sets it, so no link leads to
 * the decision. The sign-in page reads it, too, which comes in between.
 */
export const deviceCookie = definePageCookie({ name: 'svc_device', path: '/', lifetimeSeconds: deviceCodeSeconds })

/** The request of a device whose user is about to sign in at a page that returns to this path. */
export async function findDeviceAt(
  { database, secureCookie }: CookieSettings & { database: Database },
  request: FastifyRequest,
  returnTo: string | undefined,
): Promise<PendingDeviceRequest | undefined> {
  if (returnTo?.split('?')[0] !== devicePath) return undefined
  const reference = deviceCookie.read(request, secureCookie)
  return reference === undefined ? undefined : findDeviceRequest(database, reference)
}
