import { type Change, mergeChanges } from '../../fleet/change.ts';
import { isNewer, type LinesOwner } from '../../journal/file-version.ts';
import { changeEntryFrom, isEntryOfOwner } from '../../journal/journal-entry.ts';
import { createLineFile } from '../../journal/line-file.ts';
import { changeFields, changeRecord } from '../../script/json-records.ts';
import { defaultWidth, plainLine, plainTheme } from '../../script/plain-sections.ts';
import type { Host } from '../../session/host.ts';
import { journalOwnerOf, journalPath } from '../../session/open-journal.ts';
import { type Command, exitCodes } from '../../shell/command.ts';
import { createNotify } from '../../shell/errors.ts';
import { loadSettings, requireAccount } from '../../shell/load-settings.ts';
import { accountOptions, asciiOption, jsonOption } from '../../shell/options.ts';
import { createLogFilter, createLogLineFormatter } from '../../wording/views/log-text.ts';

const defaultLimit = 100;

export const log: Command = {
	name: 'log',
	summary: 'show the changes that crowsnest recorded on this host, newest first',
	options: [
		{
			name: 'filter',
			valueName: 'WORDS',
			help: 'only lines with all these words; -WORD excludes lines with WORD',
		},
		{ name: 'since', valueName: 'TIME', help: 'only changes of the last 90s, 30m, 2h, 7d or 2w' },
		{ name: 'limit', valueName: 'N', help: `at most N lines (${defaultLimit})` },
		asciiOption,
		...accountOptions,
		jsonOption,
	],
	examples: [
		'crowsnest log --since 2h',
		"crowsnest log --filter 'atlas -asleep' --limit 20 --json",
	],
	json: { form: 'array', fields: changeFields },
	async run(host, args) {
		const { program, clock } = host;
		const now = clock.now();
		const earliestTime = now - (args.duration('since') ?? Number.POSITIVE_INFINITY);
		const limit = args.wholeNumber('limit', 1, 1_000_000) ?? defaultLimit;
		const notify = createNotify(program, args.flag('json'));
		const owner = journalOwnerOf(requireAccount(host, loadSettings(host, args)));
		const recordedChanges = await readChanges(host, owner, notify);
		const matchingChanges = createLogFilter()(recordedChanges, args.text('filter') ?? '');
		const changes = matchingChanges.filter(({ at }) => at >= earliestTime).slice(0, limit);
		if (args.flag('json')) {
			program.stdout.write(`${JSON.stringify(changes.map(changeRecord), undefined, 2)}\n`);
			return exitCodes.done;
		}
		if (changes.length === 0) {
			notify(
				recordedChanges.length > 0
					? 'No recorded change matches'
					: 'No change of this account is recorded yet',
			);
		}
		const theme = plainTheme(host, args);
		const lineOf = createLogLineFormatter(changes, { now, width: defaultWidth, theme });
		const lines = changes.map(change => `${plainLine(lineOf(change), theme).trimStart()}\n`);
		program.stdout.write(lines.join(''));
		return exitCodes.done;
	},
};

async function readChanges(
	host: Host,
	owner: LinesOwner,
	notify: (line: string) => void,
): Promise<readonly Change[]> {
	const journalFile = createLineFile({
		directory: journalPath(host),
		baseName: 'journal',
		clock: host.clock,
		pid: host.program.pid,
		maxFileBytes: Number.POSITIVE_INFINITY,
		onProblem: message => notify(`Cannot read the journal: ${message}`),
	});
	const lines = await journalFile.read();
	if (lines.some(isNewer)) {
		notify('A newer version of crowsnest wrote part of the journal. That part is not shown');
	}
	const entries = lines.flatMap(line => changeEntryFrom(line) ?? []);
	const entriesOfOwner = entries.filter(entry => isEntryOfOwner(owner, entry));
	return mergeChanges(
		[],
		entriesOfOwner.map(({ what }) => what),
	);
}
