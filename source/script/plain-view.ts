import { runwayOf } from '../fleet/computers/runway.ts';
import { initialScreen } from '../screen/screen.ts';
import type { TextView } from '../screen/view-table.ts';
import type { Host } from '../session/host.ts';
import type { ParsedArgs } from '../shell/command.ts';
import type { AccountState } from '../store/state.ts';
import { createViewSelectors, viewTexts } from '../wording/views/view-texts.ts';
import { outputWidth, plainSectionLines, plainTheme } from './plain-sections.ts';

/** Prints a view of the monitor as lines without colours, in its default order. */
export function printView(host: Host, args: ParsedArgs, view: TextView, account: AccountState) {
	const { stdout } = host.program;
	const theme = plainTheme(host, args);
	const { sections, maxPlainWidth = Number.POSITIVE_INFINITY } = viewTexts[view];
	const shownSections = sections({
		...initialScreen(''),
		...createViewSelectors(),
		account,
		runway: runwayOf(account.samples),
		width: Math.min(maxPlainWidth, outputWidth(stdout)),
		lines: Number.POSITIVE_INFINITY,
		now: host.clock.now(),
		theme,
	});
	stdout.write(`${plainSectionLines(shownSections, theme).join('\n')}\n`);
}
