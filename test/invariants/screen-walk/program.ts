import { createActivity } from '../../../source/foundation/activity.ts';
import type { Clock } from '../../../source/foundation/clock.ts';
import type { RequestLog } from '../../../source/limits/request-log.ts';
import { createFailure, PlatformError } from '../../../source/platform/decoding/platform-error.ts';
import { openSession } from '../../../source/session/session.ts';
import { createSessionTable } from '../../../source/session/session-table.ts';
import { createSignInRequest } from '../../../source/session/sign-in-request.ts';
import type { Action } from '../../../source/views/scene.ts';
import { showOnScreen } from '../../driver/monitor.ts';
import type { HeldClock } from '../../held-clock.ts';

const account = 'owner';

type ProgramOptions = {
	clock: HeldClock;
	/** The clock of the program, which may jump. */
	wall: Clock;
	requestLog: RequestLog;
	isReadOnly: boolean;
	isSlow: boolean;
	actions: readonly Action[];
	size: readonly [columns: number, rows: number];
	/** Sends a request of this program. `isHung` says whether its response will never arrive. */
	request: (url: string, init: RequestInit | undefined, sender: Lifetime) => Promise<Response>;
	isHung: (url: string, init: RequestInit | undefined) => boolean;
	onEnd: () => void;
	previous: Program | undefined;
};

/** The lifetime of one process of the program, which quits or is killed. */
export type Lifetime = { isAlive: boolean; hasQuit: boolean };

export type Program = ReturnType<typeof openProgram>;

/** Starts the program in a terminal, with the saved state of the previous process. */
export function openProgram(options: ProgramOptions) {
	const { clock, wall, requestLog, isReadOnly, isSlow, actions, size } = options;
	const life: Lifetime = { isAlive: true, hasQuit: false };
	const requests = createActivity();
	let hung = 0;
	const after: Clock['after'] = (milliseconds, then) =>
		wall.after(milliseconds, () => {
			if (life.isAlive) then();
		});
	const programClock = { now: wall.now, monotonic: wall.monotonic, after };
	const host = {
		clock: programClock,
		msSinceBoot: clock.now,
		random: () => 0.5,
		activity: requests,
	};

	const send: typeof fetch = (url, init) => {
		if (!life.isAlive) return new Promise(() => {});
		const { signal } = init ?? {};
		const isHung = !signal?.aborted && options.isHung(String(url), init);
		if (!isHung) return options.request(String(url), init, life);
		hung += 1;
		signal?.addEventListener('abort', () => {
			hung -= 1;
		});
		return options.request(String(url), init, life);
	};

	let isFirst = true;
	const passwordRequest = createSignInRequest(
		{ profile: 'owner', email: 'e', host: 'id.test' },
		(): typeof session => session,
	);
	const session = openSession(host, {
		account,
		baseUrl: 'https://api.test/v1',
		lockAfterMs: 600_000,
		credentials: {
			kind: 'password',
			authUrl: 'https://id.test',
			anonKey: 'k',
			email: 'e',
			// The first password comes from the environment. If it is refused, a person types another.
			async password(signal, refused) {
				if (isFirst) {
					isFirst = false;
					return 'p';
				}
				return passwordRequest.ask(signal, refused?.message).catch(() => {
					throw new PlatformError(createFailure('auth', 'no password was given'));
				});
			},
		},
		fetch: send,
		requestLog,
		passwordRequest,
		isReadOnly,
	});
	restoreState(options.previous?.session, session, wall.now());

	const onScreen = showOnScreen(
		{
			size,
			conditions: { isLowBandwidth: isSlow },
			onEnd() {
				if (life.hasQuit) return;
				life.hasQuit = true;
				options.onEnd();
				onScreen.close();
				void session.close();
			},
		},
		// Draw each frame at once, because Ink would otherwise wait some milliseconds between frames.
		{
			sessions: createSessionTable([session]),
			actions,
			isPlain: true,
		},
		{ clock, screenClock: programClock, requests, heldBack: () => hung },
	);
	return Object.assign(onScreen, { life, session });
}

type AccountSession = ReturnType<typeof openSession>;

/** Restores the fleet and the log, as from a journal of any age. */
function restoreState(before: AccountSession | undefined, next: AccountSession, at: number) {
	const saved = before?.store.getState().accounts.get(account);
	if (!saved) return;
	const computers = [...saved.computers.values()].map(({ reading, since }) => ({
		reading,
		since,
		seenAt: since.at,
	}));
	const { changes, samples } = saved;
	next.store.receive([{ account, at, type: 'recalled', computers, changes, samples }]);
}
