import { clickable, type DrawnLine, drawnLine } from '../../drawing/drawn-line.ts';
import { fitToWidth, justifySpans, partsThatFit, type Span, widthOf } from '../../drawing/span.ts';
import type { Theme, Tone } from '../../drawing/theme.ts';
import type { Phase } from '../../fleet/computers/computer.ts';
import { countText } from '../../foundation/number-text.ts';
import type { Binding } from '../../keys/binding.ts';
import { shownKeyOf } from '../../keys/shown-keys.ts';
import { ageOf, outageOf, type StatusAges } from '../../store/freshness.ts';
import type { FleetCounts } from '../../store/selectors.ts';
import type { JointAccount } from '../../store/state.ts';
import { connectionSpans } from '../phrases/freshness-text.ts';
import { phaseStyles } from '../table/status-text.ts';

//  ✖ 1 error  ◐ 2 changing  ○ 4 stopped  ● 17 active   ↑ 3 behind                                   live, 2 s ago
//  ✖ 0 error  ◐ 0 changing  ○ 4 stopped  ● 17 active   ↑ 3 behind of 12 known           ✖ offline 3 m 04 s, next try in 12 s
//  ✖ 0 error  ◐ 0 changing  ○ 4 stopped  ● 14 active   ↑ 3 behind  ? 3 old             statuses 4 s to 31 m old
//  ✖1  ◐2  ○4  ●17   ↑3/12                  2 s ago       on a narrow screen

export type CountsOptions = {
	account: JointAccount;
	counts: FleetCounts;
	bindings: readonly Binding[];
	now: number;
	/**
	 * The time within the recording that is being replayed, in milliseconds since the epoch; undefined outside
	 * a replay.
	 */
	replayAt?: number | undefined;
	/** Whether the sign-in waits for a password, so that nothing is read. */
	isPasswordWanted?: boolean;
	/** Whether this program can ask a person for a password, so that a hint for signing in makes sense. */
	canSignIn?: boolean;
	/** Whether a rule above the table says why the platform does not answer. */
	hasRule?: boolean;
	/** The ages of the statuses on screen, if they are read one by one. */
	statusAges?: StatusAges | undefined;
	width: number;
	theme: Theme;
};

/**
 * Draws the second line of the header: the counts of computers, trouble first, and the state of the connection at its
 * end. Each number has room for the size of the whole fleet, so that no part moves when a number grows.
 */
export function countsLine(options: CountsOptions): DrawnLine {
	const { width, theme } = options;
	const counted = countSlots(options);
	const others = extraCounts(options);
	const partsOf = (form: SlotForm, otherForm: SlotForm) => [
		...counted.map(slot => slotSpans(slot, form, options)),
		...others.map(extra => slotSpans(extra, otherForm, options)),
	];
	// Either all usual counts have their words or none has, so that they look alike. The rare counts share a sign, so only
	// one of them can be without its word.
	const forms = [
		partsOf('sentence', 'words'),
		partsOf('words', 'words'),
		...(others.length === 1 ? [partsOf('words', 'signs')] : []),
	];
	const room = width - 2 - partGap - minConnectionWidth;
	const worded = forms.find(parts => totalWidth(parts, theme) - 1 <= room);
	const left: readonly Span[] = [
		[' '],
		...partsThatFit(worded ?? partsOf('signs', 'words'), ' ', room, theme),
	];
	const connection = connectionIn(width - widthOf(left, theme) - partGap - 1, options);
	return drawnLine(justifySpans(left, [...connection, [' ']], width, theme), theme);
}

/** The cells of "59 m ago", the shortest form of the connection. */
const minConnectionWidth = 9;

/** At least this many blanks stand between the counts and the connection. */
const partGap = 2;

const totalWidth = (parts: readonly (readonly Span[])[], theme: Theme) =>
	parts.reduce((sum, part) => sum + widthOf(part, theme) + 1, 0);

function connectionIn(room: number, options: CountsOptions): readonly Span[] {
	const { bindings, theme } = options;
	const signInKey = shownKeyOf(bindings, 'signIn');
	return fitToWidth(connectionSpans({ ...options, signInKey, room }), room, theme, 'right');
}

/** One count of the line. A click filters the table to the computers that it counts. */
type CountSlot = {
	sign: string;
	tone: Tone;
	count: number;
	word: string;
	filter?: string | undefined;
	/** Whether the count is no part of the sum of the others, so that it stands apart from them. */
	isApart?: boolean;
	/** Whether the count would be a guess, because a read that it needs has not been answered yet. */
	isGuess?: boolean;
	/** How many computers were looked at; absent if all were. */
	known?: number | undefined;
};

/** How a count is written: `↑ 3 behind of 12 known`, `↑ ≥3 behind` or `↑3/12`. Most counts are of all computers. */
type SlotForm = 'sentence' | 'words' | 'signs';

const knownText = (known: number) => ` of ${countText(known)} known`;

/** The cells that each number has: enough for the size of the whole fleet. */
const digitsIn = (computerCount: number) => Math.max(2, countText(computerCount).length);

const changingPhases: readonly Phase[] = [
	...(['creating', 'starting', 'restarting', 'updating', 'stopping'] as const),
];

/** Returns the counts that always have a slot, trouble first. */
function countSlots({
	account: { release },
	counts: { phases, outdated, versions },
	theme,
}: CountsOptions): readonly CountSlot[] {
	const ofPhase = (phase: Phase): CountSlot => {
		const { label, glyph, tone } = phaseStyles[phase];
		const word = label.toLowerCase();
		const count = phases[phase] ?? 0;
		const sign = String(theme.glyphs[glyph]);
		return { sign, tone, count, word, filter: `status:=${phase}` };
	};
	const behind: CountSlot = {
		sign: theme.glyphs.updateAvailable,
		tone: 'accent',
		count: outdated,
		word: 'behind',
		filter: release && `version:<${release.version}`,
		isApart: true,
		isGuess: release === undefined && outdated === 0,
		known: versions?.known,
	};
	return [
		ofPhase('error'),
		{
			...ofPhase('creating'),
			count: changingPhases.reduce((sum, phase) => sum + (phases[phase] ?? 0), 0),
			word: 'changing',
			filter: changingPhases.map(phase => `status:=${phase}`).join(' OR '),
		},
		ofPhase('stopped'),
		ofPhase('active'),
		...(behind.known === 0 ? [] : [behind]),
	];
}

/** Returns the counts that are seldom shown, and so have no slot of their own. */
function extraCounts({
	account,
	counts: { phases, old },
	theme,
}: CountsOptions): readonly CountSlot[] {
	const { glyphs } = theme;
	const rare = (count = 0, word: string, tone: Tone): CountSlot => ({
		sign: glyphs.unknown,
		tone,
		count,
		word,
	});
	return [
		rare(old, 'old', 'busy'),
		rare(phases.unknown, 'unknown', 'busy'),
		rare(account.unreadableCount, 'unreadable', 'busy'),
		{ ...rare(phases.pooled, 'pooled', 'faint'), sign: glyphs.stopped },
	].filter(({ count }) => count > 0);
}

/**
 * Writes a count into its slot, which has room for as many digits as the whole fleet. A count of 0 is grey, and all
 * counts are grey while the data is old. Before the list is read, a dash stands for each number, because 0 would be a
 * guess.
 */
function slotSpans(
	{ sign, tone, count, word, filter, isApart = false, isGuess = false, known }: CountSlot,
	form: SlotForm,
	options: CountsOptions,
): readonly Span[] {
	const { account, counts, theme } = options;
	const hasWords = form !== 'signs';
	const isListed = counts.total > 0 || account.reads.list?.answer !== undefined;
	const number = isListed && !isGuess ? countText(count) : theme.glyphs.noValue;
	const isQuiet = count === 0 || isOutdated(options);
	const digits = digitsIn(counts.total);
	// In a large fleet, blanks are put before the sign, so that no word moves when its number gets longer.
	const isRightAligned = hasWords && counts.total >= largeFleet;
	const blanks = ' '.repeat(isRightAligned ? Math.max(0, digits - number.length) : 0);
	const { notRead, atLeast } = theme.glyphs;
	const forms = known !== undefined && {
		sentence: ` ${number} ${word}${knownText(known)}`,
		words: ` ${count === 0 ? notRead : `${atLeast}${number}`} ${word}`,
		signs: `${number}/${countText(known)}`,
	};
	const text = forms ? forms[form] : hasWords ? ` ${number} ${word}` : number;
	const more = known !== undefined && form === 'sentence' ? knownText(known).length : 0;
	const width = hasWords ? digits + 2 + word.length + more : digits;
	const spans: readonly Span[] = [
		[isApart ? `  ${blanks}` : blanks],
		[sign, isQuiet ? 'faint' : tone],
		...fitToWidth(
			[[text, isQuiet ? 'faint' : undefined]],
			Math.max(width - blanks.length, text.length),
			theme,
		),
	];
	if (filter === undefined) return spans;
	return clickable(spans, { type: 'move', move: { type: 'filterFleet', text: filter } });
}

/**
 * From this size on, numbers are right-aligned, because they may differ by several digits. In a smaller fleet, they
 * stand close to their signs.
 */
const largeFleet = 100;

/** Whether the counts are out of date, so that colours would suggest that they are current. */
function isOutdated({ account, now }: CountsOptions): boolean {
	const { answer } = account.reads.list ?? {};
	return outageOf(account, now) !== undefined || (!!answer && ageOf(answer, now) === 'old');
}
