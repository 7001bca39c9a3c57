import { type ApiDescription, type Route, routesOf } from '../../src/isolation/routes.ts'
import type { HttpClient } from './http-client.ts'

/** Every operation that the service describes below a path. */
export async function routesBelow(anonymous: HttpClient, prefix: string): Promise<Route[]> {
  const { body } = await anonymous.get('/openapi.json')
  return routesOf(body as ApiDescription).filter(({ path }) => path.startsWith(prefix))
}
