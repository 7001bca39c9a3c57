import { execFileSync } from 'node:child_process'
import process from 'node:process'
import { expect, it } from 'vitest'
import { usualAge } from './memory.ts'

it('the age after which V8 drops compiled code is the one that it has by itself', () => {
  const options = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' })
  expect(/--bytecode-old-age \(.*\)\n.*default: --bytecode-old-age=(\d+)/.exec(options)?.[1]).toBe(String(usualAge))
})
