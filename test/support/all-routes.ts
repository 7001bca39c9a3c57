/** Every route that services of this process register after this import, including hidden ones. */
import { channel } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'

const routes = new Map<string, { method: string; url: string }>()

channel('fastify.initialization').subscribe((message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ method, url }: RouteOptions) => {
    for (const one of [method].flat()) routes.set(`${one} ${url}`, { method: one, url })
  })
})

export const allRoutes = () => [...routes.values()]
