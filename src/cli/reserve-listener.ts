import type { Config } from '../app/config.ts'
import { ConfigError } from '../app/config-mistakes.ts'
import { type ReservedPort, reservePort } from '../platform/http/reserve-port.ts'

/** Reserves the port before any other work. @throws ConfigError that names `PORT` or `HOST` */
export async function reserveListener({ port, host }: Pick<Config, 'port' | 'host'>): Promise<ReservedPort> {
  try {
    return await reservePort({ port, host })
  } catch (error) {
    throw new ConfigError([await mistakeOf(error as NodeJS.ErrnoException, port, host)])
  }
}

async function mistakeOf({ code, message }: NodeJS.ErrnoException, port: number, host: string): Promise<string> {
  switch (code) {
    case 'EADDRINUSE': {
      const { processOnPort } = await import('./process-on-port.ts')
      const by = (await processOnPort(port).catch(() => undefined)) ?? 'another process'
      return `PORT is ${port}, on which ${by} listens already (${host}, ${code}): stop it, or set PORT to another one`
    }
    case 'EACCES':
      return `PORT is ${port}, on which the user of this process may not listen (${code}): set PORT to 1024 or above, behind a proxy`
    case 'EADDRNOTAVAIL':
      return `HOST is "${host}", which is not an address of this machine (${code}): set it to one that is, or to 0.0.0.0 for all`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST is "${host}", which no name server knows (${code}): set it to an address of this machine, or to 0.0.0.0 for all`
    default:
      return `PORT is ${port} and HOST is "${host}", where the service cannot listen: ${message}`
  }
}
