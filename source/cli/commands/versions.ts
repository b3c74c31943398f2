import { isOutdated } from '../../fleet/computers/version.ts';
import { withFleet } from '../../script/fleet.ts';
import { isoTime } from '../../script/iso-time.ts';
import { printView } from '../../script/plain-sections.ts';
import { type Command, exitCodes, type JsonFields, type JsonRecord } from '../../shell/command.ts';
import { readingOptions } from '../../shell/options.ts';
import type { AccountState } from '../../store/state.ts';
import { createVersionCounter, type VersionCount } from '../../wording/views/versions-text.ts';

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
	options: readingOptions,
	examples: ['crowsnest versions', 'crowsnest versions --json | jq .behind'],
	json: { form: 'object', fields: versionsFields },
	run: (host, args) =>
		withFleet(host, args, async fleet => {
			const { stdout } = host.program;
			await fleet.readOrThrow('release');
			await fleet.readOrThrow('list');
			const account = fleet.accountNow();
			if (args.flag('json')) {
				const versionCounts = createVersionCounter()([{ state: account }]);
				stdout.write(`${JSON.stringify(versionsRecord(account, versionCounts), undefined, 2)}\n`);
				return exitCodes.done;
			}
			printView(host, args, 'versions', account);
			return exitCodes.done;
		}),
};

function versionsRecord({ release }: AccountState, versionCounts: readonly VersionCount[]) {
	const running = versionCounts.flatMap(({ version, count }) =>
		version === undefined
			? []
			: [{ version, count, isBehind: isOutdated(version, release?.version) }],
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
		notRead: versionCounts.find(({ version }) => version === undefined)?.count ?? 0,
	} satisfies JsonRecord<typeof versionsFields>;
}
