import { type AddressInfo, createServer, type Server } from 'node:net';
import { withoutSecrets } from '../children/child-environment.ts';
import type { Fact } from '../fleet/fact.ts';
import type { Credentials } from '../platform/sign-in.ts';
import { demoAccount } from '../simulator/endpoints/tokens.ts';
import { factsFromStory } from './demo-story.ts';
import type { Host } from './host.ts';

/** The key of the demo's account in the store. */
export const demoAccountKey = 'demo';

type DemoProcess = {
	baseUrl: string;
	credentials: Credentials;
	/** Delays the first requests until the demo platform listens. */
	fetch: Host['fetch'];
	/** Receives the fleet of the demo and what happened before it was opened. */
	onPast(fold: (facts: readonly Fact[]) => void): void;
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
		onPast: child.onPast,
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
	{ program, clock, spawnSelf, activity }: Host,
	commandOptions: readonly string[],
	socket: Server,
	onProblem: (message: string) => void,
) {
	let stop = () => {};
	let foldPast = (_facts: readonly Fact[]) => {};
	const endStory = activity?.begin() ?? (() => {});
	const ready = new Promise<void>(resolve => {
		stop = clock.after(0, () => {
			const child = spawnSelf(['simulate', ...commandOptions], withoutSecrets(program.env));
			const fail = (message: string) => {
				child.removeAllListeners('exit');
				onProblem(message);
				// A closed socket refuses requests; an open socket would let them wait for ever.
				socket.close();
				resolve();
				endStory();
			};
			const receive = (message: unknown) => {
				if (message === 'listening') socket.close(() => resolve());
				const facts = factsFromStory(message, demoAccountKey, clock.now()) ?? [];
				foldPast(facts);
				if (!facts.some(({ type }) => type === 'pastRecalled')) return;
				// A listener would keep this process running, so it is removed.
				child.off('message', receive);
				endStory();
			};
			child.on('message', receive);
			child.once('exit', () => fail('The demo platform has stopped. Restart crowsnest.'));
			child.once('error', ({ message }) => {
				// A second error may follow, because the message to the child fails as well.
				child.on('error', () => {});
				fail(`Cannot start the demo platform: ${message}`);
			});
			if (child.pid !== undefined) child.send('listen here', socket);
			child.unref();
			stop = () => {
				endStory();
				child.removeAllListeners('exit');
				child.kill();
			};
		});
	});
	return {
		ready,
		onPast(fold: typeof foldPast) {
			foldPast = fold;
		},
		stop: () => stop(),
	};
}
