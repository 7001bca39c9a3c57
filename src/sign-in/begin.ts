import type { Origin } from '../activity/actor.ts'
import { newId } from '../platform/ids.ts'

/** The origin of a sign-in that has begun: it has an id. */
export type SignInOrigin = Origin & { readonly signInId: string }

/** A sign-in begins with the request of an application, with an earlier step, or now. */
export const beginSignIn = (origin: Origin, now: Date): SignInOrigin => ({ ...origin, signInId: origin.signInId ?? newId('sgn', now) })
