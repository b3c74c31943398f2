import type { Release } from '../fleet/computers/account.ts';
import { isCountedPhase } from '../fleet/computers/computer.ts';
import { isVersionNotRead } from '../fleet/computers/not-read.ts';
import { compareVersions, isOutdated } from '../fleet/computers/version.ts';
import { countText } from '../foundation/number-text.ts';
import { bar } from '../lines/bar.ts';
import { type Line, line, paragraph, parted } from '../lines/line.ts';
import { fitList } from '../lines/parts.ts';
import type { Span } from '../lines/span.ts';
import { type Column, table } from '../lines/table.ts';
import { timeText } from '../lines/time-text.ts';
import { nameWithAccount } from '../store/joint-account.ts';
import type { OpenedAccount } from '../store/opened-accounts.ts';
import { choiceIndex } from './look/choice.ts';
import { readAge } from './phrases/reads.ts';
import { failureLines, waitingLine } from './reads.ts';
import type { Scene } from './scene.ts';
import type { View, ViewLine } from './view.ts';

//  Versions                                                          read 12 m ago
//  Latest  1.4.2  stable  released 2026-11-14 09:00 (7 d ago)
//  3 of 24 behind, 4 unknown                       or: 3 of 12 known behind, versions of 9 not read yet
//   VERSION   COMPUTERS
//   1.4.2            17   ━━━━━━━━━━━━━━━━━━━━━╸─────────
// ❯ 1.3.9 ↑           3   ━━━╸───────────────────────────
//   unknown           4   ━━━━━──────────────────────────
//
//  1.3.9: atlas, borealis, cygnus
//
//  New in 1.4.2
//  Faster starts
//  · fixed: a full disk no longer stops the image from loading

/** Enter shows the computers that run the version under the cursor. */
export const versions: View = {
	hasCursor: true,
	title: scene => [[['Versions', 'strong']], readAge(scene, 'release')],
	lines(scene) {
		const { account, accounts, width } = scene;
		const { release } = account;
		const counts = countVersions(accounts);
		const rows = versionsTable(counts, scene);
		const failure = failureLines(scene, 'release');
		if (!release)
			return parted<ViewLine>(failure.length > 0 ? failure : [waitingLine('release')], rows);
		return parted<ViewLine>(
			[latestLine(release, scene), ...failure, outdatedLine(counts, release.version), ...rows],
			namesLines(counts, scene),
			releaseNotes(release, width),
		);
	},
};

/** Null stands for an unknown version, undefined for one that nobody has read yet. */
type VersionCount = { version: string | null | undefined; names: readonly string[] };

const nameOf = ({ version }: VersionCount) =>
	version === undefined ? 'not read yet' : (version ?? 'unknown');

/** The newest version comes first, and those that are unknown or not read yet come last. */
export function countVersions(
	accounts: readonly Pick<OpenedAccount, 'profile' | 'state'>[],
): readonly VersionCount[] {
	const names = new Map<VersionCount['version'], string[]>();
	for (const { profile, state } of accounts) {
		for (const computer of state.computers.values()) {
			if (!isCountedPhase(computer.phase)) continue;
			const version = isVersionNotRead(computer) ? undefined : computer.reading.version || null;
			const name = computer.reading.name ?? computer.id;
			const own = accounts.length > 1 ? nameWithAccount(profile.shortName, name) : name;
			const same = names.get(version);
			if (same) same.push(own);
			else names.set(version, [own]);
		}
	}
	const rankOf = (version: VersionCount['version']) =>
		version === undefined ? 2 : version === null ? 1 : 0;
	return [...names]
		.map(([version, names]) => ({ version, names }))
		.sort(({ version: a }, { version: b }) =>
			typeof a === 'string' && typeof b === 'string'
				? compareVersions(b, a)
				: rankOf(a) - rankOf(b),
		);
}

function latestLine({ version, channel, releasedAt }: Release, { now, times }: Scene): Line {
	const released = releasedAt === undefined ? '' : `  released ${timeText(releasedAt, now)}`;
	return line(
		['Latest  ', 'faint'],
		[version, 'strong'],
		[channel ? `  ${channel}` : ''],
		[released && `${released} (${times.ago(now - (releasedAt ?? now))})`, 'faint'],
	);
}

function outdatedLine(counts: readonly VersionCount[], latest: string): Line {
	const sum = (some: readonly VersionCount[]) =>
		some.reduce((total, { names }) => total + names.length, 0);
	const total = sum(counts);
	const behind = sum(counts.filter(({ version }) => isOutdated(version, latest)));
	const unknown = sum(counts.filter(({ version }) => version === null));
	const notRead = sum(counts.filter(({ version }) => version === undefined));
	const known = total - unknown - notRead;
	const notes: readonly Span[] = [
		[unknown > 0 ? `, ${countText(unknown)} unknown` : '', 'faint'],
		[notRead > 0 ? `, versions of ${countText(notRead)} not read yet` : '', 'faint'],
	];
	if (total === 0) return line(['No computers yet.', 'faint']);
	if (known === 0 && notRead > 0)
		return line([`Versions of ${countText(notRead)} not read yet`, 'faint'], ...notes.slice(0, 1));
	if (behind === 0 && notRead === 0) return line(['No computer needs an update', 'good'], ...notes);
	const among = notRead > 0 ? `${countText(known)} known` : countText(total);
	return line(
		[`${countText(behind)} of ${among} behind`, behind > 0 ? 'accent' : undefined],
		...notes,
	);
}

const versionColumns = (counts: readonly VersionCount[], latest: string | undefined) => {
	const total = counts.reduce((sum, { names }) => sum + names.length, 0);
	return [
		{
			title: 'VERSION',
			min: 9,
			drop: 0,
			cell: row => [[`${nameOf(row)}${isOutdated(row.version, latest) ? ' ↑' : ''}`]],
		},
		{
			title: 'COMPUTERS',
			min: 9,
			drop: 0,
			align: 'right',
			cell: ({ names }) => [[countText(names.length)]],
		},
		{
			title: '',
			min: 8,
			drop: 1,
			drawn: { max: 100 },
			cell: ({ names }, cells) => bar(names.length / total, cells, 'accent'),
		},
	] satisfies readonly Column<VersionCount>[];
};

function versionsTable(counts: readonly VersionCount[], { account, width }: Scene) {
	if (counts.length === 0) return [];
	const columns = versionColumns(counts, account.release?.version);
	return table(columns, counts, width, (row): Partial<ViewLine> => {
		const { version } = row;
		return {
			id: nameOf(row),
			opens:
				typeof version === 'string' ? { type: 'filter', text: `version:${version}` } : undefined,
		};
	});
}

function namesLines(counts: readonly VersionCount[], scene: Scene): readonly Line[] {
	const choices = counts.map((row, line) => ({ id: nameOf(row), line }));
	const chosen = counts[choiceIndex(scene.screen.viewCursors.versions, choices)];
	if (!chosen) return [];
	const label = `${nameOf(chosen)}: `;
	const names = chosen.names.map((name): readonly Span[] => [[name]]);
	return [line([label, 'faint'], ...fitList(names, scene.width - label.length - 2))];
}

function releaseNotes(release: Release, width: number): readonly Line[] {
	const { version, title, description, changes } = release;
	const lines = [
		...(title ? paragraph(title, width) : []),
		...(description ? paragraph(description, width, 'faint') : []),
		...changes.flatMap(({ type, text }) =>
			paragraph(type === 'change' ? text : `${type}: ${text}`, width, undefined, '· '),
		),
	];
	return lines.length > 0 ? [line([`New in ${version}`, 'strong']), ...lines] : [];
}
