/** The global `fetch`, as a type: it comes in as a parameter, so that tests and the proxy can replace it. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
