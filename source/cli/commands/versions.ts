import { isOutdated } from '../../fleet/computers/version.ts';
import type { JsonFields, JsonRecord } from '../../script/command.ts';
import { isoTime } from '../../script/iso-time.ts';
import { printedAccounts, viewText } from '../../script/plain-sections.ts';
import { printAccounts } from '../../script/print-accounts.ts';
import type { AccountState } from '../../store/state.ts';
import { countVersions, type VersionCount } from '../../views/versions.ts';
import type { Command } from '../command.ts';
import { severalReadingOptions } from '../options.ts';

const versionsFields = {
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

export const versions: Command = {
	name: 'versions',
	summary: 'show the latest version, its notes, and how many computers run which version',
	options: severalReadingOptions,
	examples: ['crowsnest versions', 'crowsnest versions --json | jq .behind'],
	json: { form: 'object', fields: versionsFields, formForSeveral: 'array' },
	run: (host, args) =>
		printAccounts(host, args, {
			async read(fleet) {
				await fleet.readOrThrow('release');
				await fleet.readOrThrow('list');
				return fleet.accountNow();
			},
			recordOf: account => versionsRecord(account, countVersions(printedAccounts(account))),
			textOf: account => viewText(host, args, 'versions', account),
		}),
};

function versionsRecord({ release }: AccountState, versionCounts: readonly VersionCount[]) {
	const running = versionCounts.flatMap(({ version, names }) =>
		version === undefined
			? []
			: [{ version, count: names.length, isBehind: isOutdated(version, release?.version) }],
	);
	return {
		latest: release?.version ?? null,
		channel: release?.channel ?? null,
		releasedAt: isoTime(release?.releasedAt),
		title: release?.title ?? null,
		description: release?.description ?? null,
		changes: release?.changes ?? [],
		running,
		behind: running
			.filter(runningVersion => runningVersion.isBehind)
			.reduce((sum, { count }) => sum + count, 0),
		notRead: versionCounts.find(({ version }) => version === undefined)?.names.length ?? 0,
	} satisfies JsonRecord<typeof versionsFields>;
}
