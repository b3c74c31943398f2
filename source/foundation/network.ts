import { isIP } from 'node:net';

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

const internalAddress =
	/^(0|10|127|169\.254|192\.168|198\.1[89]|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.|^(::|f[cd]|fe[89ab])/i;

/** Whether an IP address, or the name of a host, may be reached from anywhere. */
export const isPublicHost = (host: string): boolean =>
	isIP(host) === 0
		? host.includes('.') && !/\.(internal|lan|local)$/i.test(host)
		: !internalAddress.test(host);

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
