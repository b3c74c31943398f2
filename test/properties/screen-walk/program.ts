import { createActivity } from '../../../source/fleet/activity.ts';
import type { Clock } from '../../../source/fleet/clock.ts';
import type { Binding } from '../../../source/keys/binding.ts';
import type { Ledger } from '../../../source/pace/ledger.ts';
import { failureOf, PlatformError } from '../../../source/platform/platform-error.ts';
import { openSession } from '../../../source/session/session.ts';
import { createSignInRequest } from '../../../source/session/sign-in-request.ts';
import { showOnScreen } from '../../driver/monitor.ts';
import type { HeldClock } from '../../held-clock.ts';

const account = 'owner';

type Parts = {
	clock: HeldClock;
	/** As the program takes it: it may jump. */
	wall: Clock;
	ledger: Omit<Ledger, 'close'>;
	isReadOnly: boolean;
	isSlow: boolean;
	bindings: readonly Binding[];
	size: readonly [columns: number, rows: number];
	/** Sends a request of this program; `isHung` says of one that no answer will come. */
	request: (url: string, init: RequestInit | undefined, sender: Life) => Promise<Response>;
	isHung: (url: string, init: RequestInit | undefined) => boolean;
	onEnd: () => void;
	before: Program | undefined;
};

/** One life of the program: it ends by quitting, or is killed. */
export type Life = { isAlive: boolean; hasQuit: boolean };

export type Program = ReturnType<typeof openProgram>;

/** Starts the program on a terminal. What the one before knew is what is kept of it. */
export function openProgram(parts: Parts) {
	const { clock, wall, ledger, isReadOnly, isSlow, bindings, size } = parts;
	const life: Life = { isAlive: true, hasQuit: false };
	const requests = createActivity();
	let hung = 0;
	const after: Clock['after'] = (milliseconds, then) =>
		wall.after(milliseconds, () => {
			if (life.isAlive) then();
		});
	const own = { now: wall.now, after };
	const host = { clock: own, elapsed: clock.now, random: () => 0.5, activity: requests };

	const send: typeof fetch = (url, init) => {
		if (!life.isAlive) return new Promise(() => {});
		const { signal } = init ?? {};
		const isHung = !signal?.aborted && parts.isHung(String(url), init);
		if (!isHung) return parts.request(String(url), init, life);
		hung += 1;
		signal?.addEventListener('abort', () => {
			hung -= 1;
		});
		return parts.request(String(url), init, life);
	};

	let isFirst = true;
	const passwordRequest = createSignInRequest(
		{ profile: 'owner', email: 'e', host: 'id.test' },
		(): typeof session => session,
	);
	const session = openSession(host, {
		account,
		baseUrl: 'https://api.test/v1',
		credentials: {
			kind: 'password',
			authUrl: 'https://id.test',
			anonKey: 'k',
			email: 'e',
			// The first is in the environment; when it is no longer right, a person types another.
			async password(signal, refused) {
				if (isFirst) {
					isFirst = false;
					return 'p';
				}
				return passwordRequest.ask(signal, refused?.message).catch(() => {
					throw new PlatformError(failureOf('auth', 'no password was given'));
				});
			},
		},
		fetch: send,
		ledger: { ...ledger, close() {} },
		isReadOnly,
	});
	recall(parts.before?.session, session, wall.now());

	const onScreen = showOnScreen(
		{
			size,
			conditions: { isLowBandwidth: isSlow },
			onEnd() {
				if (life.hasQuit) return;
				life.hasQuit = true;
				parts.onEnd();
				onScreen.close();
				void session.close();
			},
		},
		// Each frame at once: Ink would let milliseconds pass between two of them.
		{ session, passwordRequest, bindings, isPlain: true },
		{ clock, screenClock: own, requests, heldBack: () => hung },
	);
	return Object.assign(onScreen, { life, session });
}

type AccountSession = ReturnType<typeof openSession>;

/** As from its journal, which may be out of date by any time. */
function recall(before: AccountSession | undefined, next: AccountSession, at: number) {
	const known = before?.store.getState().accounts.get(account);
	if (!known) return;
	const computers = [...known.computers.values()].map(({ reading, since }) => ({
		reading,
		since,
		seenAt: since.at,
	}));
	const { changes, samples } = known;
	next.store.foldAll([
		{ account, at, type: 'fleetRecalled', computers },
		{ account, at, type: 'pastRecalled', changes, samples },
	]);
}
