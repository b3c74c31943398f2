import { cursorIndex } from '../screen/screen.ts';
import { historyOf } from '../store/change-log.ts';
import type { Row } from '../store/selectors.ts';
import { adviceText, outcomeFromOperation } from '../wording/phrases/outcome-text.ts';
import { spellOut } from '../wording/phrases/words.ts';
import { cellContextOf } from '../wording/table/cell-context.ts';
import { dayStripLines } from '../wording/views/day-strip-text.ts';
import { detailValues } from '../wording/views/detail-values.ts';
import { portsTable } from '../wording/views/ports-table.ts';
import { releaseNotesLines } from '../wording/views/release-notes-text.ts';
import { timedChangeWords } from './change-words.ts';
import { percentWords, rowWords } from './row-words.ts';
import type { Scene } from './scene.ts';
import { tableWords } from './section-words.ts';
import { spokenTextOfSpans, textOfSpans, unlimitedWidth } from './words.ts';

/** Describes the computer under the cursor in full, one line per property. */
export function detailWords(scene: Scene): readonly string[] {
	const { account, screen, visibleRows, now, theme } = scene;
	const row = visibleRows.rows[cursorIndex(screen, visibleRows.ids)];
	if (!row) return [];
	const { computer, operation } = row;
	const history = historyOf(account, computer.id);
	const facts = detailValues(account, computer, cellContextOf(scene));
	const [, shares = []] = dayStripLines({ computer, history, now, width: unlimitedWidth, theme });
	const day = shares.flatMap(([text]) => (text.trim() === '' ? [] : [spellOut(text)])).join(', ');
	return [
		`${rowWords(row, scene)}.`,
		`Its id is ${computer.id}.`,
		...(operation ? [adviceText(outcomeFromOperation(operation))] : []),
		...facts.map(([label, value]) =>
			hasSpokenUnits(label)
				? `${label}: ${spokenTextOfSpans(value)}`
				: `${label}: ${textOfSpans(value)}`,
		),
		percentWords('Storage', computer.reading.storage),
		day === '' ? '' : `The last 24 hours: ${day}`,
		...portWords(row, scene),
		...notesWords(row, scene),
		...history
			.slice(-maxHistoryLines)
			.reverse()
			.map(change => timedChangeWords(change, now)),
	].filter(line => line !== '');
}

const maxHistoryLines = 10;

// Returns whether units and signs in the value with this label are spelled out. Values such as an address
// stay exact, because a person may type them.
const hasSpokenUnits = (label: string) =>
	['Version', 'Status', 'Data', 'Created', 'Started', 'Changed', 'Plan'].includes(label);

function portWords({ computer }: Row, scene: Scene): readonly string[] {
	const { id, reading } = computer;
	const ports = reading.ports ?? [];
	if (ports.length === 0) return [];
	const { portChecks } = scene.operationsState;
	return tableWords(
		portsTable({ ...scene, id, ports, checks: portChecks, width: unlimitedWidth }),
	).map(line => (line.startsWith('also') ? line : `Port ${line}`));
}

function notesWords({ isOutdated }: Row, { account, theme }: Scene): readonly string[] {
	const { release } = account;
	if (!isOutdated || !release) return [];
	return [
		`New in ${release.version}:`,
		...releaseNotesLines(release, unlimitedWidth, theme).map(spans => spokenTextOfSpans(spans)),
	];
}
