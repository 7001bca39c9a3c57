import { crc32, deflateSync } from 'node:zlib'

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), content])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}

/** A PNG of one grey, in base64. Beside what it shows it may hold more bytes, as metadata do. */
export function picture({ width = 120, height = 40, grey = 0x60, moreBytes = 0 } = {}): string {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.writeUInt8(8, 8)
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width, grey)])
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  const parts = [
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(Array(height).fill(row)))),
    ...(moreBytes > 0 ? [chunk('tEXt', Buffer.alloc(moreBytes, 'a'))] : []),
    chunk('IEND', Buffer.alloc(0)),
  ]
  return Buffer.concat([signature, ...parts]).toString('base64')
}
