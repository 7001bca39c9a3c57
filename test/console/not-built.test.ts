import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { describe, expect, it, onTestFinished } from 'vitest'
import { builtService } from '../support/built-service.ts'
import { copyFolder } from '../support/copy-folder.ts'
import { processHome, ServiceProcess } from '../support/service-process.ts'

const dist = dirname(builtService)

/** An installation of the service without the files of the console. */
async function installed(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-installed-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await cp(dist, join(folder, 'dist'), { recursive: true, filter: (source) => source !== join(dist, 'console') })
  await cp('package.json', join(folder, 'package.json'))
  await symlink(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
  return folder
}

describe('a service without the console', () => {
  it('serves all else, and says at /console how to build it', async () => {
    const [folder, home] = [await installed(), await processHome()]
    onTestFinished(() => home.remove())
    const command = [process.execPath, join(folder, 'dist', basename(builtService)), 'serve'] as const
    const service = await ServiceProcess.start(home.environment, { command, folder: home.folder })
    onTestFinished(() => service.end('SIGKILL').then(() => {}))
    await service.ready()

    for (const path of ['/console', '/console/users']) {
      const page = await service.anonymous.get(path)
      expect(page).toMatchObject({ status: 503, body: expect.stringContaining('Run “npm run build” in the folder of the service') })
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(page.headers.get('cache-control')).toBe('no-store')
    }
    const german = await service.anonymous.get('/console', { headers: { 'accept-language': 'de' } })
    expect(german.body).toContain('„npm run build“')
    expect(await service.anonymous.get('/console/assets/index.js')).toMatchObject({ status: 404, body: { code: 'no-such-address' } })
    expect(await service.anonymous.get('/login')).toMatchObject({ status: 200 })
    expect(await service.anonymous.get('/v1/me/profile')).toMatchObject({ status: 401 })

    // Its files are read with a request, never at the start, which therefore takes no longer with them.
    await copyFolder(join(dist, 'console'), join(folder, 'dist', 'console'))
    const [asset] = JSON.parse(await readFile(join(dist, 'console', 'files.json'), 'utf8')).map(({ path }: { path: string }) => path)
    expect(await service.anonymous.get(`/console/${asset}`)).toMatchObject({ status: 200 })
    const page = await service.anonymous.get('/console')
    expect([page.status, page.headers.get('location')]).toEqual([303, '/login?returnTo=%2Fconsole'])
  })
})
