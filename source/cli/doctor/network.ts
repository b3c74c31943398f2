import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { AccountSettings } from '../../accounts/account-settings.ts';
import type { Environment } from '../../accounts/environment.ts';
import type { Clock } from '../../fleet/clock.ts';
import { connectionFailureFrom } from '../../platform/connection-failure.ts';
import type { Check } from './check.ts';

const day = 86_400_000;

/** Shows the host of the proxy, but not its password. */
export function proxyCheck(environment: Environment): Check {
	const about = 'Proxy';
	const used = proxiesIn(environment);
	if (used.length === 0) return { about, state: 'right', said: 'none: connections are direct' };
	const wrong = used.filter(({ address }) => !URL.canParse(address));
	if (wrong.length > 0) {
		const said = `${wrong.map(({ name }) => name).join(', ')} is not a valid address`;
		return { about, state: 'wrong', said, advice: 'Write it as http://host:port.' };
	}
	const hosts = used.map(({ name, address }) => `${name} is ${new URL(address).host}`);
	const except = variable(environment, 'NO_PROXY');
	const said = [...hosts, ...(except ? [`not for ${except}`] : [])].join(', ');
	return { about, state: 'right', said };
}

function proxiesIn(environment: Environment) {
	return ['HTTPS_PROXY', 'HTTP_PROXY']
		.map(name => ({ name, address: variable(environment, name) }))
		.filter(({ address }) => address !== '');
}

const variable = (environment: Environment, name: string) =>
	environment[name.toLowerCase()] ?? environment[name] ?? '';

/**
 * Checks that both servers have a valid certificate. Only the reads can tell whether they are the right
 * servers.
 */
export async function tlsChecks(
	{ baseUrl, credentials }: AccountSettings,
	environment: Environment,
	clock: Clock,
): Promise<Check[]> {
	const addresses = [baseUrl, ...(credentials.kind === 'password' ? [credentials.authUrl] : [])];
	const origins = [...new Set(addresses.map(address => new URL(address).origin))];
	const isProxied = proxiesIn(environment).length > 0;
	const trust: Check[] =
		environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0' ? [certificatesIgnored] : [];
	const checks = origins.map(origin => tlsCheck(new URL(origin), isProxied, clock));
	return [...trust, ...(await Promise.all(checks))];
}

const certificatesIgnored: Check = {
	about: 'Certificates',
	state: 'wrong',
	said: 'NODE_TLS_REJECT_UNAUTHORIZED=0 is set: others on the network can read the password',
	advice: 'Unset the variable, and name your certificate authority in NODE_EXTRA_CA_CERTS instead.',
};

async function tlsCheck(url: URL, isProxied: boolean, clock: Clock): Promise<Check> {
	const about = 'TLS';
	if (url.protocol !== 'https:') {
		return {
			about,
			state: 'right',
			said: `${url.host} is this machine, so no certificate is needed`,
		};
	}
	if (isProxied) {
		const said = `${url.host} is reached through a proxy; the sign-in and the reads test the connection`;
		return { about, state: 'skipped', said };
	}
	const { protocol, endsAt, error } = await handshake(url, clock);
	if (error !== undefined) {
		const { message, advice } = connectionFailureFrom(error);
		return { about, state: 'wrong', said: `${url.host}: ${message}`, advice };
	}
	const days = Math.floor((endsAt - clock.now()) / day);
	const said = `${url.host}: ${protocol}, certificate valid for ${days} more days`;
	if (days >= 7) return { about, state: 'right', said };
	return {
		about,
		state: 'unsure',
		said,
		advice: 'Ask the operator of the host to renew the certificate.',
	};
}

type Handshake = { protocol: string; endsAt: number; error?: unknown };

function handshake({ hostname, port }: URL, clock: Clock): Promise<Handshake> {
	const host = hostname.replace(/^\[|\]$/g, '');
	return new Promise(resolve => {
		const name = isIP(host) === 0 ? { servername: host } : {};
		const socket = connect({ host, port: Number(port || 443), ...name });
		const settle = (result: Handshake) => {
			cancelTimer();
			socket.destroy();
			resolve(result);
		};
		const fail = (error: unknown) => settle({ protocol: '', endsAt: 0, error });
		const timeout = Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' });
		const cancelTimer = clock.after(10_000, () => fail(timeout));
		socket.on('error', fail);
		socket.on('secureConnect', () => {
			const endsAt = Date.parse(socket.getPeerCertificate().valid_to);
			settle({ protocol: socket.getProtocol() ?? 'TLS', endsAt });
		});
	});
}
