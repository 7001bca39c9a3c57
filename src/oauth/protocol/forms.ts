import formbody from '@fastify/formbody'
import type { App } from '../../platform/http/server.ts'

const formBytesMax = 64 * 1024

/** Makes a scope accept forms, and nothing else. */
export async function readForms(scope: App): Promise<void> {
  scope.removeAllContentTypeParsers()
  await scope.register(formbody, { bodyLimit: formBytesMax })
}
