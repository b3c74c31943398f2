import { defaultNotices } from '../accounts/settings.ts';
import type { Clock, Ticker } from '../foundation/clock.ts';
import { secondMs } from '../foundation/duration.ts';
import { createListeners } from '../foundation/listeners.ts';
import type { RecordedAccount, RecordingHeader } from '../journal/recording.ts';
import type { Timeline } from '../journal/timeline.ts';
import type { Host } from '../session/host.ts';
import { createSharedParts, openSession, type Sessions } from '../session/session.ts';
import type { State } from '../store/state.ts';
import { createStore } from '../store/store.ts';
import type { ReplayControl, ReplayState } from '../views/scene.ts';
import { replayRefusal } from './actions/table.ts';

// The base URL of recordings without one. A replay sends no requests, so the host need not exist.
const defaultBaseUrl = 'https://platform.example/v1';

/** Operations have an empty store: with the recorded one, they would act on recorded operations as if these happened now. */
export function openReplaySessions(
	host: Pick<Host, 'clock' | 'random' | 'msSinceBoot'>,
	{ accounts }: Pick<RecordingHeader, 'accounts'>,
): Sessions {
	const shared = createSharedParts(host, { lockAfterMs: Infinity });
	const store = createStore();

	function openReplayed({
		account,
		label: name = account,
		baseUrl = defaultBaseUrl,
	}: RecordedAccount) {
		const session = openSession(
			host,
			{
				profile: {
					account,
					name,
					shortName: name,
					isReadOnly: true,
					isProduction: false,
					lowCreditsMs: defaultNotices.creditsLeft,
				},
				baseUrl,
				credentials: { kind: 'token', token: '' },
				fetch: () => Promise.reject(new Error(replayRefusal)),
			},
			shared,
		);
		return { ...session, store };
	}

	const [first, ...others] = accounts.map(openReplayed);
	if (!first) throw new RangeError('a recording has at least one account');
	return [first, ...others];
}

/** The screen uses it as its ticker, and so shows the time of the recording. */
export type ReplayPlayer = Ticker & ReplayControl & { stop(): void };

type ReplayPlayerOptions = {
	timeline: Timeline;
	clock: Clock;
	showState: (state: State) => void;
	startTime: number;
	speed: number;
	isPaused: boolean;
};

const replaySpeeds = [1, 4, 16, 60, 300];

/** The shortest time between two frames. On a slow line, the terminal shows fewer of them. */
const minTickMs = 100;

/** The most that one tick may advance, of which more is skipped: the program was suspended, or folds the facts too slowly. */
const maxStepMs = 1500;
const maxStepTicks = 2;

export function createPlayer(options: ReplayPlayerOptions): ReplayPlayer {
	const { timeline, clock, showState } = options;
	const start = timeline.timeOfFact(1);
	const end = timeline.timeOfFact(timeline.factCount);
	const minCount = timeline.factCountAt(start);
	const listeners = createListeners();
	let { speed, isPaused } = options;
	let cancelTick = () => {};
	// The position is a time and the number of facts up to it, because several facts may have the same time.
	let time = start;
	let count = minCount;
	let movedAt = clock.now();
	moveTo(options.startTime);
	let replayState = currentState();

	function isOver() {
		return count === timeline.factCount;
	}

	function currentState(): ReplayState {
		return { time, start, end, speed, isPaused, isOver: isOver() };
	}

	function moveTo(to: number, toCount?: number) {
		time = Math.max(start, Math.min(to, end));
		count = toCount ?? timeline.factCountAt(time);
		movedAt = clock.now();
	}

	function stepTo(next: number | undefined, notice: string): string | undefined {
		if (next === undefined || next < minCount || next > timeline.factCount) return notice;
		moveTo(timeline.timeOfFact(next), next);
		return undefined;
	}

	function advance() {
		if (isPaused || isOver()) return;
		const elapsed = Math.max(0, clock.now() - movedAt);
		const most = Math.max(maxStepMs, maxStepTicks * minTickMs * speed);
		moveTo(time + Math.min(elapsed * speed, most));
	}

	function update() {
		replayState = currentState();
		showState(timeline.stateAfter(count));
		listeners.notify();
		scheduleTick();
	}

	function scheduleTick() {
		cancelTick();
		if (isPaused || isOver()) return;
		const untilNextFact = timeline.timeOfFact(count + 1) - time;
		const delayMs = Math.min(untilNextFact, secondMs - (time % secondMs)) / speed;
		cancelTick = clock.after(Math.max(minTickMs, delayMs), () => {
			advance();
			update();
		});
	}

	function changed<T>(change: () => T): T {
		advance();
		const notice = change();
		update();
		return notice;
	}

	update();
	return {
		now: () => time,
		replayState: () => replayState,
		togglePause: () =>
			changed(() => {
				if (isOver()) return 'The recording has ended: 0 starts it again';
				isPaused = !isPaused;
				// The time that has passed during a pause is not skipped.
				movedAt = clock.now();
				return undefined;
			}),
		changeSpeed: direction =>
			changed(() => {
				speed = nextSpeed(speed, direction);
			}),
		stepToFact: direction =>
			changed(() => {
				isPaused = true;
				const edge = direction > 0 ? 'end' : 'start';
				return stepTo(count + direction, `This is the ${edge} of the recording`);
			}),
		stepToChange: direction =>
			changed(() =>
				direction > 0
					? stepTo(timeline.factCountAtNextChange(count), 'No later log line')
					: stepTo(timeline.factCountAtPreviousChange(count), 'No earlier log line'),
			),
		jump: durationMs => changed(() => moveTo(time + durationMs)),
		goToEnd: edge => changed(() => moveTo(edge === 'first' ? start : end)),
		subscribe: listeners.subscribe,
		stop: () => cancelTick(),
	};
}

function nextSpeed(speed: number, direction: 1 | -1): number {
	return direction > 0
		? (replaySpeeds.find(each => each > speed) ?? speed)
		: (replaySpeeds.findLast(each => each < speed) ?? speed);
}
