import type { App } from './app.ts'
import type { DescribedRefusal } from './problem.ts'

/** The routes of a feature below one address. `Needed` are the services that they need. */
export interface FeatureRoutes<Needed> {
  prefix: string
  /** The refusals of the feature's folder, by their names. */
  refusals?: Readonly<Record<string, DescribedRefusal>>
  routes: (app: App, services: Needed) => Promise<void>
}

/** @param at the address, and the refusals of the folder if no other routes name them */
export const defineRoutes = <Needed = unknown>(
  at: string | Required<Pick<FeatureRoutes<Needed>, 'prefix' | 'refusals'>>,
  routes: (app: App, services: Needed) => Promise<void>,
): FeatureRoutes<Needed> => ({ ...(typeof at === 'string' ? { prefix: at } : at), routes })
