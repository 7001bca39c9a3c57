import process from 'node:process'
import { stringify } from 'yaml'
import type { TargetOptions } from './target.ts'
import { withTarget } from './with-target.ts'

export const exportConfiguration = (options: TargetOptions & { organisation: string }) =>
  withTarget(options, options.organisation, async (target) => {
    const document = await target.export()
    process.stdout.write(options.json ? `${JSON.stringify(document, null, 2)}\n` : stringify(document, { lineWidth: 0 }))
  })
