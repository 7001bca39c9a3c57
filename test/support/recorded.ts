import { onTestFinished } from 'vitest'
import { freshEngine } from './database.ts'
import { recordingEngine } from './recording-engine.ts'
import { startTestService, type TestServiceOptions } from './service.ts'

/** A service of a test's own, and the statements that it sends. */
export async function recorded(options: TestServiceOptions = {}) {
  const engine = recordingEngine(await freshEngine())
  const own = await startTestService({ engine, ...options })
  onTestFinished(() => own.stop())
  return { own, statements: engine.statements }
}
