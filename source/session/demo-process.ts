import { type AddressInfo, createServer, type Server } from 'node:net';
import { withoutSecrets } from '../accounts/environment.ts';
import type { Credentials } from '../platform/sign-in.ts';
import { demoAccount } from '../simulator/endpoints/tokens.ts';
import type { Host } from './host.ts';

type DemoProcess = {
	baseUrl: string;
	credentials: Credentials;
	/** Delays the first requests until the demo platform listens. */
	fetch: Host['fetch'];
	close(): void;
};

/**
 * Starts the demo platform in a process of its own, so that the monitor uses as much CPU and memory as with a real
 * platform.
 *
 *     monitor: listens on a socket ─ draws ─ starts the child ─ sends it the socket ─ "listening" ─ fetches
 *
 * The address is known at once, so the first frame does not wait for the child.
 */
export async function startDemo(
	host: Host,
	commandOptions: readonly string[],
	onProblem: (message: string) => void,
): Promise<DemoProcess> {
	const socket = await openLoopbackServer();
	const origin = `http://127.0.0.1:${(socket.address() as AddressInfo).port}`;
	const child = spawnDemoAfterFirstFrame(host, commandOptions, socket, onProblem);
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
		fetch: (...request) => child.ready.then(() => host.fetch(...request)),
		close() {
			child.stop();
			socket.close();
		},
	};
}

function openLoopbackServer(): Promise<Server> {
	const socket = createServer();
	return new Promise((resolve, reject) => {
		socket.once('error', reject);
		socket.listen(0, '127.0.0.1', () => resolve(socket));
	});
}

/**
 * Starts the child after the monitor has drawn its first frame. `ready` resolves when the child listens on the
 * socket, and also when it cannot be started.
 */
function spawnDemoAfterFirstFrame(
	{ program, clock, spawnSelf }: Host,
	commandOptions: readonly string[],
	socket: Server,
	onProblem: (message: string) => void,
) {
	let stop = () => {};
	const ready = new Promise<void>(resolve => {
		stop = clock.after(0, () => {
			const child = spawnSelf(['simulate', ...commandOptions], withoutSecrets(program.env));
			const fail = (message: string) => {
				child.removeAllListeners('exit');
				onProblem(message);
				// A closed socket refuses the requests; an open one would let them wait for ever.
				socket.close();
				resolve();
			};
			child.once('message', () => socket.close(() => resolve()));
			child.once('exit', () => fail('The demo platform has stopped. Restart crowsnest.'));
			child.once('error', ({ message }) => {
				// A second error may follow, when the message to the child fails as well.
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
	return { ready, stop: () => stop() };
}
