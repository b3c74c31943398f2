import { type Phase, phaseOf } from '../../fleet/computers/computer.ts';
import { phasesByUrgency } from '../../fleet/computers/ordering.ts';
import { compareVersions } from '../../fleet/computers/version.ts';
import { hasUnknownOutcome, isUnderWay } from '../../fleet/operations/operation.ts';
import { accountTone, type Tone } from '../../lines/theme.ts';
import type { Age } from '../../store/freshness.ts';
import { accountOfRow, type OpenedAccount } from '../../store/opened-accounts.ts';
import type { FleetRow } from '../../store/selectors.ts';
import type { MapField } from '../look/screen.ts';
import { distinctLetters } from './cell-context.ts';
import { phaseStyles } from './status.ts';

type FieldRow = {
	valueIn: (row: FleetRow, accounts: readonly OpenedAccount[]) => string | undefined;
	labelOf: (value: string) => string;
	compare: (a: string, b: string) => number;
	filterTerm: (value: string) => string;
};

const same = (value: string) => value;
const byText = (a: string, b: string) => (a < b ? -1 : Number(a > b));
const isPhase = (word: string): word is Phase => Object.hasOwn(phaseStyles, word);
const urgencyOf = (word: string) => phasesByUrgency.indexOf(isPhase(word) ? word : 'unknown');

export const quotedValue = (value: string) => (/\s/.test(value) ? `"${value}"` : value);

export const mapFields: Readonly<Record<MapField, FieldRow>> = {
	location: {
		valueIn: ({ computer }) => computer.reading.location ?? undefined,
		labelOf: same,
		compare: byText,
		filterTerm: value => `location:=${quotedValue(value)}`,
	},
	status: {
		valueIn: ({ computer: { phase, reading } }) =>
			phaseOf(reading.status) === 'unknown' ? (reading.status ?? 'unknown') : phase,
		labelOf: value => (isPhase(value) ? phaseStyles[value].label.toLowerCase() : value),
		compare: (a, b) => urgencyOf(a) - urgencyOf(b) || byText(a, b),
		filterTerm: value => `status:=${quotedValue(value)}`,
	},
	version: {
		valueIn: ({ computer }) => computer.reading.version ?? undefined,
		labelOf: same,
		compare: (a, b) => compareVersions(b, a) || byText(a, b),
		filterTerm: value => `version:${quotedValue(value)}`,
	},
	account: {
		valueIn: (row, accounts) => accountOfRow(accounts, row)?.profile.name,
		labelOf: same,
		compare: byText,
		filterTerm: value => `account:${quotedValue(value)}`,
	},
};

/** A terminal without colours or blocks shows the letter. */
export type Level = { word: string; letter: string; tone: Tone };

export type Colours = {
	/** From the least to the most serious. A cell of several computers shows the most serious one. */
	levels: readonly Level[];
	levelOf: (row: FleetRow, age: Age) => Level;
	legend: readonly Level[];
	/** The computers at this level are counted beside each group. */
	alarm: Level;
};

export const errorLevel: Level = { word: 'error', letter: '!', tone: 'bad' };
const stopped: Level = { word: 'stopped', letter: 'o', tone: 'idle' };
const unknown: Level = { word: 'unknown', letter: '?', tone: 'doubt' };
const oldData: Level = { word: 'old data', letter: '-', tone: 'old' };
const changing: Level = { word: 'changing', letter: '~', tone: 'busy' };
const active: Level = { word: 'active', letter: '.', tone: 'usual' };
const latest: Level = { word: 'latest', letter: '.', tone: 'usual' };
const behind: Level = { word: 'behind', letter: '^', tone: 'accent' };

const stoppedPhases: readonly Phase[] = ['stopped', 'archived', 'pooled'];

const byStatus: Colours = {
	levels: [stopped, active, oldData, changing, unknown, errorLevel],
	legend: [errorLevel, changing, active, oldData, stopped, unknown],
	alarm: errorLevel,
	levelOf({ computer: { phase }, operation }, age) {
		if (operation && isUnderWay(operation)) return changing;
		if (operation && hasUnknownOutcome(operation)) return unknown;
		if (phase === 'error') return errorLevel;
		if (phase === 'unknown') return unknown;
		const isSettled = phase === 'active' || stoppedPhases.includes(phase);
		if (!isSettled) return changing;
		// Nobody knows whether it is still active or stopped, but a problem is shown even if its data is old.
		if (age === 'old') return oldData;
		return phase === 'active' ? active : stopped;
	},
};

const byVersion: Colours = {
	levels: [stopped, unknown, latest, oldData, behind, errorLevel],
	legend: [errorLevel, behind, latest, oldData, stopped, unknown],
	alarm: behind,
	levelOf({ computer: { phase, reading }, isOutdated }, age) {
		if (phase === 'error') return errorLevel;
		if (!reading.version) return stoppedPhases.includes(phase) ? stopped : unknown;
		if (age === 'old') return oldData;
		return isOutdated ? behind : latest;
	},
};

const valueTones: readonly Tone[] = ['usual', 'accent', 'doubt', 'old', 'busy', 'idle'];

/** A computer in error is red among all colours. */
function byValue(
	field: 'location' | 'account',
	rows: readonly FleetRow[],
	accounts: readonly OpenedAccount[],
): Colours {
	const { valueIn, compare } = mapFields[field];
	const values = [...new Set(rows.map(row => valueIn(row, accounts)))]
		.filter(value => value !== undefined)
		.sort(compare);
	const letters = distinctLetters(values);
	const levels = new Map(
		values.map((value, at): [string, Level] => {
			const own = accounts.find(({ profile }) => profile.name === value)?.profile.colour;
			const colour = field === 'account' ? accountTone(own) : undefined;
			const tone = colour ?? valueTones[at % valueTones.length] ?? 'usual';
			return [value, { word: value, letter: letters[at]?.toLowerCase() ?? '.', tone }];
		}),
	);
	return {
		levels: [unknown, ...levels.values(), errorLevel],
		legend: [errorLevel, ...levels.values(), unknown],
		alarm: errorLevel,
		levelOf(row) {
			if (row.computer.phase === 'error') return errorLevel;
			return levels.get(valueIn(row, accounts) ?? '') ?? unknown;
		},
	};
}

export function coloursBy(
	field: MapField,
	rows: readonly FleetRow[],
	accounts: readonly OpenedAccount[],
): Colours {
	if (field === 'status') return byStatus;
	return field === 'version' ? byVersion : byValue(field, rows, accounts);
}
