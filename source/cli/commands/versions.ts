import { isBehind } from '../../fleet/version.ts';
import { readForFilter } from '../../script/complete-readings.ts';
import { isoTime } from '../../script/computer-record.ts';
import { withFleet } from '../../script/fleet.ts';
import {
	defaultWidth,
	outputWidth,
	plainSectionLines,
	plainTheme,
} from '../../script/plain-sections.ts';
import { exitCodes, type Run } from '../../shell/command.ts';
import type { RecordOf, versionsFields } from '../../shell/json-fields.ts';
import type { AccountState } from '../../store/state.ts';
import {
	createVersionCounts,
	type VersionCount,
	versionsSections,
} from '../../wording/versions-text.ts';

/** The latest version with its notes, and what runs where. */
export const versions: Run = (host, args) =>
	withFleet(host, args, async fleet => {
		const { stdout } = host.program;
		await fleet.require('release');
		await fleet.require('list');
		await readForFilter(fleet, ['version']);
		const account = fleet.current();
		const running = createVersionCounts()(account);
		if (args.flag('json')) {
			stdout.write(`${JSON.stringify(versionsRecord(account, running), undefined, 2)}\n`);
			return exitCodes.done;
		}
		const theme = plainTheme(host, args);
		const now = host.clock.now();
		const sections = versionsSections({
			account,
			versionCounts: running,
			now,
			width: Math.min(defaultWidth, outputWidth(stdout)),
			theme,
		});
		stdout.write(`${plainSectionLines(sections, theme).join('\n')}\n`);
		return exitCodes.done;
	});

function versionsRecord({ release }: AccountState, running: readonly VersionCount[]) {
	const all = running.map(({ version, count }) => {
		return { version, count, isBehind: isBehind(version, release?.version) };
	});
	return {
		latest: release?.version ?? null,
		channel: release?.channel ?? null,
		releasedAt: isoTime(release?.releasedAt),
		title: release?.title ?? null,
		description: release?.description ?? null,
		changes: release?.changes ?? [],
		running: all,
		behind: all.filter(each => each.isBehind).reduce((sum, { count }) => sum + count, 0),
	} satisfies RecordOf<typeof versionsFields>;
}
