import { barSpans } from '../../drawing/chart.ts';
import { cursorWidth, fitTable, type Section, type TableBlock } from '../../drawing/section.ts';
import {
	fitToWidth,
	paintSpans,
	partsWithEllipsis,
	type Span,
	widthOf,
	wrapText,
} from '../../drawing/span.ts';
import type { Theme, Tone } from '../../drawing/theme.ts';
import { timeText } from '../../drawing/time-text.ts';
import type { Release } from '../../fleet/computers/account.ts';
import { isCountedPhase } from '../../fleet/computers/computer.ts';
import { isVersionNotRead } from '../../fleet/computers/not-read.ts';
import { compareVersions, isOutdated } from '../../fleet/computers/version.ts';
import { memoize } from '../../foundation/memoize.ts';
import { countText } from '../../foundation/number-text.ts';
import {
	type Choice,
	choiceIndex,
	chosenLineIndex,
	type ViewCursors,
} from '../../screen/choice.ts';
import { failureBehind } from '../../store/freshness.ts';
import { nameWithAccount } from '../../store/joint-account.ts';
import type { OpenedAccount } from '../../store/opened-accounts.ts';
import type { AccountState, ComputerState, JointAccount } from '../../store/state.ts';
import { readAgeSpans } from '../phrases/freshness-text.ts';
import { failingReadLines, readingText } from '../phrases/trouble-text.ts';

type VersionsOptions = {
	/** The joint state of all accounts. */
	account: JointAccount;
	accounts: readonly OpenedAccount[];
	countVersions: ReturnType<typeof createVersionCounter>;
	viewCursors?: ViewCursors;
	now: number;
	width: number;
	theme: Theme;
};

export function versionsTitle(options: VersionsOptions): readonly [Span[], readonly Span[]] {
	return [[['Versions', 'strong']], readAgeSpans(options, 'release')];
}

export function versionsSections(options: VersionsOptions): readonly Section[] {
	const namesLine = chosenVersionLine(options);
	const names: Section = namesLine ? [{ type: 'lines', lines: [[], namesLine] }] : [];
	const { account, accounts, countVersions, width, now, theme } = options;
	const versionCounts = countVersions(accounts);
	const { release, reads } = account;
	const failing = release ? reads.release?.failing : failureBehind(account, 'release', now);
	const failure = failingReadLines('release', failing);
	if (!release) {
		const latest: Section = failing
			? [{ type: 'lines', lines: failure }]
			: [{ type: 'waiting', text: readingText('release') }];
		return [latest, [...tableSection(options), ...names]];
	}
	const count = outdatedCountSpans(versionCounts, release.version);
	return [
		[
			{ type: 'lines', lines: [latestSpans(options), ...failure, count] },
			...tableSection(options),
			...names,
		],
		releaseNotesSection(release, width, theme),
	];
}

function latestSpans({ account, now, theme }: VersionsOptions): readonly Span[] {
	const { version = '', channel, releasedAt } = account.release ?? {};
	const spans: Span[] = [
		[' Latest  ', 'faint'],
		[version, 'strong'],
	];
	if (channel) spans.push([`  ${channel}`]);
	if (releasedAt !== undefined) {
		const ago = theme.times.ago(now - releasedAt);
		spans.push([`  released ${timeText(releasedAt, now)} (${ago})`, 'faint']);
	}
	return spans;
}

function outdatedCountSpans(
	versionCounts: readonly VersionCount[],
	latest: string,
): readonly Span[] {
	const total = versionCounts.reduce((sum, { count }) => sum + count, 0);
	const behind = versionCounts
		.filter(({ version }) => isOutdated(version, latest))
		.reduce((sum, { count }) => sum + count, 0);
	const countOf = (none: null | undefined) =>
		versionCounts.find(({ version }) => version === none)?.count ?? 0;
	const [unknown, notRead] = [countOf(null), countOf(undefined)];
	const unknownNote: readonly Span[] =
		unknown > 0 ? [[`, ${countText(unknown)} unknown`, 'faint']] : [];
	if (total === 0) return [[' No computers yet.', 'faint']];
	if (notRead > 0) {
		const known = total - unknown - notRead;
		const note = `ersions of ${countText(notRead)} not read yet`;
		if (known === 0) return [[` V${note}`, 'faint'], ...unknownNote];
		return [
			[
				` ${countText(behind)} of ${countText(known)} known behind`,
				behind > 0 ? 'accent' : undefined,
			],
			...unknownNote,
			[`, v${note}`, 'faint'],
		];
	}
	if (behind === 0) return [[' No computer needs an update', 'good'], ...unknownNote];
	return [[` ${countText(behind)} of ${countText(total)} behind`, 'accent'], ...unknownNote];
}

//  VERSION   COMPUTERS
//  1.4.2            17  ━━━━━━━━━━━━━━━━━━━━━╸─────────
//  1.3.9 ↑           3  ━━━╸───────────────────────────
//  unknown           4  ━━━━━──────────────────────────

function tableSection(options: VersionsOptions): readonly [TableBlock] | [] {
	const { account, accounts, countVersions, viewCursors, width, theme } = options;
	const versionCounts = countVersions(accounts);
	if (versionCounts.length === 0) return [];
	const latest = account.release?.version;
	const total = versionCounts.reduce((sum, { count }) => sum + count, 0);
	const rows = versionCounts.map(({ version, count }) => {
		const updateMark = isOutdated(version, latest) ? ` ${theme.glyphs.updateAvailable}` : '';
		return [`${versionName(version)}${updateMark}`, countText(count), String(count / total)];
	});
	const table = fitTable(
		[
			{ title: 'VERSION', minWidth: 9, dropOrder: 0 },
			{ title: 'COMPUTERS', minWidth: 9, dropOrder: 0, align: 'right' },
			// A pipe has no width, and nobody looks at bars there.
			...(Number.isFinite(width)
				? [{ title: '', minWidth: 8, maxWidth: maxBarCells, dropOrder: 1, draw: drawBar }]
				: []),
		],
		rows,
		width - cursorWidth,
		theme,
	);
	return [
		{ ...table, cursorLine: chosenLineIndex(viewCursors?.versions, versionChoices(options)) },
	];
}

/** Names the computers that run the version under the cursor; a printed view has no cursor. */
function chosenVersionLine(options: VersionsOptions): readonly Span[] | undefined {
	const { accounts, countVersions, viewCursors, width, theme } = options;
	if (viewCursors === undefined) return undefined;
	const counts = countVersions(accounts);
	const chosen = counts[choiceIndex(viewCursors.versions, versionChoices(options))];
	if (!chosen) return undefined;
	const begin: Span = [` ${versionName(chosen.version)}: `, 'faint'];
	const room = width - widthOf([begin], theme) - 1;
	const isOneOfSeveral = accounts.length > 1;
	const names = accounts.flatMap(({ profile, state }) =>
		firstNames(chosen.version, state.computers).map(name =>
			isOneOfSeveral ? nameWithAccount(profile.shortName, name) : name,
		),
	);
	const parts = names.map((name): readonly Span[] => [[name]]);
	return [begin, ...partsWithEllipsis(parts, ', ', room, theme)];
}

/** No terminal has room for more names in a line. */
const maxNames = 60;

const firstNames = memoize(
	(version: VersionCount['version'], computers: AccountState['computers']): readonly string[] => {
		const names: string[] = [];
		for (const computer of computers.values()) {
			if (!isCountedPhase(computer.phase) || versionOf(computer) !== version) continue;
			names.push(computer.reading.name ?? computer.id);
			if (names.length === maxNames) return names;
		}
		return names;
	},
);

/** Returns the rows of the table. Enter shows the computers that run the chosen version. */
export function versionChoices({ accounts, countVersions }: VersionsOptions): readonly Choice[] {
	return countVersions(accounts).map(({ version }, at) => ({
		id: versionName(version),
		line: at + 1,
		...(typeof version === 'string' && {
			opens: { type: 'filter', text: `version:${version}` } as const,
		}),
	}));
}

const maxBarCells = 100;

function drawBar(share: string, width: number, theme: Theme): string {
	return paintSpans(
		fitToWidth(barSpans(Number(share), width, theme, 'accent'), width, theme),
		theme,
	);
}

/** How many computers run a version. Null stands for an unknown version, undefined for one that nobody has read yet. */
export type VersionCount = { version: string | null | undefined; count: number };

const versionOf = (computer: ComputerState): VersionCount['version'] =>
	isVersionNotRead(computer) ? undefined : computer.reading.version || null;

const versionName = (version: VersionCount['version']): string =>
	version === undefined ? 'not read yet' : (version ?? 'unknown');

/**
 * Returns a function that counts the computers of each version, and returns the newest version first, and then those
 * that are unknown or not read yet.
 */
export function createVersionCounter(): (
	accounts: readonly Pick<OpenedAccount, 'state'>[],
) => readonly VersionCount[] {
	const count = memoize((...all: readonly AccountState['computers'][]) => {
		const counts = new Map<VersionCount['version'], number>();
		for (const computer of all.flatMap(computers => [...computers.values()])) {
			if (!isCountedPhase(computer.phase)) continue;
			const version = versionOf(computer);
			counts.set(version, (counts.get(version) ?? 0) + 1);
		}
		// Known versions come first.
		const rankOf = ({ version }: VersionCount) =>
			version === undefined ? 2 : version === null ? 1 : 0;
		return [...counts]
			.map(([version, count]) => ({ version, count }))
			.sort((a, b) => {
				if (typeof a.version === 'string' && typeof b.version === 'string')
					return compareVersions(b.version, a.version);
				return rankOf(a) - rankOf(b);
			});
	});
	return accounts => count(...accounts.map(({ state }) => state.computers));
}

//  New in 1.4.2
//  Faster starts
//  Computers wake in half the time, and the shell keeps its history.
//  · fixed: a full disk no longer stops the image from loading

/** Builds the notes of a release below a heading; no section for a release without notes. */
export function releaseNotesSection(release: Release, width: number, theme: Theme): Section {
	const lines = releaseNotesLines(release, width, theme);
	const heading: readonly Span[] = [[` New in ${release.version}`, 'strong']];
	return lines.length > 0 ? [{ type: 'lines', lines: [heading, ...lines] }] : [];
}

/** Formats the notes of a release as lines, wrapped to the width. */
export function releaseNotesLines(
	{ title, description, changes }: Release,
	width: number,
	theme: Theme,
): readonly (readonly Span[])[] {
	const bullet = `${theme.glyphs.separator} `;
	return [
		...(title ? paragraphLines(title, '', width, theme) : []),
		...(description ? paragraphLines(description, '', width, theme, 'faint') : []),
		...changes.flatMap(({ type, text }) =>
			paragraphLines(type === 'change' ? text : `${type}: ${text}`, bullet, width, theme),
		),
	];
}

/** Wraps a text after a bullet, and indents the other lines by the width of the bullet. */
export function paragraphLines(
	text: string,
	bullet: string,
	width: number,
	theme: Theme,
	tone?: Tone,
): readonly (readonly Span[])[] {
	const room = Math.max(1, width - bullet.length - 2);
	return wrapText(text, room, theme).map((line, at): readonly Span[] => [
		[` ${at === 0 ? bullet : ' '.repeat(bullet.length)}`, 'faint'],
		[line, tone],
	]);
}
