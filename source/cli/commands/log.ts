import { type Change, mergeChanges } from '../../fleet/change.ts';
import { isNewer, type NotesOwner } from '../../journal/file-version.ts';
import { changeEntryFrom, isEntryOfOwner } from '../../journal/journal-entry.ts';
import { createLineFile } from '../../journal/line-file.ts';
import { changeRecord } from '../../script/change-record.ts';
import { defaultWidth, plainLine, plainTheme } from '../../script/plain-sections.ts';
import type { Host } from '../../session/host.ts';
import { journalPath, ownerOf } from '../../session/open-journal.ts';
import { exitCodes, type ParsedArgs, type Run } from '../../shell/command.ts';
import { UsageError } from '../../shell/errors.ts';
import { loadSettings, requireAccount } from '../../shell/load-settings.ts';
import { createNotices } from '../../shell/notices.ts';
import { createLogFilter, createLogLine } from '../../wording/log-text.ts';

const usualLimit = 100;

/** What runs on this host kept of what happened. Nobody is asked for it. */
export const log: Run = async (host, args) => {
	const { program, clock } = host;
	const now = clock.now();
	const from = now - sinceFrom(args.text('since'));
	const limit = args.whole('limit', 1, 1_000_000) ?? usualLimit;
	const owner = ownerOf(requireAccount(host, loadSettings(host, args)));
	const kept = await keptChanges(host, args, owner);
	const matching = createLogFilter()(kept, args.text('filter') ?? '');
	const changes = matching.filter(({ at }) => at >= from).slice(0, limit);
	if (args.flag('json')) {
		program.stdout.write(`${JSON.stringify(changes.map(changeRecord), undefined, 2)}\n`);
		return exitCodes.done;
	}
	if (changes.length === 0) {
		const say = createNotices(program, false);
		say(kept.length > 0 ? 'nothing that is kept matches' : 'nothing is kept of this account yet');
	}
	const theme = plainTheme(host, args);
	const lineOf = createLogLine(changes, { now, width: defaultWidth, theme });
	const lines = changes.map(change => `${plainLine(lineOf(change), theme).trimStart()}\n`);
	program.stdout.write(lines.join(''));
	return exitCodes.done;
};

async function keptChanges(
	host: Host,
	args: ParsedArgs,
	owner: NotesOwner,
): Promise<readonly Change[]> {
	const { program, clock } = host;
	const say = createNotices(program, args.flag('json'));
	const file = createLineFile({
		directory: journalPath(host),
		name: 'journal',
		clock,
		pid: program.pid,
		bytesAtMost: Number.POSITIVE_INFINITY,
		onTrouble: message => say(`the journal cannot be read: ${message}`),
	});
	const lines = await file.read();
	if (lines.some(isNewer)) {
		say('part of the journal was written by a newer version of crowsnest and is not shown');
	}
	const entries = lines.flatMap(line => changeEntryFrom(line) ?? []);
	const ours = entries.filter(entry => isEntryOfOwner(owner, entry));
	return mergeChanges(
		[],
		ours.map(({ what }) => what),
	);
}

const second = 1000;
const units: Readonly<Record<string, number>> = {
	s: second,
	m: 60 * second,
	h: 3_600 * second,
	d: 86_400 * second,
	w: 604_800 * second,
};

function sinceFrom(text: string | undefined): number {
	if (text === undefined) return Number.POSITIVE_INFINITY;
	const [, number, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
	const time = Number(number) * (units[unit] ?? Number.NaN);
	if (time > 0) return time;
	throw new UsageError('--since takes a time such as 90s, 30m, 2h, 7d or 2w');
}
