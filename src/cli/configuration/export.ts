import { stringify } from 'yaml'
import { jsonOf, print } from '../print.ts'
import type { TargetOptions } from './target.ts'
import { withTarget } from './with-target.ts'

export const exportConfiguration = (options: TargetOptions & { organisation: string }) =>
  withTarget(options, options.organisation, async (target) => {
    const document = await target.export()
    print(options.json ? `${jsonOf(document, 2)}\n` : stringify(document, { lineWidth: 0, compat: 'yaml-1.1' }))
  })
