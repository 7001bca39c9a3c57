/** Every route that services of this process register after this import, including hidden ones. */
import { channel } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'

const routes = new Map<string, { method: string; url: string; access: string | undefined }>()

channel('fastify.initialization').subscribe((message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ method, url, config }: RouteOptions) => {
    for (const one of [method].flat()) routes.set(`${one} ${url}`, { method: one, url, access: config?.access?.kind })
  })
})

export const allRoutes = () => [...routes.values()]

/** The addresses of the hosted pages; the console is a program, and has tests of its own. */
export const pageAddresses = () =>
  allRoutes()
    .filter(({ method, access, url }) => method === 'GET' && access === 'page' && !url.startsWith('/console'))
    .map(({ url }) => url)
