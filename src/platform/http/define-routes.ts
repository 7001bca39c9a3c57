import type { App } from './app.ts'

/** The routes of a feature below one address. `Needed` are the services that they need. */
export interface FeatureRoutes<Needed> {
  prefix: string
  routes: (app: App, services: Needed) => Promise<void>
}

export const defineRoutes = <Needed = unknown>(
  prefix: string,
  routes: (app: App, services: Needed) => Promise<void>,
): FeatureRoutes<Needed> => ({ prefix, routes })
