/** Services in processes of their own whose start fails, or may. */
import { createServer } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { ServiceProcess } from './service-process.ts'

export async function started(environment: Record<string, string>): Promise<ServiceProcess> {
  const service = await ServiceProcess.start(environment)
  onTestFinished(() => service.end('SIGKILL').then(() => {}))
  return service
}

/** The lines that a start which fails prints. */
export async function failed(environment: Record<string, string>): Promise<string[]> {
  const service = await started({ DATABASE_WAIT_SECONDS: '0', ...environment })
  expect([await service.exitCode(), service.output]).toEqual([1, expect.not.stringContaining('    at ')])
  return service.output.trim().split('\n')
}

/** @param answer what each connection gets */
export async function listener(answer: Buffer = Buffer.alloc(0)): Promise<{ port: number }> {
  const server = createServer((socket) => void socket.on('error', () => {}).once('data', () => socket.end(answer)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { port: (server.address() as { port: number }).port }
}
