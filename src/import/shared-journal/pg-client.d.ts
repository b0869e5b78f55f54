/** Only the client: the package's main entry also loads a native one, which is not installed. */
declare module 'pg/lib/client.js' {
  import { Client } from 'pg'
  export = Client
}
