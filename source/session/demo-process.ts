import { type AddressInfo, createServer } from 'node:net';
import { withoutSecrets } from '../accounts/environment.ts';
import type { Credentials } from '../platform/sign-in.ts';
import { demoAccount } from '../simulator/demo-account.ts';
import type { Host } from './host.ts';

export type DemoProcess = {
	baseUrl: string;
	credentials: Credentials;
	/** Waits with the first requests until the platform is there. */
	fetch: Host['fetch'];
	close(): void;
};

/**
 * Starts the demo platform in a process of its own, so that the monitor costs here what it costs
 * anywhere. Its address is known at once: the first picture does not wait for it.
 */
export async function startDemo(
	{ program, clock, spawnSelf, fetch }: Host,
	options: readonly string[],
	onTrouble: (message: string) => void,
): Promise<DemoProcess> {
	const socket = createServer();
	await new Promise<void>((resolve, reject) => {
		socket.once('error', reject);
		socket.listen(0, '127.0.0.1', resolve);
	});
	const origin = `http://127.0.0.1:${(socket.address() as AddressInfo).port}`;
	let stop = () => {};
	const isThere = new Promise<void>(resolve => {
		// Once the first picture is out.
		stop = clock.after(0, () => {
			const child = spawnSelf(['simulate', ...options], withoutSecrets(program.env));
			const fail = (trouble: string) => {
				child.removeAllListeners('exit');
				onTrouble(trouble);
				// Closed, it refuses what is asked instead of letting it wait.
				socket.close();
				resolve();
			};
			child.once('message', () => socket.close(() => resolve()));
			child.once('exit', () => fail('The demo platform has stopped. Restart crowsnest.'));
			child.once('error', ({ message }) => {
				// It may fail more than once, to start and to be spoken to.
				child.on('error', () => {});
				fail(`Cannot start the demo platform: ${message}`);
			});
			if (child.pid !== undefined) child.send('listen here', socket);
			child.unref();
			stop = () => {
				child.removeAllListeners('exit');
				child.kill();
			};
		});
	});
	const { anonKey, email, password } = demoAccount;
	return {
		baseUrl: `${origin}/v1`,
		credentials: {
			kind: 'password',
			authUrl: origin,
			anonKey,
			email,
			password: async () => password,
		},
		fetch: (...asked) => isThere.then(() => fetch(...asked)),
		close() {
			stop();
			socket.close();
		},
	};
}
