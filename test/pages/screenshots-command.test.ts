import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const run = promisify(execFile)

describe('npm run screenshots', () => {
  it('writes pictures of the pages', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-screenshots-'))
    const environment = { ...process.env, SCREENSHOTS_FOLDER: folder, SCREENSHOTS_ONLY: 'login-dark-phone' }

    await run('npm', ['run', 'screenshots'], { env: environment })

    expect(await readdir(folder)).toEqual(['login-dark-phone.png'])
    const picture = await readFile(join(folder, 'login-dark-phone.png'))
    expect(picture.subarray(1, 4).toString()).toBe('PNG')
    // The width in the PNG header is the phone's.
    expect(picture.readUInt32BE(16)).toBe(390)
    await rm(folder, { recursive: true })
  })
})
