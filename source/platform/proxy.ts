import { type Fetch, isLoopback } from '../foundation/network.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A fetch that uses the proxy in the environment. Node's own fetch can do so only since Node 24, and only with an
 * option, so this loads undici's agent if a proxy is configured.
 *
 * Requests to loopback are never proxied. Plain HTTP is allowed there because it does not leave this machine, and
 * a proxy would receive the password in clear text.
 */
export async function fetchThroughProxy(
	environment: Environment,
	directFetch: Fetch,
): Promise<Fetch> {
	if (!usesProxy(environment)) return directFetch;
	const { httpsProxy, httpProxy, noProxy } = proxyVariables(environment);

	const { Agent, EnvHttpProxyAgent, fetch } = await import('undici');
	const proxyAgent = new EnvHttpProxyAgent({
		...(httpsProxy && { httpsProxy }),
		...(httpProxy && { httpProxy }),
		noProxy,
	});
	// Node's own fetch could use the proxy even for loopback, if NODE_USE_ENV_PROXY is set.
	const directAgent = new Agent();
	const routedFetch = (input: Parameters<typeof fetch>[0], init: object) =>
		fetch(input, { ...init, dispatcher: isLoopback(hostOf(input)) ? directAgent : proxyAgent });
	return routedFetch as unknown as Fetch;
}

/** Whether the environment names a proxy. */
export function usesProxy(environment: Environment): boolean {
	const { httpsProxy, httpProxy } = proxyVariables(environment);
	return httpsProxy !== '' || httpProxy !== '';
}

function proxyVariables(environment: Environment) {
	const variableText = (name: string) => environment[name.toLowerCase()] ?? environment[name] ?? '';
	return {
		httpsProxy: variableText('HTTPS_PROXY'),
		httpProxy: variableText('HTTP_PROXY'),
		noProxy: variableText('NO_PROXY'),
	};
}

function hostOf(input: string | URL | { url: string }): string {
	return new URL(typeof input === 'object' && 'url' in input ? input.url : input).hostname;
}
