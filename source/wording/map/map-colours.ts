import type { Tone } from '../../drawing/theme.ts';
import type { Phase } from '../../fleet/computers/computer.ts';
import { hasUnknownOutcome, isUnderWay } from '../../fleet/operations/operation.ts';
import type { Colouring } from '../../screen/map-look.ts';
import type { Age } from '../../store/freshness.ts';
import type { FleetRow } from '../../store/selectors.ts';

/** One of the states that a cell can show. A terminal without colours or blocks shows the letter. */
export type MapLevel = {
	word: string;
	/** The word in a narrow legend, if the usual word is long. */
	short?: string;
	/** What the level says instead of better or worse. The legend shows such levels last, in the order of `legendEnd`. */
	kind?: (typeof legendEnd)[number];
	letter: string;
	tone: Tone;
	/** The sign that is drawn instead of a block, so that a person recognises the level without its colour. */
	sign?: 'error';
};

const legendEnd = ['old', 'stopped', 'unknown'] as const;

/** Returns levels as a legend shows them: from the worst to the best, and then those that are neither. */
export function inLegendOrder(levels: readonly MapLevel[]): readonly MapLevel[] {
	const rankOf = ({ kind }: MapLevel) => (kind ? 1 + legendEnd.indexOf(kind) : 0);
	return levels.toReversed().sort((a, b) => rankOf(a) - rankOf(b));
}

type ColouringRow = {
	title: string;
	/**
	 * The levels from the least to the most serious. A cell of several computers shows the most serious one. The last
	 * one is an error, whatever the colours show.
	 */
	levels: readonly MapLevel[];
	/** Returns the index of a computer's level. */
	levelOf: (row: FleetRow, age: Age) => number;
	/** The level whose computers are counted beside each group, and the word, such as `error` in `7 error`. */
	alarm: { level: number; word: string };
};

const usual = (word: string): MapLevel => ({ word, letter: '.', tone: 'usual' });
const stopped: MapLevel = { word: 'stopped', kind: 'stopped', letter: 'o', tone: 'idle' };
const unknown: MapLevel = { word: 'unknown', kind: 'unknown', letter: '?', tone: 'doubt' };
const oldData: MapLevel = {
	word: 'old data',
	short: 'old',
	kind: 'old',
	letter: '-',
	tone: 'old',
};
const error: MapLevel = { word: 'error', letter: '!', tone: 'bad', sign: 'error' };

const statusLevels = {
	stopped: 0,
	active: 1,
	old: 2,
	changing: 3,
	unknown: 4,
	error: 5,
} as const;

const levelByPhase: Readonly<Record<Phase, number>> = {
	creating: statusLevels.changing,
	active: statusLevels.active,
	stopped: statusLevels.stopped,
	error: statusLevels.error,
	stopping: statusLevels.changing,
	starting: statusLevels.changing,
	restarting: statusLevels.changing,
	updating: statusLevels.changing,
	archived: statusLevels.stopped,
	pooled: statusLevels.stopped,
	unknown: statusLevels.unknown,
};

const isStopped = (phase: Phase) => levelByPhase[phase] === statusLevels.stopped;

function statusLevelOf({ computer, operation }: FleetRow, age: Age): number {
	if (operation && isUnderWay(operation)) return statusLevels.changing;
	if (operation && hasUnknownOutcome(operation)) return statusLevels.unknown;
	// If the data is old, a computer is no longer shown as active or stopped. A problem is shown even if the data is
	// old.
	const level = levelByPhase[computer.phase];
	return age === 'old' ? Math.max(statusLevels.old, level) : level;
}

const busyPercent = 80;
const fullPercent = 95;

/** THE table of the properties that the colours of the map can show. */
export const colouringRows: Readonly<Record<Colouring, ColouringRow>> = {
	status: {
		title: 'status',
		levels: [
			stopped,
			usual('active'),
			oldData,
			{ word: 'changing', letter: '~', tone: 'busy' },
			unknown,
			error,
		],
		levelOf: statusLevelOf,
		alarm: { level: statusLevels.error, word: 'error' },
	},
	cpu: {
		title: 'CPU',
		levels: [
			stopped,
			unknown,
			{ ...usual(`under ${busyPercent}%`), short: 'below' },
			{ ...oldData, word: 'old' },
			{ word: `from ${busyPercent}%`, short: `${busyPercent}%+`, letter: '+', tone: 'busy' },
			{ word: `from ${fullPercent}%`, short: `${fullPercent}%+`, letter: '#', tone: 'bad' },
			error,
		],
		levelOf({ computer: { phase, reading } }, age) {
			if (phase === 'error') return 6;
			if (age === 'old') return 3;
			if (isStopped(phase)) return 0;
			const { cpu } = reading;
			if (typeof cpu !== 'number') return 1;
			return cpu >= fullPercent ? 5 : cpu >= busyPercent ? 4 : 2;
		},
		alarm: { level: 5, word: 'at limit' },
	},
	version: {
		title: 'version',
		levels: [
			stopped,
			unknown,
			usual('latest'),
			oldData,
			{ word: 'behind', letter: '^', tone: 'accent' },
			error,
		],
		levelOf({ computer: { phase, reading }, isOutdated }, age) {
			if (phase === 'error') return 5;
			if (!reading.version) return isStopped(phase) ? 0 : 1;
			if (age === 'old') return 3;
			return isOutdated ? 4 : 2;
		},
		alarm: { level: 4, word: 'behind' },
	},
};
