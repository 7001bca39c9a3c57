/**
 * Creates src/platform/database/embedded/initial-database.tar.zst: the files of an empty embedded database, which a first
 * start copies. Run it after a change of PGlite's PostgreSQL version.
 */
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import { startPglite } from '../src/platform/database/embedded/pglite-options.ts'

const target = new URL('../src/platform/database/embedded/initial-database.tar.zst', import.meta.url)
const compressionLevel = 22

// Write-ahead log segments of 1 MB rather than 16: enough for a small installation.
const pglite = await startPglite({ initDbStartParams: ['--wal-segsize=1', '--set', 'shared_buffers=8MB', '--set', 'max_connections=5'] })
await pglite.exec('vacuum freeze')
await pglite.exec('checkpoint')
const tar = Buffer.from(await (await pglite.dumpDataDir('none')).arrayBuffer())
await pglite.close()
const params = { [constants.ZSTD_c_compressionLevel]: compressionLevel, [constants.ZSTD_c_windowLog]: 25 }
await writeFile(target, await promisify(zstdCompress)(tar, { params }))
