/**
 * Whether secrets may travel there: over https, or in plain only to this machine itself. An address with
 * a user name in it is not safe: it can look like another host, and the password in it is somebody's.
 */
export function isSafeForSecrets({ protocol, hostname, username, password }: URL): boolean {
	if (username !== '' || password !== '') return false;
	if (protocol === 'https:') return true;
	return protocol === 'http:' && isLoopback(hostname);
}

/** The host names and addresses of this machine itself. */
export function isLoopback(host: string): boolean {
	return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** The global `fetch`, as a type: it comes in as a parameter, so that tests and the proxy can replace it. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
