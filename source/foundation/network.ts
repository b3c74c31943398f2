/** An address with a user name is not safe, because it can look like another host and may contain a password. */
export function isSafeForSecrets({ protocol, hostname, username, password }: URL): boolean {
	if (username !== '' || password !== '') return false;
	if (protocol === 'https:') return true;
	return protocol === 'http:' && isLoopback(hostname);
}

export const isSafeAddress = (address: string): boolean =>
	URL.canParse(address) && isSafeForSecrets(new URL(address));

export function isLoopback(host: string): boolean {
	return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

export type ResponseHeaders = Pick<Headers, 'get'>;

export type FetchResponse = {
	status: number;
	headers: ResponseHeaders;
	body: (AsyncIterable<Uint8Array> & { cancel(): Promise<void> }) | null;
};

export type FetchInit = {
	method: string;
	headers: Record<string, string>;
	body?: string;
	signal: AbortSignal;
	redirect: 'manual';
};

export type Fetch = (address: string, init: FetchInit) => Promise<FetchResponse>;
