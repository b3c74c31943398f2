import type { Environment } from '../foundation/children.ts';
import { UsageError } from '../foundation/error.ts';
import { type Fetch, isLoopback } from '../foundation/network.ts';

export const proxyNames = ['HTTPS_PROXY', 'HTTP_PROXY'] as const;

/** Never for loopback, where http is allowed: the proxy would receive the password in clear text. */
export async function fetchThroughProxy(
	environment: Environment,
	directFetch: Fetch,
): Promise<Fetch> {
	const [httpsProxy, httpProxy] = proxyNames.map(name => proxyIn(environment, name)?.href);
	if (httpsProxy === undefined && httpProxy === undefined) return directFetch;

	const { Agent, EnvHttpProxyAgent, fetch } = await import('undici');
	const noProxy = variableIn(environment, 'NO_PROXY').text;
	const proxyAgent = new EnvHttpProxyAgent({ httpsProxy, httpProxy, noProxy });
	// With NODE_USE_ENV_PROXY, Node's own fetch would use the proxy even for loopback.
	const directAgent = new Agent();
	const routedFetch: typeof fetch = (address, init) => {
		const dispatcher = isLoopback(new URL(String(address)).hostname) ? directAgent : proxyAgent;
		return fetch(address, { ...init, dispatcher });
	};
	return routedFetch as unknown as Fetch;
}

/** Errors do not name the value, which may contain a password. */
export function proxyIn(
	environment: Environment,
	variable: (typeof proxyNames)[number],
): URL | undefined {
	const { name, text } = variableIn(environment, variable);
	if (text === '') return undefined;
	const address = text.includes('://') ? text : `http://${text}`;
	if (!URL.canParse(address)) {
		throw new UsageError(`${name} is not a valid address. Write it as http://host:port.`);
	}
	const url = new URL(address);
	if (/^socks/.test(url.protocol)) {
		throw new UsageError(`${name}: SOCKS is not supported. Name an HTTP proxy: http://host:port.`);
	}
	if (url.protocol !== 'http:' && url.protocol !== 'https:') {
		throw new UsageError(`${name} must begin with http:// or https://`);
	}
	try {
		decodeURIComponent(url.username + url.password);
	} catch {
		throw new UsageError(`${name}: write a percent sign in the user or the password as %25`);
	}
	return url;
}

export function variableIn(environment: Environment, name: string) {
	const small = environment[name.toLowerCase()];
	return small === undefined
		? { name, text: environment[name] ?? '' }
		: { name: name.toLowerCase(), text: small };
}
