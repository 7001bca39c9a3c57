import { describe, expect, it } from 'vitest'
import { ConfigError } from '../app/config-mistakes.ts'
import { mistakeInDataDir } from './data-dir.ts'

const dataDir = '/var/lib/gatehouse'
const failure = (code: string, path?: string) => Object.assign(new Error(`${code}: what the system says`), { code, ...(path && { path }) })
const lineOf = (error: unknown, databaseUrl?: string) => mistakeInDataDir(error, { dataDir, databaseUrl })?.mistakes.join('\n')

describe('what a failure in the data directory says', () => {
  it.each([
    ['EACCES', dataDir, 'which the user of this process may not write to (EACCES): let that user own it'],
    [
      'EACCES',
      `${dataDir}/secret-key`,
      'where the user of this process may not use secret-key (EACCES): let that user own all that is in it',
    ],
    [
      'EPERM',
      `${dataDir}/database.pid`,
      'where the user of this process may not use database.pid (EPERM): let that user own all that is in it',
    ],
    ['EROFS', `${dataDir}/database.lock`, 'which is on a read-only file system (EROFS): mount a volume there'],
    ['ENOSPC', `${dataDir}/database.unfinished/base/1`, 'which is on a disk that is full (ENOSPC): free space there'],
    ['EDQUOT', `${dataDir}/database.pid`, 'which is on a disk that is full (EDQUOT): free space there'],
    ['ENOTDIR', `${dataDir}/database`, 'where database is a file and should be a folder (ENOTDIR): remove that file'],
    ['EISDIR', `${dataDir}/secret-key`, 'where secret-key is a folder and should be a file (EISDIR): remove that folder'],
    ['EIO', `${dataDir}/database.lock`, 'where database.lock cannot be used (EIO): mend that'],
  ])('of %s at %s is one line with what mends it', (code, path, expected) => {
    const line = `DATA_DIR is "${dataDir}", ${expected}, or set DATA_DIR to another folder`
    expect(mistakeInDataDir(failure(code, path), { dataDir, databaseUrl: undefined })).toBeInstanceOf(ConfigError)
    expect(lineOf(failure(code, path))).toBe(line)
  })

  it.each([
    ['process 4711', 'where process 4711 has the database open'],
    ['another process', 'where another process has the database open'],
  ])('names %s that has it', (holder, expected) => {
    expect(lineOf(Object.assign(failure('DATABASE_IN_USE'), { holder }))).toBe(
      `DATA_DIR is "${dataDir}", ${expected}: stop that process, or set DATABASE_URL to run several`,
    )
  })

  it('tells a full disk from the answer of the embedded database, and not from that of a server', () => {
    expect(lineOf(failure('53100'))).toContain('which is on a disk that is full (ENOSPC): ')
    expect(lineOf(failure('53100'), 'postgres://db.internal/gatehouse')).toBeUndefined()
  })

  it.each([
    failure('EACCES', '/etc/ssl/private.pem'),
    failure('EACCES', `${dataDir}-other/file`),
    failure('EACCES'),
    failure('ENOENT', `${dataDir}/file`),
    new Error('anything'),
    'no error',
  ])('is nothing for what is not of it: %s', (error) => {
    expect(lineOf(error)).toBeUndefined()
  })
})
