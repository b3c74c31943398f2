import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { AccountSettings } from '../../accounts/account-settings.ts';
import type { Environment } from '../../accounts/environment.ts';
import type { Clock } from '../../foundation/clock.ts';
import { messageOf } from '../../foundation/error.ts';
import { connectionFailureFrom } from '../../platform/connection-failure.ts';
import { proxyIn, proxyNames, usesProxy, variableIn } from '../../platform/proxy.ts';
import type { Check } from './check.ts';

const dayMs = 86_400_000;

/** Reports the proxy of the environment without its password. */
export function proxyCheck(environment: Environment): Check {
	const subject = 'Proxy';
	try {
		const proxies = proxyNames.flatMap(name => {
			const proxy = proxyIn(environment, name);
			return proxy ? [`${name} is ${proxy.host}`] : [];
		});
		if (proxies.length === 0)
			return { subject, status: 'right', finding: 'none: connections are direct' };
		const { text: directHosts } = variableIn(environment, 'NO_PROXY');
		const finding = [...proxies, ...(directHosts ? [`not for ${directHosts}`] : [])].join(', ');
		return { subject, status: 'right', finding };
	} catch (error) {
		return { subject, status: 'wrong', finding: messageOf(error) };
	}
}

/**
 * Checks the certificates of the platform and of the identity provider. A valid certificate does not show that the
 * host is the right service. Only the sign-in and the reads show that.
 */
export async function tlsChecks(
	{ baseUrl, credentials }: AccountSettings,
	environment: Environment,
	clock: Clock,
): Promise<Check[]> {
	const addresses = [baseUrl, ...(credentials.kind === 'password' ? [credentials.authUrl] : [])];
	const origins = [...new Set(addresses.map(address => new URL(address).origin))];
	const isProxied = usesProxy(environment);
	const trustChecks: Check[] =
		environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0' ? [ignoredCertificatesCheck] : [];
	const checks = origins.map(origin => tlsCheck(new URL(origin), isProxied, clock));
	return [...trustChecks, ...(await Promise.all(checks))];
}

const ignoredCertificatesCheck: Check = {
	subject: 'Certificates',
	status: 'wrong',
	finding: 'NODE_TLS_REJECT_UNAUTHORIZED=0 is set: others on the network can read the password',
	advice: 'Unset the variable, and name your certificate authority in NODE_EXTRA_CA_CERTS instead.',
};

async function tlsCheck(url: URL, isProxied: boolean, clock: Clock): Promise<Check> {
	const subject = 'TLS';
	if (url.protocol !== 'https:') {
		return {
			subject,
			status: 'right',
			finding: `${url.host} is this machine, so no certificate is needed`,
		};
	}
	if (isProxied) {
		const finding = `${url.host} is reached through a proxy, so only the sign-in and the reads below test the connection`;
		return { subject, status: 'skipped', finding };
	}
	const { protocol, certificateEndsAt: endsAt, error } = await performHandshake(url, clock);
	if (error !== undefined) {
		const { message, advice } = connectionFailureFrom(error);
		return { subject, status: 'wrong', finding: `${url.host}: ${message}`, advice };
	}
	const days = Math.floor((endsAt - clock.now()) / dayMs);
	const finding = `${url.host}: ${protocol}, certificate valid for ${days} more days`;
	if (days >= 7) return { subject, status: 'right', finding };
	return {
		subject,
		status: 'unsure',
		finding,
		advice: 'Ask the operator of the host to renew the certificate.',
	};
}

type HandshakeResult = { protocol: string; certificateEndsAt: number; error?: unknown };

function performHandshake({ hostname, port }: URL, clock: Clock): Promise<HandshakeResult> {
	const host = hostname.replace(/^\[|\]$/g, '');
	return new Promise(resolve => {
		const serverName = isIP(host) === 0 ? { servername: host } : {};
		const socket = connect({ host, port: Number(port || 443), ...serverName });
		const finish = (result: HandshakeResult) => {
			cancelTimer();
			socket.destroy();
			resolve(result);
		};
		const fail = (error: unknown) => finish({ protocol: '', certificateEndsAt: 0, error });
		const timeout = Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' });
		const cancelTimer = clock.after(10_000, () => fail(timeout));
		socket.on('error', fail);
		socket.on('secureConnect', () => {
			const endsAt = Date.parse(socket.getPeerCertificate().valid_to);
			finish({ protocol: socket.getProtocol() ?? 'TLS', certificateEndsAt: endsAt });
		});
	});
}
