import { type Fetch, isLoopback } from '../fleet/network.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A fetch that goes through the proxy that the environment names. Node's own does so only from
 * Node 24 on, and only when asked to, so undici's agent is loaded where a proxy is named.
 *
 * Loopback is never proxied: plain HTTP is allowed there because it does not leave this machine, and
 * the proxy would carry the password to its own loopback in cleartext.
 */
export async function fetchThroughProxy(environment: Environment, direct: Fetch): Promise<Fetch> {
	const named = (name: string) => environment[name.toLowerCase()] ?? environment[name];
	const httpsProxy = named('HTTPS_PROXY') ?? '';
	const httpProxy = named('HTTP_PROXY') ?? '';
	if (httpsProxy === '' && httpProxy === '') return direct;

	const { Agent, EnvHttpProxyAgent, fetch } = await import('undici');
	const proxy = new EnvHttpProxyAgent({
		...(httpsProxy && { httpsProxy }),
		...(httpProxy && { httpProxy }),
		noProxy: named('NO_PROXY') ?? '',
	});
	// Node's own fetch may be told by NODE_USE_ENV_PROXY to use the proxy, so it is not used here.
	const here = new Agent();
	const proxied = (input: Parameters<typeof fetch>[0], init: object) =>
		fetch(input, { ...init, dispatcher: isLoopback(hostOf(input)) ? here : proxy });
	return proxied as unknown as Fetch;
}

function hostOf(input: string | URL | { url: string }): string {
	return new URL(typeof input === 'object' && 'url' in input ? input.url : input).hostname;
}
