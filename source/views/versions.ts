import type { Release } from '../fleet/computers/account.ts';
import { computerName, isCountedPhase, isVersionNotRead } from '../fleet/computers/computer.ts';
import { compareVersions, isBehind } from '../fleet/filters/order.ts';
import { isoTime, type JsonFields, jsonRecord } from '../foundation/json.ts';
import { countText } from '../foundation/number-text.ts';
import { bar } from '../lines/chart.ts';
import { type Line, line, paragraph, parted } from '../lines/line.ts';
import { fitList } from '../lines/parts.ts';
import type { Span } from '../lines/span.ts';
import { type Column, table } from '../lines/table.ts';
import { timeText } from '../lines/time-text.ts';
import { nameWithAccount, type OpenedAccount } from '../store/selectors.ts';
import { choiceIndex } from './look/cursor.ts';
import { failureLines, missingLines } from './phrases/reads.ts';
import type { NamedView, Scene, ViewLine } from './scene.ts';

//  Versions                                                          read 12 m ago
//  Latest  1.4.2  stable  released 2026-11-14 09:00 (7 d ago)
//  3 of 24 behind, 4 unknown                       or: 3 of 12 known behind, versions of 9 not read yet
//   VERSION   COMPUTERS
//   1.4.2            17   ━━━━━━━━━━━━━━━━━━━━━╸─────────
// ❯ 1.3.9 ↑           3   ━━━╸───────────────────────────
//  1.3.9: atlas, borealis, cygnus

const read = 'release';

const fields = {
	latest: 'newest released version',
	channel: 'release channel',
	releasedAt: 'time of its release',
	title: 'title of its notes',
	description: 'text of its notes',
	changes: 'changes in its notes, each with type and text',
	running:
		'versions in use, each with version, count and isBehind; version is null if a computer reports none',
	behind: 'number of computers that are known to run an older version',
	notRead: 'number of computers whose version is not read yet; they are not in running',
} as const satisfies JsonFields;

export const versions: NamedView = {
	hasCursor: true,
	read,
	title: () => [[['Versions', 'strong']]],
	lines(scene) {
		const { release } = scene.account;
		const counts = countVersions(scene.accounts);
		const rows = versionsTable(counts, scene);
		if (!release) return parted<ViewLine>(missingLines(scene, read), rows);
		return parted<ViewLine>(
			[
				latestLine(release, scene),
				...failureLines(scene, read),
				behindLine(counts, release.version),
				...rows,
			],
			namesLines(counts, scene),
			releaseNotes(release, scene.width),
		);
	},
	records: scene => runningIn(scene),
	command: {
		help: 'show the latest version, its notes, and how many computers run which version',
		examples: ['', '--json | jq .behind'],
		reads: [read, 'list'],
		json: { form: 'object', fields },
		record: scene => recordOf(scene),
	},
};

/** Null stands for an unknown version, undefined for one that nobody has read yet. */
type VersionCount = { version: string | null | undefined; names: readonly string[] };

const nameOf = ({ version }: VersionCount) =>
	version === undefined ? 'not read yet' : (version ?? 'unknown');

const totalOf = (counts: readonly VersionCount[]) =>
	counts.reduce((total, { names }) => total + names.length, 0);

function countVersions(
	accounts: readonly Pick<OpenedAccount, 'profile' | 'state'>[],
): readonly VersionCount[] {
	const names = new Map<VersionCount['version'], string[]>();
	for (const { profile, state } of accounts)
		for (const computer of state.computers.values()) {
			if (!isCountedPhase(computer.phase)) continue;
			const version = isVersionNotRead(computer) ? undefined : computer.reading.version || null;
			const name = computerName(computer);
			const own = accounts.length > 1 ? nameWithAccount(profile.shortName, name) : name;
			const same = names.get(version);
			if (same) same.push(own);
			else names.set(version, [own]);
		}
	const known = [...names.keys()].filter(version => typeof version === 'string');
	return [...known.sort((a, b) => compareVersions(b, a)), null, undefined].flatMap(version => {
		const own = names.get(version);
		return own ? [{ version, names: own }] : [];
	});
}

function latestLine({ version, channel, releasedAt }: Release, { now, times }: Scene): Line {
	const released =
		releasedAt === undefined
			? ''
			: `  released ${timeText(releasedAt, now)} (${times.ago(now - releasedAt)})`;
	return line(
		['Latest  ', 'faint'],
		[version, 'strong'],
		[channel ? `  ${channel}` : ''],
		[released, 'faint'],
	);
}

function behindLine(counts: readonly VersionCount[], latest: string): Line {
	const total = totalOf(counts);
	const behind = totalOf(counts.filter(({ version }) => isBehind(version, latest)));
	const unknown = totalOf(counts.filter(({ version }) => version === null));
	const notRead = totalOf(counts.filter(({ version }) => version === undefined));
	if (total === 0) return line(['No computers yet.', 'faint']);
	const others: Span = [unknown > 0 ? `, ${countText(unknown)} unknown` : '', 'faint'];
	if (notRead === 0 && behind === 0) return line(['No computer needs an update', 'good'], others);
	const known = total - unknown - notRead;
	if (notRead > 0 && known === 0)
		return line([`Versions of ${countText(notRead)} not read yet`, 'faint'], others);
	const among = notRead > 0 ? `${countText(known)} known` : countText(total);
	const missing = notRead > 0 ? `, versions of ${countText(notRead)} not read yet` : '';
	const text = `${countText(behind)} of ${among} behind`;
	return line([text, behind > 0 ? 'accent' : undefined], others, [missing, 'faint']);
}

function versionsTable(counts: readonly VersionCount[], { account, width }: Scene) {
	if (counts.length === 0) return [];
	const latest = account.release?.version;
	const total = totalOf(counts);
	const columns: readonly Column<VersionCount>[] = [
		{
			title: 'VERSION',
			min: 9,
			cell: row => [[`${nameOf(row)}${isBehind(row.version, latest) ? ' ↑' : ''}`]],
		},
		{ title: 'COMPUTERS', min: 9, align: 'right', cell: row => [[countText(row.names.length)]] },
		{
			title: '',
			widths: [
				[1, 8],
				[Infinity, 100],
			],
			isDrawn: true,
			cell: ({ names }, cells) => bar(names.length / total, cells, 'accent'),
		},
	];
	return table(columns, counts, width, (row): Partial<ViewLine> => {
		const opens = row.version
			? ({ type: 'filter', text: `version:${row.version}` } as const)
			: undefined;
		return { id: nameOf(row), opens };
	});
}

function namesLines(counts: readonly VersionCount[], { screen, width }: Scene): readonly Line[] {
	const choices = counts.map((row, line) => ({ id: nameOf(row), line }));
	const chosen = counts[choiceIndex(screen, choices)];
	if (!chosen) return [];
	const label = `${nameOf(chosen)}: `;
	const names = chosen.names.map((name): readonly Span[] => [[name]]);
	return [line([label, 'faint'], ...fitList(names, width - label.length - 2))];
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

const runningIn = ({ account: { release }, accounts }: Scene) =>
	countVersions(accounts).flatMap(({ version, names }) =>
		version === undefined
			? []
			: [{ version, count: names.length, isBehind: isBehind(version, release?.version) }],
	);

function recordOf(scene: Scene) {
	const { release } = scene.account;
	const running = runningIn(scene);
	const unread = countVersions(scene.accounts).find(({ version }) => version === undefined);
	return jsonRecord(fields, {
		...release,
		latest: release?.version,
		releasedAt: isoTime(release?.releasedAt),
		changes: release?.changes ?? [],
		running,
		behind: running.reduce((sum, { count, isBehind }) => sum + (isBehind ? count : 0), 0),
		notRead: unread?.names.length ?? 0,
	});
}
