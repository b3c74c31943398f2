type Parts = {
	wall: () => number;
	elapsed: () => number;
};

const second = 1_000;
const minute = 60 * second;

// Nothing is meant to be read less often than once a minute.
const longest = minute;
// A frame is as old as the last tick, and on a slow line that is one a minute.
const tick = minute + 2 * second;
/** A silence this long is an outage, even if one kind of read alone fails. */
const silent = 15 * second;

/**
 * Knows when the platform was heard last, and what a frame must not say after that: that a connection
 * lives, or that a computer runs now.
 */
export function createSilence({ wall, elapsed }: Parts) {
	let heardAt: number | undefined;
	let failedAt: number | undefined;
	const since: { live?: number | undefined; green?: number | undefined } = {};
	let met = 0;

	/** Whether that has been so for long enough to be on screen. */
	function isShownBy(what: 'live' | 'green', isSo: boolean): boolean {
		if (!isSo) since[what] = undefined;
		else since[what] ??= elapsed();
		return isSo && elapsed() - (since[what] ?? elapsed()) > tick;
	}

	function isOut(): boolean {
		if (heardAt === undefined || failedAt === undefined) return false;
		return wall() > Math.max(heardAt + silent, failedAt);
	}

	return {
		/** The platform answered what was asked, or failed to. */
		heard(isGood: boolean) {
			if (isGood) {
				heardAt = wall();
				failedAt = undefined;
			} else {
				failedAt ??= wall();
			}
		},
		/** What the frame says that cannot be known. */
		lieIn(frame: string, isGreen: () => boolean): string | undefined {
			const age = heardAt === undefined ? 0 : wall() - heardAt;
			const mayNotLive = isShownBy('live', isOut() || age > 2 * longest);
			const mayNotBeGreen = isShownBy('green', isOut() || age > 4 * longest);
			if (mayNotBeGreen) met += 1;
			if (mayNotLive && frame.includes('● live')) return `live after a silence of ${age}`;
			if (mayNotBeGreen && isGreen()) return `green after a silence of ${age}`;
			return undefined;
		},
		/** The program has ended, and the next one has heard nothing. */
		forget() {
			heardAt = undefined;
			failedAt = undefined;
			since.live = undefined;
			since.green = undefined;
		},
		met: () => met,
	};
}
