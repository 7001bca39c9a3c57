import { describe, expect, it } from 'vitest'
import { verifyForeignHash } from './foreign-hashes.ts'
import { whyHashRefused } from './why-refused.ts'

const typed = 'Grüße aus Köln 7'

/** Hashes that other implementations have made, not the code that verifies them here. */
const hashes: readonly [form: string, madeBy: string, hash: string, password: string][] = [
  [
    'Argon2i',
    "the reference implementation's test vectors (P-H-C/phc-winner-argon2, src/test.c)",
    '$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$wWKIMhR9lyDFvRz9YTZweHKfbftvj+qf+YFY4NeBbtA',
    'password',
  ],
  [
    'Argon2id',
    "the reference implementation's test vectors (P-H-C/phc-winner-argon2, src/test.c)",
    '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
    'password',
  ],
  ['bcrypt $2a$', 'libxcrypt', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.H3HuYRN6vp1M1ifDpqtnzHSxbWuRt2a', typed],
  ['bcrypt $2a$', 'crypt_blowfish (its wrapper.c)', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW', 'U*U'],
  ['bcrypt $2b$', 'libxcrypt', '$2b$06$CCCCCCCCCCCCCCCCCCCCC.LSAABKenFgzRMNFXayddkd7FDChAeL.', typed],
  ['bcrypt $2y$', 'libxcrypt', '$2y$05$CCCCCCCCCCCCCCCCCCCCC.H3HuYRN6vp1M1ifDpqtnzHSxbWuRt2a', typed],
  [
    'scrypt',
    "Python's hashlib (OpenSSL)",
    '$scrypt$ln=14,r=8,p=1$c2l4dGVlbiBieXRlcyBvaw$wCvr/t3evI/Ju5EEL6w7SsuTCr/8XEqqBh8B9MvBzfw',
    typed,
  ],
  [
    "Firebase's scrypt",
    'the example of github.com/firebase/scrypt',
    '$firebase-scrypt$ln=14,r=8$42xEC+ixf3L2lw==$Bw==$jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
    'user1password',
  ],
  ['PBKDF2 with SHA-1', "Python's hashlib", '$pbkdf2-sha1$i=5000$c2l4dGVlbiBieXRlcyBvaw$FSr51feXqA10tAjxfCXwPCkEgMc', typed],
  [
    'PBKDF2 with SHA-256',
    "Python's hashlib",
    '$pbkdf2-sha256$i=27500$c2l4dGVlbiBieXRlcyBvaw$TKDJJ0+SYXG9VYvZHf0xl/Smqmuoodyve8YZyiLNo+A',
    typed,
  ],
  [
    'PBKDF2 as passlib writes it',
    "Python's hashlib",
    '$pbkdf2-sha256$27500$c2l4dGVlbiBieXRlcyBvaw$TKDJJ0.SYXG9VYvZHf0xl/Smqmuoodyve8YZyiLNo.A',
    typed,
  ],
  [
    'PBKDF2 with SHA-512',
    "Python's hashlib",
    '$pbkdf2-sha512$i=30000$c2l4dGVlbiBieXRlcyBvaw$DPp3fI9JXzzbrgDaiTrClkyNvPmlT5fWRyAu9NcOzvndC11gm2S3EQdGvjaxkLAW4ToGWlTX82Jx53VQpLcG3g',
    typed,
  ],
  [
    "Django's PBKDF2",
    "Python's hashlib, in the form of django.contrib.auth.hashers",
    'pbkdf2_sha256$27500$seasalt$thII9JfprJWmQqunYu4cL5SiJ5RDcp+7CrJrL33x7eE=',
    typed,
  ],
  [
    'SHA-512-crypt',
    'openssl passwd -6',
    '$6$openssl16$YJg..p2HiBxOFByVW63zT.92cNCzytaaZJYeo3ccUfmcIsfCtu9.cnjBDLpkOWPCfgorFf5QxQVT6SJ1V.6sy/',
    typed,
  ],
  [
    'SHA-512-crypt with rounds',
    'libxcrypt',
    '$6$rounds=10000$saltstringsaltst$SiBvAWTbC7Eg3m6AAh.EufQm5S9aPhI4OSPYxL63dKGomSP1.2WdHKTTllOXX8SufqG0vPxolZ2tWWoHxmSbR/',
    typed,
  ],
]

describe('a hash of another system', () => {
  it.each(hashes)('in the form of %s, made by %s, matches its password alone', async (_form, _madeBy, hash, password) => {
    expect(whyHashRefused(hash)).toBeUndefined()
    expect(await verifyForeignHash(hash, password)).toBe(true)
    expect(await verifyForeignHash(hash, `${password}x`)).toBe(false)
    expect(await verifyForeignHash(hash, '')).toBe(false)
  })

  const salt = 'c2l4dGVlbiBieXRlcyBvaw'
  const digest = 'TKDJJ0+SYXG9VYvZHf0xl/Smqmuoodyve8YZyiLNo+A'
  it.each([
    ['', 'the form of the password hash is unknown'],
    ['hunter2', 'the form of the password hash is unknown'],
    ['5f4dcc3b5aa765d61d8327deb882cf99', 'the form of the password hash is unknown'],
    ['$1$saltsalt$qjXMvbEw8oaL.CzflDtaK/', 'the form of the password hash is unknown'],
    ['$2x$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW', 'the form of the password hash is unknown'],
    ['$2b$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOe', 'the form of the password hash is unknown'],
    ['$2b$16$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW', 'bcrypt: the cost is 16, and has to be from 4 to 15'],
    [`$argon2id$v=19$m=4194304,t=2,p=1$${salt}$${digest}`, 'Argon2: m is 4194304, and has to be from 8 to 262144'],
    [`$argon2id$v=19$m=65536,t=64,p=1$${salt}$${digest}`, 'Argon2: m × t is 4194304, and has to be from 8 to 2097152'],
    [`$scrypt$ln=20,r=8,p=1$${salt}$${digest}`, 'scrypt: the memory in MiB is 1024, and has to be from 1 to 256'],
    [`$scrypt$ln=14,r=8,p=1$${salt}$abcd`, 'scrypt: the hash has fewer than 16 bytes'],
    [`$pbkdf2-sha256$i=90000000$${salt}$${digest}`, 'PBKDF2: the number of iterations is 90000000'],
    [`$pbkdf2-md5$i=9000$${salt}$${digest}`, 'the form of the password hash is unknown'],
    [`$6$rounds=999999999$salt$${'a'.repeat(86)}`, 'SHA-512-crypt: the number of rounds is 999999999'],
    [`$firebase-scrypt$ln=14,r=8$AAAA$Bw==$AAAA$${digest}`, "Firebase's scrypt: the hash is not as long as the signer key"],
    [`$6$salt$${'a'.repeat(2_000)}`, 'the password hash has more than 1024 characters'],
  ])('%j is refused, and matches nothing', async (hash, why) => {
    expect(whyHashRefused(hash)).toContain(why)
    expect(await verifyForeignHash(hash, 'hunter2')).toBe(false)
  })
})
