// ofetch without its build for Node, which contains a second fetch and loads undici.
export { c as createFetch } from '../../node_modules/ofetch/dist/shared/ofetch.CWycOUEr.mjs';
