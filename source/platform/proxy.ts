import type { Fetch } from '../fleet/fetch.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A fetch that goes through the proxy that the environment names. Node's own does so only from
 * Node 24 on, and there only when asked; so undici's agent is loaded, and only when it is needed.
 */
export async function fetchThroughProxy(environment: Environment, direct: Fetch): Promise<Fetch> {
	const named = (name: string) => environment[name.toLowerCase()] ?? environment[name];
	const httpsProxy = named('HTTPS_PROXY') ?? '';
	const httpProxy = named('HTTP_PROXY') ?? '';
	if (httpsProxy === '' && httpProxy === '') return direct;

	const { EnvHttpProxyAgent, fetch } = await import('undici');
	const dispatcher = new EnvHttpProxyAgent({
		...(httpsProxy && { httpsProxy }),
		...(httpProxy && { httpProxy }),
		noProxy: named('NO_PROXY') ?? '',
	});
	const proxied = (input: unknown, init: object) =>
		fetch(input as Parameters<typeof fetch>[0], { ...init, dispatcher });
	return proxied as unknown as Fetch;
}
