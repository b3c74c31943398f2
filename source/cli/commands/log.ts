import { type Change, mergeChanges } from '../../fleet/change.ts';
import { isNewer, type NotesOwner } from '../../journal/file-version.ts';
import { changeEntryFrom, isEntryOfOwner } from '../../journal/journal-entry.ts';
import { createLineFile } from '../../journal/line-file.ts';
import { changeRecord } from '../../script/change-record.ts';
import { plainLine, plainTheme, plainWidth } from '../../script/plain-sections.ts';
import { journalPath, ownerOf } from '../../session/open-journal.ts';
import { accountFor } from '../../session/open-session.ts';
import { exitCodes, type Given, type Run, UsageError } from '../../shell/command.ts';
import type { Host } from '../../shell/host.ts';
import { settingsOf } from '../../shell/load-settings.ts';
import { createNotices } from '../../shell/notices.ts';
import { createLogOf } from '../../wording/log-rows.ts';
import { createLogLine } from '../../wording/log-text.ts';

const usualLimit = 100;

/** What runs on this host kept of what happened. Nobody is asked for it. */
export const log: Run = async (host, given) => {
	const { program, clock } = host;
	const now = clock.now();
	const from = now - sinceFrom(given.text('since'));
	const limit = given.whole('limit', 1, 1_000_000) ?? usualLimit;
	const owner = ownerOf(accountFor(host, settingsOf(host, given)));
	const kept = await keptChanges(host, given, owner);
	const matching = createLogOf()(kept, given.text('filter') ?? '');
	const changes = matching.filter(({ at }) => at >= from).slice(0, limit);
	if (given.flag('json')) {
		program.stdout.write(`${JSON.stringify(changes.map(changeRecord), undefined, 2)}\n`);
		return exitCodes.done;
	}
	if (changes.length === 0) {
		const say = createNotices(program, false);
		say(kept.length > 0 ? 'nothing that is kept matches' : 'nothing is kept of this account yet');
	}
	const theme = plainTheme(host, given);
	const lineOf = createLogLine(changes, { now, width: plainWidth, theme });
	const lines = changes.map(change => `${plainLine(lineOf(change), theme).trimStart()}\n`);
	program.stdout.write(lines.join(''));
	return exitCodes.done;
};

async function keptChanges(
	host: Host,
	given: Given,
	owner: NotesOwner,
): Promise<readonly Change[]> {
	const { program, clock } = host;
	const say = createNotices(program, given.flag('json'));
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
