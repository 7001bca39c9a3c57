import QRCode from 'qrcode'
import { signIn } from './sign-in.ts'

const { GATEHOUSE_URL = '', CLIENT_ID = '' } = process.env

const signedIn = await signIn({
  gatehouseUrl: GATEHOUSE_URL,
  clientId: CLIENT_ID,
  show({ userCode, address, completeAddress }) {
    console.log(`Open ${address} and enter ${userCode}, or scan this with a phone:`)
    // The address has the code in it, which the user still compares with this one.
    void QRCode.toString(completeAddress, { type: 'terminal', small: true }).then(console.log)
  },
})
console.log(signedIn ? `Hello ${signedIn.name}` : 'Not signed in')
